"""Queries about bots for pages, tasks and other apps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db.models import Count, F, FilteredRelation, Prefetch, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext

from analysis import game_record
from arena.web.audit_log import DEEDS_SHOWN
from arena.web.variants import board_title
from bots.models import (
    PLAYABLE,
    ActiveVersion,
    Bot,
    BotDeed,
    CheckReport,
    CoOwner,
    Follow,
    Status,
    Token,
    Trial,
    Version,
)
from engine.boards import BOARDS, board_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from analysis.game_record import SeatHead
    from arena.accounts.models import User

CHECK_LEASE = timedelta(minutes=5)
"""A check that runs longer than this is considered dead and may be claimed again."""
MINE = "me"
HOUSE = "house"


def listed_bots(
    viewer: Any,
    *,
    query: str = "",
    owner: str = "",
    board: str = "crapaud",
    language: str = "",
    playing: bool = False,
) -> QuerySet[Bot]:
    """Return the bots for the list page, the strongest on a board first: those in play, and the viewer's own.

    ``query`` is searched in name, owners and description. ``owner`` is a user name, ``me`` or ``house``.
    ``language`` is that of the active version, and ``playing`` keeps the bots in a running game that is
    shown to all. Each has ``plays``, the number of the version that plays on the board, and ``elo``, ``low``,
    ``high``, ``games`` and ``provisional`` of that; None without one, or without a rating.
    """
    visible = Q(withdrawn_at=None, active_version__isnull=False)
    if viewer.is_authenticated:
        visible |= Q(pk__in=Bot.objects.of(viewer))
    bots = Bot.objects.filter(visible).select_related("owner", "active_version").prefetch_related(co_owners())
    # Ratings belong to the app of tournaments, which this one does not know: by name only.
    rating = "here__version__ratings"
    bots = bots.annotate(
        here=FilteredRelation("active_versions", condition=Q(active_versions__board=board)),
        plays=F("here__version__number"),
        rated=FilteredRelation(
            rating, condition=Q(**{f"{rating}__variant": board, f"{rating}__games__gt": 0})
        ),
        elo=F("rated__elo"),
        low=F("rated__low"),
        high=F("rated__high"),
        games=F("rated__games"),
        provisional=F("rated__provisional"),
    ).order_by(F("rated__provisional").asc(nulls_last=True), F("rated__elo").desc(nulls_last=True), "name")
    if query:
        bots = bots.filter(
            Q(name__icontains=query)
            | Q(description__icontains=query)
            | Q(owner__username__icontains=query)
            | Q(pk__in=_together(user__username__icontains=query))
        )
    if language:
        bots = bots.filter(active_version__language=language)
    if playing:
        # By name only, as the ratings; of a game that is hidden nobody learns that it is played.
        game = "versions__seats__game__"
        live = Bot.objects.filter(**{f"{game}status": "running", f"{game}hidden": False})
        bots = bots.filter(pk__in=live.order_by().values("pk"))
    if owner == HOUSE:
        return bots.filter(is_house=True)
    if owner == MINE:
        return bots.filter(pk__in=Bot.objects.of(viewer))
    if owner:
        return bots.filter(Q(owner__username=owner) | Q(pk__in=_together(user__username=owner)))
    return bots


def _together(**who: str) -> QuerySet[CoOwner, int]:
    """The keys of the bots of which such people are co-owners."""
    accepted = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED, bot__owner__isnull=False, **who)
    return accepted.order_by().values_list("bot", flat=True)


def co_owners(way: str = "") -> Prefetch[str]:
    """Reads at once who owns each of many bots beside its owner; ``way`` leads to the bots."""
    accepted = CoOwner.objects.filter(status=CoOwner.Status.ACCEPTED).select_related("user")
    return Prefetch(f"{way}co_owners", accepted, to_attr="co_owner_rows")


def active_rows() -> Prefetch[str]:
    """Reads at once which version of each of many bots plays on which board."""
    return Prefetch("active_versions", ActiveVersion.objects.select_related("version"), to_attr="active_rows")


def account_named(name: str) -> User | None:
    """The account of this name that is not suspended; None if there is none."""
    found: User | None = (
        get_user_model().objects.filter(username__iexact=name.strip()[:150], is_active=True).first()
    )
    return found


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


def check_report(version: Version) -> CheckReport | None:
    """The verdict on ``version``, if there is one."""
    return CheckReport.objects.filter(version=version).first()


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial as its page shows it: the first line of what is said of it, and the rest."""

    board: str
    title: str
    verdict: str
    label: str
    first: str
    rest: str


