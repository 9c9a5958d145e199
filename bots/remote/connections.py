"""Who of the remote bots is connected: a program says what it plays, is seen, and leaves.

A bot has one connection; a later one takes its place. Whoever holds a connection asks again and again whether
it still speaks for the bot (`keep`): it no longer does once another took its place, or the bot was withdrawn,
benched, handed over, or left with its owner's account.

Remote bots for pages and the API: who is online, and how many.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Sum
from django.utils.translation import gettext, gettext_noop

from arena.web import limits
from arena.web.database import database_clock
from arena.web.processes import capacity
from bots.errors import OwnerGone, RemoteRefused
from bots.locks import lock_bot
from bots.models import Bot, Language, RemotePresence, Trial, Version, prefetch_active_rows
from bots.port import field_changed
from bots.versions import choose_active
from engine.boards import BOARDS

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models.expressions import Combinable

    from arena.accounts.models import User
    from bots.models.bot import BotQuerySet


GONE_AFTER: Final = timedelta(minutes=10)
"""A bot that was away for that long loses the games of pairs that had begun."""

LOST_AFTER: Final = timedelta(seconds=75)
"""A connection that was not kept for that long is of a server that died."""

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

PLAYS: Final = gettext_noop("Its program said so when it connected.")


@dataclass(frozen=True, slots=True)
class RemoteWish:
    """What a program says when it connects: the boards it plays (empty: all), how many games at once, and
    whether people may play against it."""

    boards: tuple[str, ...] = ()
    games: int = 1
    people: bool = False


@dataclass(frozen=True, slots=True)
class Traffic:
    """Bytes that came on a connection and were sent there since they were last counted."""

    bytes_in: int = 0
    bytes_out: int = 0

    def as_update(self) -> dict[str, Combinable]:
        """The change of a presence that counts them."""
        return {"bytes_in": F("bytes_in") + self.bytes_in, "bytes_out": F("bytes_out") + self.bytes_out}


@dataclass(frozen=True, slots=True)
class RemoteConnection:
    """A connection that speaks for a bot: what was agreed. `replaced` is the key of the one before it."""

    bot: int
    slug: str
    version: int
    connection: str
    boards: tuple[str, ...]
    games: int
    replaced: str = ""


NONE: Final = Traffic()


def connect(user: User, slug: str, hello: RemoteWish) -> RemoteConnection:
    """Take a bot online for one of its owners; a connection it has is replaced.

    Raises :class:`~bots.errors.RemoteRefused` with a code: ``off``, ``unknown-bot``, ``not-remote``,
    ``withdrawn``, ``benched``, ``unknown-board`` or ``limit``.
    """
    boards = _boards(hello)
    with transaction.atomic():
        bot = _lock(user, slug)
        version = bot.versions.get()
        if version.is_benched:
            raise RemoteRefused(
                "benched",
                gettext("%(bot)s was set offline. Let it play again on its page, then connect.")
                % {"bot": bot.name},
            )
        presence = RemotePresence.objects.select_for_update().get(bot=bot)
        if not presence.is_online:
            _assert_room(bot)
        now, before = database_clock.now(), presence.connection
        games = max(1, min(hello.games, limits.value("remote_games_per_user")))
        RemotePresence.objects.filter(pk=bot.pk).update(
            connection=(connection := secrets.token_urlsafe(24)),
            online_since=presence.online_since or now,
            seen_at=now,
            games=games,
            people=hello.people,
            leaving=False,
        )
        _plays(version, boards)
    return RemoteConnection(bot.pk, bot.slug, version.pk, connection, boards, games, before)


def _boards(hello: RemoteWish) -> tuple[str, ...]:
    """The boards in their order. Raises RemoteRefused."""
    if not settings.REMOTE:
        raise RemoteRefused("off", gettext("Remote bots are switched off on this site."))
    unknown = sorted(set(hello.boards) - set(BOARDS))
    if unknown:
        raise RemoteRefused(
            "unknown-board",
            gettext("There is no game %(board)s here.") % {"board": f"{unknown[0][:40]!r}"},
        )
    return tuple(board for board in BOARDS if not hello.boards or board in hello.boards)


def _lock(user: User, slug: str) -> Bot:
    """The bot of this address, locked, if it is a remote one of the user's in play. Raises RemoteRefused."""
    bot = Bot.objects.select_related("owner").filter(slug=slug).first()
    if bot is None or not bot.is_owned_by(user):
        raise RemoteRefused("unknown-bot", gettext("You have no bot %(slug)s.") % {"slug": f"{slug[:40]!r}"})
    if not bot.is_remote:
        raise RemoteRefused(
            "not-remote",
            gettext("%(bot)s is an uploaded bot. Create a remote bot to connect.") % {"bot": bot.name},
        )
    try:
        bot = lock_bot(bot, user)
    except OwnerGone as gone:
        raise RemoteRefused("unknown-bot", str(gone)) from gone
    if bot.is_withdrawn:
        raise RemoteRefused(
            "withdrawn", gettext("%(bot)s is withdrawn. Restore it first.") % {"bot": bot.name}
        )
    return bot


