"""Which boards a version plays on: stores the results of its trials, and asks for new ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.notices.models import Kind
from arena.notices.services import tell
from arena.web.audit_log import note_deed
from arena.web.i18n.phrases import filled
from bots import selectors
from bots.errors import NotActivatable
from bots.models import PLAYABLE, BotDeed, Status, Trial, Version
from engine.boards import BOARDS

from .activation import choose_active
from .checks import enqueue_check
from .limits import count_attempt
from .locks import lock_bot, lock_with_owners

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analysis.game_record import Checked
    from arena.accounts.models import User

CHECK_SECONDS: Final = 20
"""Wall time for all trials of a check together."""
LADDER_CLOCK: Final = (60_000, 500)
"""The clock of ladders, and so of trials: milliseconds in the bank, and added after each turn."""
CLOCK_WORDS: Final = gettext_lazy("60 seconds of CPU time per game, plus half a second per turn")


@dataclass(frozen=True, slots=True)
class TrialReport:
    """The result of one trial: a `Trial.Verdict`, a log for the owner, and the record if it was kept."""

    board: str
    verdict: str
    log: str = ""
    record: Checked | None = None

    @property
    def passed(self) -> bool:
        """Whether the version plays on the board."""
        return self.verdict == Trial.Verdict.PASSED

    def without_record(self) -> TrialReport:
        """The same report without the record."""
        return replace(self, record=None)


def boards_to_try(version: Version) -> list[str]:
    """The boards to try a claimed version on: all, or those it does not play on yet."""
    if version.status not in PLAYABLE or version.is_benched:
        return list(BOARDS)
    passed = selectors.boards(version)
    return [board for board in BOARDS if board not in passed]


def status_of(verdicts: Iterable[str]) -> Status:
    """What a version with these verdicts is."""
    found = set(verdicts)
    if Trial.Verdict.PASSED not in found:
        return Status.REJECTED
    return Status.PARTLY if Trial.Verdict.FAILED in found else Status.ACCEPTED


def store_trials(version: Version, reports: Sequence[TrialReport]) -> None:
    """Replace earlier results on the same boards by these. Call in a transaction."""
    version.trials.filter(board__in=[one.board for one in reports]).delete()
    now = timezone.now()
    Trial.objects.bulk_create(
        Trial(
            version=version,
            board=one.board,
            verdict=one.verdict,
            log=one.log,
            record=one.record,
            at=now,
        )
        for one in reports
    )


@transaction.atomic
def record_trials(version: Version, reports: Sequence[TrialReport]) -> bool:
    """Store the new trials of an accepted version; False if that was already done.

    A benched version returns if it passed any of them. What was accepted once is never rejected.
    """
    bot = lock_with_owners(version.bot_id)
    asked = Version.objects.filter(pk=version.pk, status__in=PLAYABLE, trial_asked_at__isnull=False)
    if not asked.update(trial_asked_at=None, check_failures=0, check_not_before=None):
        return False
    if bot is None or bot.is_departed:
        return False
    store_trials(version, reports)
    failed = version.trials.filter(verdict=Trial.Verdict.FAILED).exists()
    Version.objects.filter(pk=version.pk).update(status=Status.PARTLY if failed else Status.ACCEPTED)
    tell(
        bot.owner_keys,
        Kind.CHECKED,
        f"check {version.pk} of {timezone.now().isoformat()}",
        filled(gettext_lazy("The new check of %(version)s is finished."), version=version),
        version.get_absolute_url(),
    )
    if any(one.passed for one in reports):
        # Not a bench that came while it was being tried.
        Version.objects.filter(
            pk=version.pk, benched_at__lt=version.check_started_at or timezone.now()
        ).update(benched_at=None, benched_because="", crashes_since=timezone.now())
    choose_active(version.bot_id)
    return True


def may_ask_for_trials(version: Version) -> bool:
    """Whether its owners may ask for a new check, and the check could change anything."""
    return (
        version.status in PLAYABLE
        and version.archive_id is not None
        and version.trial_asked_at is None
        and version.bot.owner_id is not None
        and bool(boards_to_try(version))
    )


def ask_for_trials(version: Version, *, by: User | None = None) -> None:
    """Request a new check of an accepted version for one of its owners, whose upload it counts as.

    Raises :class:`NotActivatable`, :class:`~bots.errors.LimitReached` and :class:`~bots.errors.OwnerGone`.
    """
    asker = by or version.bot.owner
    if version.trial_asked_at is not None:
        raise NotActivatable(gettext("%(version)s is already waiting for its check.") % {"version": version})
    if asker is None or not may_ask_for_trials(version):
        raise NotActivatable(gettext("%(version)s has nothing left to check.") % {"version": version})
    with transaction.atomic():
        lock_bot(version.bot, asker)
        count_attempt(asker)
        if _ask(version):
            note_deed(version.bot.deeds, by, BotDeed.What.RECHECKED, version=version)
            enqueue_check(version)


def ask_next_unknown() -> Version | None:
    """Request a check of the next version in play that was not tried on some board; None if there is none.

    Called after every check, so that when a game is added, earlier versions are tried one after the other.
    """
    if Version.objects.filter(status=Status.UPLOADED).exists():
        return None  # those wait for a first verdict; whoever checks the last of them calls this again
    if Version.objects.filter(trial_asked_at__isnull=False).exists():
        return None
    active = Version.objects.fit().active().filter(bot__is_house=False)
    unknown = active.annotate(tried=Count("trials")).filter(tried__lt=len(BOARDS)).order_by("pk").first()
    if unknown is None or not _ask(unknown):
        return None
    return unknown


def _ask(version: Version) -> bool:
    """Note that a check was requested; False if another request came first."""
    return bool(
        Version.objects.filter(pk=version.pk, status__in=PLAYABLE, trial_asked_at=None).update(
            trial_asked_at=timezone.now(), check_failures=0, check_not_before=None
        )
    )
