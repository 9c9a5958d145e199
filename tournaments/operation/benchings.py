"""The bench: a version that keeps crashing cannot enter anything until it passes a new check.

Only the latest games on ladders and in house events count, because nobody chose the opponents or the clock
there. A game is a crash if the version's own program broke down; illegal moves, timeouts and resignations are
not crashes. `IN_A_ROW` crashes bench a version, and so do crashes in a tenth of its last `LAST` games. A
rival must not be able to provoke this by odd play, so at most `MOST_AGAINST_ONE` crashes against the bots of
any one other author count. Further ones are ignored, as if those games had not been played.

It leaves the events it is in (`services.withdrawals`).

A remote bot that abandons `ABANDONED_IN_A_ROW` games in a row, wherever it plays, is benched as well, which
takes it offline. Its owners let it play again when they have put it right; nothing is checked then.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from analysis.ratings.pools import HOUSE
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.database import database_clock
from arena.web.i18n.messages import STORED, reworded_lazy
from arena.web.i18n.phrases import fill
from arena.web.processes.alarms import raise_alarm
from bots.locks import lock_with_owners
from bots.models import Version
from bots.port import stop_playing
from bots.versions import choose_active
from tournaments.events.withdrawals import leave_events
from tournaments.models import Alarm, Game, Result, Seat
from tournaments.models.game import CRASHES, GIVEN_UP
from tournaments.ratings.linked_owners import owners_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

logger = logging.getLogger(__name__)

IN_A_ROW: Final = 5
LAST: Final = 50
MOST_OF_LAST: Final = LAST // 10
MOST_AGAINST_ONE: Final = 2
ABANDONED_IN_A_ROW: Final = 3


def look_at(version_id: int) -> bool:
    """Bench a version that has crashed too often, and return whether it was. Called after each crash."""
    version = Version.objects.select_related("bot").filter(pk=version_id).first()
    if version is None:
        return False
    if version.benched_at is not None:
        return False
    reason = _why_offline(version) if version.is_remote else why_benched(crashes(version))
    if not reason:
        return False
    if version.bot.is_house:
        raise_alarm(Alarm.Kind.BOT, f"bot {version.bot_id}", f"{version} of the house: {reason}")
        return False
    return bench(version, reason)


def crashes(version: Version) -> list[bool]:
    """Whether the version crashed in each game that counts, newest first; at most `LAST` games."""
    seats = Seat.objects.filter(
        version=version,
        game__status=Game.Status.FINISHED,
        game__tournament__rated=True,
        game__tournament__admits_remote=False,
    )
    if version.crashes_since is not None:
        seats = seats.filter(game__finished_at__gt=version.crashes_since)
    # Fetch more than count, because a few may be ignored.
    played = list(
        seats.order_by("-game__finished_at", "-game__order").values_list("game", "seat")[: 2 * LAST]
    )
    ends = {
        game: (termination, culprit)
        for game, termination, culprit in Result.objects.filter(
            game__in=[game for game, _ in played]
        ).values_list("game", "termination", "culprit")
    }
    crashed = {
        game: ends[game][0] in CRASHES and ends[game][1] == seat for game, seat in played if game in ends
    }
    authors = _opposing_authors(version, [game for game, did in crashed.items() if did])
    against: dict[int, int] = {}
    counted: list[bool] = []
    for game, did in crashed.items():
        if did and authors[game]:
            if all(against.get(author, 0) >= MOST_AGAINST_ONE for author in authors[game]):
                continue
            for author in authors[game]:
                against[author] = against.get(author, 0) + 1
        counted.append(did)
    return counted[:LAST]


def why_benched(crashed: Sequence[bool]) -> str:
    """Why a version with these games, newest first, is benched; empty if it is not."""
    row = next((place for place, did in enumerate(crashed) if not did), len(crashed))
    if row >= IN_A_ROW:
        return f"It crashed in its last {row} games."
    count = sum(crashed[:LAST])
    if len(crashed) >= LAST and count >= MOST_OF_LAST:
        return f"It crashed in {count} of its last {LAST} games."
    return ""


def _why_offline(version: Version) -> str:
    """Why a remote bot is set offline; empty if it is not."""
    seats = Seat.objects.filter(version=version, game__status=Game.Status.FINISHED)
    if version.crashes_since is not None:
        seats = seats.filter(game__finished_at__gt=version.crashes_since)
    last = seats.order_by("-game__finished_at", "-game__order")[:ABANDONED_IN_A_ROW]
    ends = last.values_list("seat", "game__result__culprit", "game__result__termination")
    gone = [seat == culprit and how in GIVEN_UP for seat, culprit, how in ends]
    return (
        f"It abandoned its last {ABANDONED_IN_A_ROW} games." if gone.count(True) == ABANDONED_IN_A_ROW else ""
    )


def bench(version: Version, reason: str) -> bool:
    """Take a version out of every event; False if it was already benched.

    An earlier version that passed takes its boards, if there is one.
    """
    with transaction.atomic():
        bot = lock_with_owners(version.bot_id)
        benched = Version.objects.filter(pk=version.pk, benched_at=None).update(
            benched_at=database_clock.now(), benched_because=reason
        )
        if bot is None or not benched:
            return False
        choose_active(bot.pk)
        tell(
            bot.owner_keys,
            Kind.BENCHED,
            f"bench {version.pk} {database_clock.now().isoformat()}",
            format_lazy(
                "{} {}",
                fill(gettext_lazy("%(bot)s was set offline."), bot=bot.name)
                if bot.is_remote
                else fill(gettext_lazy("%(version)s is benched."), version=version),
                reworded_lazy(reason, STORED),
            ),
            version.get_absolute_url(),
        )
        leave_events([version.pk], benched=str(version))
        stop_playing(Version.objects.filter(pk=version.pk))
    logger.warning("%s was benched: %s", version, reason)
    return True


def _opposing_authors(version: Version, games: Sequence[UUID]) -> dict[UUID, frozenset[int]]:
    """The other authors at the table of each game; empty if all others were house bots."""
    rows = list(Seat.objects.filter(game__in=games).exclude(version=version).values_list("game", "version"))
    owners = owners_of(key for _, key in rows)
    found: dict[UUID, set[int]] = {game: set() for game in games}
    for game, key in rows:
        if owners[key] != HOUSE:
            found[game].add(owners[key])
    return {game: frozenset(authors) for game, authors in found.items()}
