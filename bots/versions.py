"""Versions of a bot: which play on which board, and what people read of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext

from analysis import game_record
from arena.web.variants import board_title
from bots.check_results import passed_boards
from bots.models import PLAYABLE, Bot, Status, Trial, Version
from engine.boards import BOARDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

    from analysis.game_record import SeatHead
    from arena.accounts.models import User


def visible_versions(bot: Bot, viewer: Any) -> QuerySet[Version]:
    """Return the versions of ``bot``, newest first. Others than its owners see only those that may play."""
    versions = bot.versions.select_related("bot", "bot__owner", "uploaded_by").order_by("-number")
    return versions if bot.is_owned_by(viewer) else versions.filter(status__in=PLAYABLE)


def active_on(bot: Bot) -> dict[str, Version]:
    """Which version of a bot plays on which board, in the order of the boards; not those it plays nowhere."""
    found = {row.board: row.version for row in bot.active_rows}
    return {board: found[board] for board in BOARDS if board in found}


def active_boards(version: Version) -> list[str]:
    """The boards on which a version plays for its bot."""
    return [board for board, one in active_on(version.bot).items() if one.pk == version.pk]


@dataclass(frozen=True, slots=True)
class LostBoard:
    """A board that a version does not play, and the number of the earlier one that still does, if any."""

    board: str
    number: int | None


def lost_boards(version: Version) -> list[LostBoard]:
    """The boards that an earlier version goes on playing because this one does not, in order.

    For a first version, the boards on which it failed: it says that it plays them.
    """
    verdicts = {one.board: one.verdict for one in version.trials.defer("record", "log")}
    before = version.bot.versions.filter(number__lt=version.number, activated_at__isnull=False)
    if not before.exists():
        failed = (board for board in BOARDS if verdicts.get(board) == Trial.Verdict.FAILED)
        return [LostBoard(board, None) for board in failed]
    # A board may be newer than its check; a file that is no bot is tried on none.
    untried = Trial.Verdict.FAILED if version.status == Status.REJECTED else Trial.Verdict.PASSED
    return [
        LostBoard(board, one.number)
        for board, one in active_on(version.bot).items()
        if one.number < version.number and verdicts.get(board, untried) != Trial.Verdict.PASSED
    ]


def played_in_words(version: Version) -> str:
    """The games a version passed, for people."""
    return in_words(passed_boards(version))


def in_words(boards: Sequence[str]) -> str:
    """Games for people."""
    if len(boards) == len(BOARDS):
        return gettext("every game")
    return ", ".join(map(board_title, boards)) or gettext("nothing")


def active_in_words(bot: Bot) -> list[tuple[Version, str]]:
    """The versions of a bot that play, newest first, each with its games for people."""
    found: dict[Version, list[str]] = {}
    for board, version in active_on(bot).items():
        found.setdefault(version, []).append(board)
    return [(one, in_words(found[one])) for one in sorted(found, key=lambda one: -one.number)]


def lost_in_words(version: Version) -> list[tuple[int | None, str]]:
    """The games that a version does not play: of each earlier one that still does, the newest first."""
    found: dict[int | None, list[str]] = {}
    for one in lost_boards(version):
        found.setdefault(one.number, []).append(one.board)
    return [(number, in_words(found[number])) for number in sorted(found, key=lambda one: -(one or 0))]


def benched_versions(user: User) -> QuerySet[Version]:
    """The versions of the user's bots in play that are benched, and would play otherwise."""
    mine = Version.objects.filter(
        bot__in=Bot.objects.of(user), bot__withdrawn_at=None, benched_at__isnull=False
    )
    return mine.activated_last().select_related("bot").order_by("bot__name")


def seat_head(version: Version) -> SeatHead:
    """Who sits there, as a record names it."""
    bot = version.bot
    return game_record.seat_head(
        bot.name,
        version.number,
        owner=bot.owner.username if bot.owner else None,
        house=bot.is_house,
        url=version.get_absolute_url(),
        remote=version.is_remote,
    )
