"""The way of a check: it is enqueued, claimed and run, and its verdict is recorded.

It is the first check of an upload, which begins with the inspection of its file, or another one of an
accepted version, which stays accepted meanwhile. What a check does with a version, the process that plays
gives to it (`bots.playing.trials.examine`): pages, which enqueue checks, know nothing that plays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Case, Count, F, IntegerField, When
from django.utils.translation import gettext, gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.audit_log import add_audit_entry
from arena.web.database import database_clock
from arena.web.database.db_retry import until_answered
from arena.web.i18n.phrases import fill
from arena.web.models import Alarm
from arena.web.processes.alarms import clear_alarm, raise_alarm, sandbox_just_failed
from arena.web.variants import board_title
from arena.web.worker_messages import send
from bots.check_queue import check_queue, versions_to_check
from bots.check_results import passed_boards
from bots.errors import Interrupted, NotActivatable, Unplayable
from bots.follows import note_release
from bots.limits import count_attempt
from bots.locks import lock_bot, lock_with_owners
from bots.models import PLAYABLE, Archive, BotAuditEntry, CheckReport, PendingFile, Status, Trial, Version
from bots.port import field_changed, port
from bots.versions import choose_active
from engine.boards import BOARDS
from sandbox.inspections import InspectionsBusy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analysis.game_record import Checked
    from arena.accounts.models import User

logger = logging.getLogger(__name__)

CHECK_TASK = "bots.check_version"
CHECK_UNKNOWN_TASK = "bots.check_unknown"
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(hours=1)
BUSY_PAUSE = timedelta(seconds=2)
TRIES: Final = 3
"""A version fails its check if the process that makes it dies so often without a word. Otherwise it would be
checked for ever, since that cannot be proved to be the machine's fault."""
QUOTED_WHOLE: Final = 2
"""How many failed trials a check's log quotes in full. Each board also keeps its own full log."""
CHECK_SECONDS: Final = 20
"""Wall time for all trials of a check together."""
LADDER_CLOCK: Final = (60_000, 500)
"""The clock of ladders, and so of trials: milliseconds in the bank, and added after each turn."""
CLOCK_WORDS: Final = gettext_lazy("60 seconds of CPU time per game, plus half a second per turn")
NOTICES: Final = {
    Status.ACCEPTED: gettext_lazy("%(version)s is accepted."),
    Status.PARTLY: gettext_lazy(
        "%(version)s is partly accepted: it failed on %(failed)s of %(tried)s boards."
    ),
    Status.REJECTED: gettext_lazy("%(version)s is rejected."),
}


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


Examine = Callable[["Version", Sequence[str]], "list[TrialReport] | None"]
"""Inspects the file of a claimed version, if that was not done, and tries it on boards: the reports, or None
if there is nothing to try. Raises Unplayable and InspectionsBusy."""


# Enqueued, and asked for again.


def enqueue_check(version: Version) -> None:
    """Ask for the check of ``version`` once the transaction is committed."""
    transaction.on_commit(partial(_send, version.pk))


def _send(version_id: int) -> None:
    send(CHECK_TASK, version_id)


def boards_to_try(version: Version) -> list[str]:
    """The boards to try a claimed version on: all, or those it does not play on yet."""
    if version.status not in PLAYABLE or version.is_benched:
        return list(BOARDS)
    passed = passed_boards(version)
    return [board for board in BOARDS if board not in passed]


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
    if version.is_remote:
        raise NotActivatable(
            gettext("%(bot)s is a remote bot: there are no files to check.") % {"bot": version.bot.name}
        )
    if version.trial_asked_at is not None:
        raise NotActivatable(gettext("%(version)s is already waiting for its check.") % {"version": version})
    if asker is None or not may_ask_for_trials(version):
        raise NotActivatable(gettext("%(version)s has nothing left to check.") % {"version": version})
    with transaction.atomic():
        lock_bot(version.bot, asker)
        count_attempt(asker)
        if _ask(version):
            add_audit_entry(version.bot.audit_log, by, BotAuditEntry.What.RECHECKED, version=version)
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
    again = {"check_failures": 0, "check_deaths": 0, "check_not_before": None}
    unasked = Version.objects.filter(pk=version.pk, status__in=PLAYABLE, trial_asked_at=None)
    return bool(unasked.update(trial_asked_at=database_clock.now(), **again))


def check_next_unknown() -> None:
    """Send for a check of the next version in play that has not been tried on every board."""
    version = ask_next_unknown()
    if version is not None:
        send(CHECK_TASK, version.pk)


# Claimed, and given back.


def claim_check(version_id: int) -> Version | None:
    """Claim a check. Return the version, or None if it is done, gone or claimed by another worker.

    If an earlier claim ran out, the process that had it died.
    """
    now = database_clock.now()
    due = versions_to_check(now).filter(pk=version_id)
    claimed = due.exclude(status__in=PLAYABLE).update(
        status=Status.CHECKING, check_started_at=now, check_deaths=_one_more_if(status=Status.CHECKING)
    ) or due.filter(status__in=PLAYABLE).update(
        check_started_at=now, check_deaths=_one_more_if(check_started_at__gte=F("trial_asked_at"))
    )
    return Version.objects.select_related("bot").get(pk=version_id) if claimed else None


