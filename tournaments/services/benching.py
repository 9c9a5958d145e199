"""The bench: a version that keeps crashing cannot enter anything until it passes a new check.

Only the latest games on ladders and in house events count, because nobody chose the opponents or the clock
there. A game is a crash if the version's own program broke down; illegal moves, timeouts and resignations are
not crashes. `IN_A_ROW` crashes bench a version, and so do crashes in a tenth of its last `LAST` games. A
rival must not be able to provoke this by odd play, so at most `MOST_AGAINST_ONE` crashes against the bots of
any one other author count. Further ones are ignored, as if those games had not been played.

What happens to running events depends on their format. A ladder drops the version's pairs that have not
begun. A Swiss tournament no longer pairs it. A sequential test stops without a verdict. In all other formats
its games go on, and each crash loses a game: otherwise some entrants would have met it and their rivals not.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from analysis.ratings.pools import HOUSE
from arena.common.phrases import filled
from arena.common.rewording import STORED, reworded_lazy
from bots.models import Version
from bots.services import choose_active, field_changed
from bots.services.locks import lock_with_owners
from notices.models import Kind
from notices.services import tell
from tournaments import events
from tournaments.models import Alarm, Entry, Game, Pair, Result, Seat, Tournament
from tournaments.models.game import CRASHES
from tournaments.selectors.owners import owners_of
from tournaments.services.alarms import raise_alarm
from tournaments.services.messages import advance_on_commit
from tournaments.services.pairing.endings import finish, void_unfinished
from tournaments.services.pairing.locking import lock_together

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

logger = logging.getLogger(__name__)

IN_A_ROW: Final = 5
LAST: Final = 50
MOST_OF_LAST: Final = LAST // 10
MOST_AGAINST_ONE: Final = 2
SETTLED: Final = timedelta(minutes=1)
LATELY: Final = timedelta(hours=1)
"""For how long the sweep looks after a version that was benched, and from when on."""


def look_at(version_id: int) -> bool:
    """Bench a version that has crashed too often, and return whether it was. Called after each crash."""
    version = Version.objects.select_related("bot").filter(pk=version_id).first()
    if version is None:
        return False
    if version.benched_at is not None:
        leave(version)  # whoever benched it may have been interrupted
        return False
    reason = why_benched(crashes(version))
    if not reason:
        return False
    if version.bot.is_house:
        raise_alarm(Alarm.Kind.BOT, f"bot {version.bot_id}", f"{version} of the house: {reason}")
        return False
    return bench(version, reason)


def crashes(version: Version) -> list[bool]:
    """Whether the version crashed in each game that counts, newest first; at most `LAST` games."""
    seats = Seat.objects.filter(
        version=version, game__status=Game.Status.FINISHED, game__tournament__rated=True
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


def bench(version: Version, reason: str) -> bool:
    """Take a version out of every event that can do without it; False if it was already benched.

    An earlier version that passed takes its boards, if there is one.
    """
    with transaction.atomic():
        bot = lock_with_owners(version.bot_id)
        benched = Version.objects.filter(pk=version.pk, benched_at=None).update(
            benched_at=timezone.now(), benched_because=reason
        )
        if bot is None or not benched:
            return False
        choose_active(bot.pk)
        field_changed()
        tell(
            bot.owner_keys,
            Kind.BENCHED,
            f"bench {version.pk} {timezone.now().isoformat()}",
            format_lazy(
                "{} {}",
                filled(gettext_lazy("%(version)s is benched."), version=version),
                reworded_lazy(reason, STORED),
            ),
            version.get_absolute_url(),
        )
    logger.warning("%s was benched: %s", version, reason)
    leave(version)
    return True


def leave_again() -> None:
    """Finish what was begun for versions benched lately, should it have been interrupted."""
    now = timezone.now()
    lately = Version.objects.filter(benched_at__lt=now - SETTLED, benched_at__gt=now - LATELY)
    for version in lately.select_related("bot"):
        leave(version)


def leave(version: Version) -> None:
    """Take a benched version out of the running events that can go on without it. May be done twice."""
    under_way = Entry.objects.filter(
        version=version, withdrawn=False, tournament__status=Tournament.Status.RUNNING
    )
    for entry in under_way.select_related("tournament"):
        _leave(entry, str(version))


def _leave(entry: Entry, version: str) -> None:
    """Drop the remaining games of a benched entrant in a running event, as the format demands."""
    reason = f"{version} was benched."
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=entry.tournament_id)
        if event.status != Tournament.Status.RUNNING:
            return
        match event.format:
            case Tournament.Format.LADDER:
                Entry.objects.filter(pk=entry.pk).update(withdrawn=True)
                _drop_waiting(entry, reason)
            case Tournament.Format.SWISS:
                Entry.objects.filter(pk=entry.pk).update(withdrawn=True)
            case Tournament.Format.SPRT:
                void_unfinished(event, reason)
                finish(event, note=f"Stopped without a verdict: {version} was benched."[:300])
            case _:
                return
        events.changed_on_commit(event.slug)
        advance_on_commit(event.pk)


def _drop_waiting(entry: Entry, reason: str) -> None:
    """Void the entrant's ladder pairs that have not begun. Call with the ladder locked."""
    mine = Seat.objects.filter(entry=entry, game__status=Game.Status.QUEUED).values("game__pair")
    pairs = Pair.objects.filter(pk__in=mine, status=Pair.Status.QUEUED).order_by()
    _, waiting = lock_together(Game.objects.filter(pair__in=pairs.values("pk")).order_by(), pairs)
    Game.objects.filter(pair__in=waiting, status=Game.Status.QUEUED).update(status=Game.Status.VOID)
    # If one game of a pair was claimed in the meantime, the whole pair is played.
    begun = Game.objects.filter(pair__in=waiting).exclude(status=Game.Status.VOID).values("pair")
    Game.objects.filter(pair__in=begun, status=Game.Status.VOID).update(status=Game.Status.QUEUED)
    Pair.objects.filter(pk__in=waiting).exclude(pk__in=begun).update(
        status=Pair.Status.VOID, void_reason=reason[:300]
    )


def _opposing_authors(version: Version, games: Sequence[UUID]) -> dict[UUID, frozenset[int]]:
    """The other authors at the table of each game; empty if all others were house bots."""
    rows = list(Seat.objects.filter(game__in=games).exclude(version=version).values_list("game", "version"))
    owners = owners_of(key for _, key in rows)
    found: dict[UUID, set[int]] = {game: set() for game in games}
    for game, key in rows:
        if owners[key] != HOUSE:
            found[game].add(owners[key])
    return {game: frozenset(authors) for game, authors in found.items()}
