"""Checks uploads, and accepted versions that are to be checked again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from arena.web.alarms import clear_alarm, raise_alarm, sandbox_just_failed
from arena.web.db_retry import until_answered
from arena.web.models import Alarm
from arena.web.variants import board_title
from arena.web.worker_messages import send
from bots.models import Archive, PendingFile, Trial
from bots.port import field_changed, port
from bots.services import (
    CHECK_TASK,
    ask_next_unknown,
    boards_to_try,
    claim_check,
    claim_next_check,
    inspect_file,
    put_off_check,
    record_check,
    record_trials,
    release_check,
)
from bots.services.playing.player import Interrupted, Unplayable
from bots.services.playing.trials import all_failed, try_boards
from sandbox import SandboxUnavailable
from sandbox.inspections import InspectionsBusy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.models import Version
    from bots.services import TrialReport

logger = logging.getLogger(__name__)

TRIES = 3
"""A version fails its check if the playing process dies so often in it. Otherwise it would be checked for
ever, since that cannot be proved to be the machine's fault."""
TOLD_WHOLE = 2
"""How many failed trials a check's log quotes in full. Each board also keeps its own full log."""


def check_next() -> bool:
    """Check the version whose turn it is; False if none waits, or if it could not be checked now.

    A verdict lets the next check begin that nobody has asked for.
    """
    version = None if sandbox_just_failed() else claim_next_check()
    return version is not None and _carry_out(version)


def check_version(version_id: int) -> bool:
    """Check a version that is waiting for it, as :func:`check_next` does."""
    version = None if sandbox_just_failed() else claim_check(version_id)
    return version is not None and _carry_out(version)


def _carry_out(version: Version) -> bool:
    """Inspect the file of a version whose check is claimed, if that was not done, and try it."""
    boards = boards_to_try(version)
    try:
        if not version.is_inspected and not _inspected(version):
            return True
        reports = try_boards(version, boards)
    except InspectionsBusy:
        until_answered(lambda: put_off_check(version), "a check put off")
        return check_next()
    except Interrupted:
        until_answered(lambda: release_check(version), "a check given back")
        return False
    except Unplayable as error:
        logger.warning("%s could not be checked: %s", version, error)
        if not error.died or version.check_failures + 1 < TRIES:
            until_answered(lambda: release_check(version), "a check given back")
            # Its files may have gone with its owner a moment ago: that is no failure.
            if _has_files(version):
                raise_alarm(Alarm.Kind.SANDBOX if error.sandbox_down else Alarm.Kind.CHECK, "", str(error))
            return False
        reports = all_failed(version, boards, TRIES)
    for kind in (Alarm.Kind.SANDBOX, Alarm.Kind.CHECK):
        clear_alarm(kind, "")
    if not until_answered(lambda: _store(version, reports), "the verdict of a check"):
        return False
    field_changed()
    check_next_unknown()
    return True


def _has_files(version: Version) -> bool:
    sent = PendingFile.objects.filter(version=version.pk)
    return sent.exists() or Archive.objects.filter(versions=version.pk).exists()


def _inspected(version: Version) -> bool:
    """Whether there is something to try. Raises Unplayable and InspectionsBusy."""
    try:
        return inspect_file(version)
    except (SandboxUnavailable, OSError) as error:
        raise Unplayable(str(error), sandbox_down=isinstance(error, SandboxUnavailable)) from error


def _store(version: Version, reports: Sequence[TrialReport]) -> bool:
    """Store the verdict; False if there already was one. May be called twice."""
    if not version.is_checked:
        return record_check(version, reports, summary(reports))
    port().tried_again(version)
    return record_trials(version, reports)


def check_next_unknown() -> None:
    """Ask for a check of the next version in play that has not been tried on every board."""
    version = ask_next_unknown()
    if version is not None:
        send(CHECK_TASK, version.pk)


def summary(reports: Sequence[TrialReport]) -> str:
    """The results of all trials as text: one line for each board, and why some failed."""
    lines, whole = [], TOLD_WHOLE
    for one in reports:
        first, _, rest = one.log.partition("\n")
        lines.append(f"{board_title(one.board)}: {Trial.Verdict(one.verdict).label}. {first}")
        if one.verdict == Trial.Verdict.FAILED and whole and rest:
            whole -= 1
            lines.append(rest)
    return "\n".join(lines)