def _one_more_if(**died: Any) -> Case:
    return Case(When(**died, then=F("check_deaths") + 1), default="check_deaths", output_field=IntegerField())


def claim_next_check() -> Version | None:
    """Claim the check whose turn it is. Return its version, or None if none waits."""
    return next(filter(None, map(claim_check, check_queue())), None)


def put_off_check(version: Version) -> None:
    """Give a claimed check back whose file cannot be inspected while this host inspects others."""
    mine = Version.objects.filter(pk=version.pk, status=Status.CHECKING)
    pause = {"check_started_at": None, "check_not_before": database_clock.now() + BUSY_PAUSE}
    if mine.filter(check_started_at=version.check_started_at).update(status=Status.UPLOADED, **pause):
        send(CHECK_TASK, version.pk, delay_seconds=BUSY_PAUSE.total_seconds())


def release_check(version: Version, *, died: bool = False) -> None:
    """Release a claimed check after a failure of the arena, so that it is repeated.

    It waits longer each time, so that a version that cannot be checked does not block others. ``died`` says
    that the process which made it ended without a word.
    """
    pause = min(FIRST_PAUSE * 4**version.check_failures, LONGEST_PAUSE)
    again = {
        "check_started_at": None,
        "check_failures": version.check_failures + 1,
        "check_deaths": version.check_deaths + died,
        "check_not_before": database_clock.now() + pause,
    }
    mine = Version.objects.filter(pk=version.pk)
    mine.filter(status=Status.CHECKING).update(status=Status.UPLOADED, **again)
    mine.filter(status__in=PLAYABLE, trial_asked_at__isnull=False).update(**again)


def release_all_checks() -> None:
    """Release every claimed check: the only process that makes any has died, and starts again."""
    died = {"check_started_at": None, "check_deaths": F("check_deaths") + 1}
    Version.objects.filter(status=Status.CHECKING).update(status=Status.UPLOADED, **died)
    again = Version.objects.filter(status__in=PLAYABLE, check_started_at__gte=F("trial_asked_at"))
    again.update(**died)


# Run.


def check_next(examine: Examine) -> bool:
    """Check the version whose turn it is; False if none waits, or if it could not be checked now.

    A verdict lets the next check begin that nobody has asked for.
    """
    version = None if sandbox_just_failed() else claim_next_check()
    return version is not None and run_check(version, examine)


def run_check(version: Version, examine: Examine) -> bool:
    """Examine a version whose check is claimed, and record the verdict; False if that was not possible."""
    boards = boards_to_try(version)
    try:
        reports = _all_failed(version, boards) if version.check_deaths >= TRIES else examine(version, boards)
    except InspectionsBusy:
        until_answered(lambda: put_off_check(version), "a check put off")
        return check_next(examine)
    except Interrupted:
        until_answered(lambda: release_check(version), "a check given back")
        return False
    except Unplayable as error:
        logger.warning("%s could not be checked: %s", version, error)
        died = error.died
        if version.check_deaths + died < TRIES or not died:
            until_answered(lambda: release_check(version, died=died), "a check given back")
            # Its files may have gone with its owner a moment ago: that is no failure.
            if _has_files(version):
                raise_alarm(Alarm.Kind.SANDBOX if error.sandbox_down else Alarm.Kind.CHECK, "", str(error))
            return False
        reports = _all_failed(version, boards)
    if reports is None:
        return True
    for kind in (Alarm.Kind.SANDBOX, Alarm.Kind.CHECK):
        clear_alarm(kind, "")
    if not until_answered(lambda: _record(version, reports), "the verdict of a check"):
        return False
    field_changed()
    check_next_unknown()
    return True


def _all_failed(version: Version, boards: Sequence[str]) -> list[TrialReport] | None:
    """The reports of a version in whose checks the process died so often; None for a file that nobody could
    inspect for that, which is refused."""
    logger.error("the process that checks died in %s checks of %s", TRIES, version)
    if not version.is_inspected:
        sentence = gettext(
            "The inspection of this file crashed %(times)s times. Change the file, and upload it again."
        ) % {"times": TRIES}
        until_answered(partial(record_refusal, version, sentence), "the refusal of an upload")
        return None
    why = f"The process that plays died in each of {TRIES} checks of this version."
    return [TrialReport(board, Trial.Verdict.FAILED, why) for board in boards]


def _has_files(version: Version) -> bool:
    sent = PendingFile.objects.filter(version=version.pk)
    return sent.exists() or Archive.objects.filter(versions=version.pk).exists()


# Recorded.


def _record(version: Version, reports: Sequence[TrialReport]) -> bool:
    """Record the verdict; False if there already was one. May be called twice."""
    if not version.is_checked:
        return record_check(version, reports, summary(reports))
    port().tried_again(version)
    return record_trials(version, reports)