def _assert_room(bot: Bot) -> None:
    """Raise RemoteRefused if as many are connected as may be: of the bot's owner, or of all.

    Two that connect at this moment may both find the last place of all; of one owner's, who is locked, not.
    """
    online = RemotePresence.objects.filter(online_since__isnull=False)
    most = limits.value("remote_connections_per_user")
    if online.filter(bot__owner=bot.owner).count() >= most:
        raise RemoteRefused(
            "limit",
            gettext("The bot’s owner already has %(most)s remote bots online, the most one account can have.")
            % {"most": most},
        )
    if online.count() >= limits.value("remote_connections"):
        raise RemoteRefused("limit", gettext("As many remote bots are online as this site allows."))


def _plays(version: Version, boards: Collection[str]) -> None:
    """Note which boards a remote bot plays, if that has changed; the bot is locked."""
    known = set(version.trials.values_list("board", flat=True))
    if known == set(boards):
        return
    now = database_clock.now()
    version.trials.exclude(board__in=boards).delete()
    Trial.objects.bulk_create(
        Trial(version=version, board=board, verdict=Trial.Verdict.PASSED, log=PLAYS, at=now)
        for board in boards
        if board not in known
    )
    choose_active(version.bot_id)


def keep(bot: int, connection: str, user: int, traffic: Traffic = NONE) -> bool:
    """Note that a connection is there, and count its traffic; False if it no longer speaks for the bot and
    must be closed.

    `user` is whose token it came with. One statement.
    """
    mine = RemotePresence.objects.filter(
        bot=bot, connection=connection, online_since__isnull=False, bot__in=Bot.objects.of_account(user)
    )
    mine = RemotePresence.objects.filter(pk__in=mine.values("pk"))
    return bool(mine.update(seen_at=database_clock.now(), **traffic.as_update()))


def leave(bot: int, connection: str) -> bool:
    """Give a bot no new games; those being played go on. False if the connection no longer speaks for it."""
    return bool(RemotePresence.objects.filter(bot=bot, connection=connection).update(leaving=True))


def disconnect(bot: int, connection: str, traffic: Traffic = NONE) -> bool:
    """Take a bot offline, and count the last traffic; False if another connection took this one's place."""
    RemotePresence.objects.filter(bot=bot).update(**traffic.as_update())
    mine = RemotePresence.objects.filter(bot=bot, connection=connection, online_since__isnull=False)
    return bool(mine.update(connection="", online_since=None, seen_at=database_clock.now(), leaving=False))


def disconnect_lost() -> int:
    """Take those offline whose server died; how many. The sweep calls it."""
    lost = RemotePresence.objects.filter(
        online_since__isnull=False, seen_at__lt=database_clock.now() - LOST_AFTER
    )
    return lost.update(connection="", online_since=None, leaving=False, seen_at=database_clock.now())


def gone_before(away: timedelta = GONE_AFTER) -> datetime:
    """When a bot that is offline must have been seen last to have been `away` for that long.

    Nobody has while the site itself is back for less than `GONE_AFTER`, or lets none connect: else a bot
    would lose what waits for it because of the site.
    """
    now = database_clock.now()
    up_since = capacity.up_since()
    just_back = up_since is not None and up_since > now - GONE_AFTER
    return EPOCH if just_back or not may_connect() else now - away


def may_connect() -> bool:
    """Whether the site lets remote bots connect."""
    return settings.REMOTE and limits.value("remote_connections") > 0


def play_again(bot: Bot, *, by: User) -> None:
    """Let a remote bot connect again that was set offline because it kept abandoning games.

    Raises :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    with transaction.atomic():
        lock_bot(bot, by)
        versions = Version.objects.filter(bot=bot, language=Language.REMOTE)
        versions.update(benched_at=None, benched_because="", crashes_since=database_clock.now())
        field_changed()


def online_bots() -> BotQuerySet:
    """The remote bots that are online, in the order in which they were created."""
    if not settings.REMOTE:
        return Bot.objects.none()
    found = Bot.objects.in_play().filter(presence__online_since__isnull=False)
    return found.select_related("owner", "presence").prefetch_related(prefetch_active_rows()).order_by("pk")


def traffic() -> tuple[int, int]:
    """How many bytes came from remote bots, and were sent to them, in all."""
    total = RemotePresence.objects.aggregate(came=Sum("bytes_in"), went=Sum("bytes_out"))
    return total["came"] or 0, total["went"] or 0


def online_count() -> int:
    """How many remote bots are online."""
    return RemotePresence.objects.filter(online_since__isnull=False).count()
