"""Versions of a bot: which play on which board, who decides that, and what people read of it.

Of the versions that passed on a board, the one that was activated last plays there. So a new version takes
only the boards on which it passed, and the last good one stays on the others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from analysis import game_record
from arena.web.audit_log import add_audit_entry
from arena.web.variants import board_title
from bots.check_results import passed_boards
from bots.errors import NotActivatable
from bots.follows import note_release
from bots.locks import lock_bot
from bots.models import PLAYABLE, ActiveVersion, Bot, BotAuditEntry, Status, Trial, Version
from bots.port import field_changed
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


@transaction.atomic
def choose_active(bot: int) -> None:
    """Bring up to date which version of a bot plays on which board.

    Call it in the transaction in which a check, the bench or an owner changed what may play, with the bot and
    whoever is told locked before that (`bots.locks`). A benched version gives its boards to an
    earlier one that passed there; where there is none, it keeps them for when it returns.
    """
    Bot.objects.select_for_update(no_key=True).filter(pk=bot).first()
    activated = Version.objects.filter(bot=bot, activated_at__isnull=False, status__in=PLAYABLE)
    order = {
        key: (benched is None, at, number)
        for key, benched, at, number in activated.values_list("pk", "benched_at", "activated_at", "number")
    }
    passed = Trial.objects.filter(version__in=order, verdict=Trial.Verdict.PASSED)
    chosen: dict[str, int] = {}
    for board, key in passed.values_list("board", "version"):
        if board not in chosen or order[chosen[board]] < order[key]:
            chosen[board] = key
    ActiveVersion.objects.filter(bot=bot).exclude(board__in=chosen).delete()
    ActiveVersion.objects.bulk_create(
        [ActiveVersion(bot_id=bot, board=board, version_id=key) for board, key in sorted(chosen.items())],
        update_conflicts=True,
        unique_fields=["bot", "board"],
        update_fields=["version"],
    )
    boards = Counter(chosen.values())
    most = max(order, key=lambda key: (boards[key], order[key]), default=None)
    Bot.objects.filter(pk=bot).update(active_version=most)


def assert_activatable(version: Version) -> None:
    """Raise :class:`NotActivatable` unless the version passed somewhere and its bot is in play."""
    if version.bot.is_withdrawn:
        raise NotActivatable(gettext("%(bot)s is withdrawn. Restore it first.") % {"bot": version.bot.name})
    if version.status not in PLAYABLE:
        raise NotActivatable(
            gettext("Version %(number)s is %(status)s. Only an accepted version can be active.")
            % {"number": version.number, "status": Status(version.status).label}
        )


@transaction.atomic
def activate_version(version: Version, *, by: User | None = None) -> None:
    """Make ``version`` play on every board on which it passed. Raises :class:`NotActivatable`.

    ``by`` is the one of its bot's owners who asks; its owner if nobody is named. Raises
    :class:`~bots.errors.OwnerGone` if the bot is no longer theirs.
    """
    acting = by or version.bot.owner
    if acting is not None:
        version.bot = lock_bot(version.bot, acting)
    assert_activatable(version)
    Version.objects.filter(pk=version.pk).update(activated_at=timezone.now())
    choose_active(version.bot_id)
    add_audit_entry(version.bot.audit_log, by, BotAuditEntry.What.ACTIVATED, version=version)
    note_release(version)
    version.bot.refresh_from_db(fields=["active_version"])
    field_changed()


@transaction.atomic
def deactivate_version(version: Version, *, by: User | None = None) -> None:
    """Let ``version`` play nowhere any more; an earlier one that passed takes its boards, if there is one.

    ``by`` is as in `activate_version`. Raises :class:`NotActivatable` if it is not active, or if nothing
    would play for the bot then, and :class:`~bots.errors.OwnerGone`.
    """
    acting = by or version.bot.owner
    if acting is not None:
        version.bot = lock_bot(version.bot, acting)
    active = ActiveVersion.objects.filter(bot=version.bot_id)
    if not active.filter(version=version).exists():
        raise NotActivatable(gettext("Version %(number)s is not active.") % {"number": version.number})
    Version.objects.filter(pk=version.pk).update(activated_at=None)
    choose_active(version.bot_id)
    if not active.exists():
        raise NotActivatable(
            gettext("No other version could play. Withdraw the bot if it should no longer play.")
        )
    add_audit_entry(version.bot.audit_log, by, BotAuditEntry.What.DEACTIVATED, version=version)
    version.bot.refresh_from_db(fields=["active_version"])
    field_changed()