def summary(reports: Sequence[TrialReport]) -> str:
    """The results of all trials as text: one line for each board, and why some failed."""
    lines, whole = [], QUOTED_WHOLE
    for one in reports:
        first, _, rest = one.log.partition("\n")
        lines.append(f"{board_title(one.board)}: {Trial.Verdict(one.verdict).label}. {first}")
        if one.verdict == Trial.Verdict.FAILED and whole and rest:
            whole -= 1
            lines.append(rest)
    return "\n".join(lines)


@transaction.atomic
def record_check(version: Version, reports: Sequence[TrialReport], log: str) -> bool:
    """Store the verdict. Return False if there already was one, which stands.

    Another worker may have given it, or the owner has left while the check was going on.

    A version that passed on some board may play there, and does so if its author wished it and none that was
    activated after its upload passed there, too. The boards on which it did not pass keep the version they
    have.
    """
    bot = lock_with_owners(version.bot_id)
    status = _status_of(one.verdict for one in reports)
    unchecked = Version.objects.filter(pk=version.pk, status__in=[Status.UPLOADED, Status.CHECKING])
    if bot is None or not unchecked.update(status=status):
        return False
    record = next((one.record for one in reports if one.record), None)
    CheckReport.objects.create(version=version, accepted=status in PLAYABLE, log=log, record=record)
    store_trials(version, [one.without_record() if one.record is record else one for one in reports])
    version.refresh_from_db(fields=["status"])
    failed = sum(one.verdict == Trial.Verdict.FAILED for one in reports)
    _tell_verdict(version, bot.owner_keys, failed=failed, tried=len(reports))
    if status in PLAYABLE and version.activate_when_accepted:
        Version.objects.filter(pk=version.pk).update(activated_at=F("created_at"))
        choose_active(version.bot_id)
        if version.active_on.exists():
            note_release(version)
    return True


@transaction.atomic
def record_refusal(claimed: Version, sentence: str) -> bool:
    """Reject a version whose file is no bot; False, as there is nothing to try."""
    version = lock_claimed(claimed)
    if version is not None:
        Version.objects.filter(pk=version.pk).update(status=Status.REJECTED)
        version.status = Status.REJECTED
        PendingFile.objects.filter(version=version.pk).delete()
        CheckReport.objects.create(version=version, accepted=False, log=sentence)
        _tell_verdict(version, version.bot.owner_keys)
    return False


def lock_claimed(claimed: Version) -> Version | None:
    """The version as it is now, locked with its bot and owners; None if the claim on its check is lost, or if
    its file has been inspected."""
    lock_with_owners(claimed.bot_id)
    rows = Version.objects.select_for_update(of=("self",), no_key=True).select_related(
        "bot__owner", "uploaded_by"
    )
    claim = {"status": Status.CHECKING, "check_started_at": claimed.check_started_at}
    return rows.filter(pk=claimed.pk, sha256="", **claim).first()


def _tell_verdict(version: Version, owners: Iterable[int], **numbers: int) -> None:
    words = fill(NOTICES[Status(version.status)], version=version, **numbers)
    tell(owners, Kind.CHECKED, f"check {version.pk}", words, version.get_absolute_url())


def _status_of(verdicts: Iterable[str]) -> Status:
    """What a version with these verdicts is."""
    given = set(verdicts)
    if Trial.Verdict.PASSED not in given:
        return Status.REJECTED
    return Status.PARTLY if Trial.Verdict.FAILED in given else Status.ACCEPTED


def store_trials(version: Version, reports: Sequence[TrialReport]) -> None:
    """Replace earlier results on the same boards by these. Call in a transaction."""
    version.trials.filter(board__in=[one.board for one in reports]).delete()
    now = database_clock.now()
    Trial.objects.bulk_create(
        Trial(version=version, board=one.board, verdict=one.verdict, log=one.log, record=one.record, at=now)
        for one in reports
    )


@transaction.atomic
def record_trials(version: Version, reports: Sequence[TrialReport]) -> bool:
    """Store the new trials of an accepted version; False if that was already done.

    A benched version returns if it passed any of them. What was accepted once is never rejected.
    """
    bot = lock_with_owners(version.bot_id)
    done: dict[str, Any] = {"trial_asked_at": None, "check_not_before": None}
    asked = Version.objects.filter(pk=version.pk, status__in=PLAYABLE, trial_asked_at__isnull=False)
    if not asked.update(check_failures=0, check_deaths=0, **done):
        return False
    if bot is None or bot.is_departed:
        return False
    store_trials(version, reports)
    failed = version.trials.filter(verdict=Trial.Verdict.FAILED).exists()
    Version.objects.filter(pk=version.pk).update(status=Status.PARTLY if failed else Status.ACCEPTED)
    tell(
        bot.owner_keys,
        Kind.CHECKED,
        f"check {version.pk} of {database_clock.now().isoformat()}",
        fill(gettext_lazy("The new check of %(version)s is finished."), version=version),
        version.get_absolute_url(),
    )
    if any(one.passed for one in reports):
        # Not a bench that came while it was being tried.
        Version.objects.filter(
            pk=version.pk, benched_at__lt=version.check_started_at or database_clock.now()
        ).update(benched_at=None, benched_because="", crashes_since=database_clock.now())
    choose_active(version.bot_id)
    return True