def trial_rows(version: Version) -> list[TrialRow]:
    """What the version's trials showed, for a page."""
    return [
        TrialRow(
            one.board,
            board_title(one.board),
            one.verdict,
            one.get_verdict_display(),
            one.log.partition("\n")[0],
            one.log.partition("\n")[2],
        )
        for one in trials(version)
    ]


def shared_failure(rows: Sequence[TrialRow]) -> TrialRow | None:
    """The first of several trials that all failed, and for the same reason: one has to be read."""
    told = {(one.verdict, one.first, one.rest) for one in rows}
    return rows[0] if len(rows) > 1 and len(told) == 1 and rows[0].verdict == Trial.Verdict.FAILED else None


def played_in_words(version: Version) -> str:
    """The games a version passed, for people."""
    return in_words(boards(version))


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


def trials(version: Version) -> list[Trial]:
    """What the version's trials showed, in the order of the boards."""
    found = {one.board: one for one in version.trials.defer("record")}
    return [found[board] for board in BOARDS if board in found]


def boards(version: Version) -> list[str]:
    """The boards on which the version plays."""
    return [one.board for one in trials(version) if one.verdict == Trial.Verdict.PASSED]


def evidence(report: CheckReport | None) -> list[dict[str, Any]]:
    """Return the version's evidence from each seat of its check game; empty if there is none."""
    kept = report.record.get("evidence") if report is not None and isinstance(report.record, dict) else None
    return [seat for seat in kept if isinstance(seat, dict)] if isinstance(kept, list) else []


def recorded_board(report: CheckReport | None) -> str:
    """The title of the board whose check game was kept; empty if none was."""
    record = report.record if report is not None and isinstance(report.record, dict) else {}
    return board_title(board_name(record["variant"], record.get("players", 2))) if "variant" in record else ""


def culprit(report: CheckReport | None) -> int | None:
    """Return the seat that forfeited the check game, if any."""
    result = report.record.get("result") if report is not None and isinstance(report.record, dict) else None
    return result.get("seat") if isinstance(result, dict) else None


def checks_before(version: Version) -> int:
    """Return how many checks come before that of ``version``, those under way included."""
    queue = check_queue()
    place = queue.index(version.pk) if version.pk in queue else len(queue)
    return place + _under_way(timezone.now()).exclude(pk=version.pk).count()


def check_queue() -> list[int]:
    """The keys of the versions to check, in their order.

    Those who sent them take turns, each with their oldest first: whoever has a check under way, or many that
    wait, holds up nobody else.
    """
    now = timezone.now()
    sender = Coalesce("uploaded_by", "bot__owner")
    turns = Counter(_under_way(now).values_list(sender, flat=True))
    waiting = []
    since = Coalesce("trial_asked_at", "created_at")
    rows = versions_to_check(now).order_by(since, "pk").values_list("pk", sender)
    for place, (key, who) in enumerate(rows):
        waiting.append((turns[who], place, key))
        turns[who] += 1
    return [key for *_, key in sorted(waiting)]


def _under_way(now: datetime) -> QuerySet[Version]:
    """The versions whose check was begun and is not over, by workers that are not dead."""
    claimed = Version.objects.filter(check_started_at__gte=now - CHECK_LEASE)
    again = Q(status__in=PLAYABLE, trial_asked_at__lte=F("check_started_at"))
    return claimed.filter(Q(status=Status.CHECKING) | again)


def versions_to_check(now: datetime) -> QuerySet[Version]:
    """Return the versions to check, oldest first: waiting for a first or another check, or claimed by a check
    that must be dead. A first check begins with the inspection of the file."""
    due = Q(check_not_before=None) | Q(check_not_before__lte=now)
    waiting = Q(status=Status.UPLOADED) & due
    dead = Q(status=Status.CHECKING, check_started_at__lt=now - CHECK_LEASE)
    unclaimed = (
        Q(check_started_at=None)
        | Q(check_started_at__lt=now - CHECK_LEASE)
        | Q(check_started_at__lt=F("trial_asked_at"))
    )
    again = Q(status__in=PLAYABLE, trial_asked_at__isnull=False) & due & unclaimed
    # Not by way of the pending file: a claim must look at the row that it changes alone.
    has_files = Q(archive__isnull=False) | Q(sha256="")
    return Version.objects.filter(waiting | dead | again, has_files).order_by("created_at")


def tokens_of(user: User) -> QuerySet[Token]:
    """The user's tokens that still work, newest first."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Token.objects.filter(unexpired, owner=user, revoked_at=None)


def benched_versions(user: User) -> QuerySet[Version]:
    """The versions of the user's bots in play that are benched, and would play otherwise."""
    mine = Version.objects.filter(
        bot__in=Bot.objects.of(user), bot__withdrawn_at=None, benched_at__isnull=False
    )
    return mine.activated_last().select_related("bot").order_by("bot__name")


def own_bots(user: User) -> QuerySet[Bot]:
    """The bots that the user owns, also with others, with the number of their versions, by name."""
    return Bot.objects.of(user).annotate(version_count=Count("versions")).order_by("name")


def invitations(user: User) -> QuerySet[CoOwner]:
    """What the user can still answer: invitations to own a bot, and offers of one, the newest first."""
    open_ones = Q(status=CoOwner.Status.INVITED) | Q(offered_at__isnull=False)
    rows = CoOwner.objects.filter(open_ones, user=user, bot__owner__isnull=False)
    return rows.select_related("bot", "invited_by").order_by("-invited_at", "-pk")


def co_ownership(bot: Bot, user: Any) -> CoOwner | None:
    """What the owner of a bot asked of a user and what they said; None if it was nothing."""
    if not user.is_authenticated or bot.owner_id is None:
        return None
    return CoOwner.objects.filter(bot=bot, user=user.pk).select_related("user").first()


def invited_co_owners(bot: Bot) -> list[CoOwner]:
    """Who was asked to be a co-owner of a bot and has not said yes."""
    rows = CoOwner.objects.filter(bot=bot).exclude(status__in=(CoOwner.Status.ACCEPTED, CoOwner.Status.LEFT))
    return list(rows.select_related("user").order_by("invited_at", "pk"))


def deeds(bot: Bot) -> list[BotDeed]:
    """What its owners did last with a bot, the newest first."""
    rows = BotDeed.objects.filter(bot=bot).select_related("actor", "person", "version")
    return list(rows[:DEEDS_SHOWN])


def followers(bot: Bot) -> int:
    """How many people follow a bot. Who they are is nobody's business."""
    return Follow.objects.filter(bot=bot, user__is_active=True).count()


def follows_of(user: User) -> QuerySet[Follow]:
    """What the user follows, by name."""
    rows = Follow.objects.filter(user=user).select_related("bot__owner", "bot__active_version")
    return rows.prefetch_related(co_owners("bot__"))


def followed_among(viewer: Any, bots: Iterable[Bot]) -> frozenset[int]:
    """The keys of those of these bots that a visitor follows."""
    if not viewer.is_authenticated:
        return frozenset()
    found = Follow.objects.filter(user=viewer, bot__in=[bot.pk for bot in bots])
    return frozenset(found.order_by().values_list("bot", flat=True))


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
