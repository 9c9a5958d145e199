"""Checks uploads, and accepted versions that are to be checked again."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from arena.common.messages import send
from bots.models import Trial
from bots.services import (
    CHECK_TASK,
    ask_next_unknown,
    boards_to_try,
    claim_check,
    record_check,
    record_trials,
    release_check,
)
from engine.boards import board_title
from tournaments.models import Alarm
from tournaments.services.alarms import clear_alarm, raise_alarm
from tournaments.services.playing.games import sandbox_just_failed
from tournaments.services.playing.patience import until_answered
from tournaments.services.playing.player import Interrupted, Unplayable
from tournaments.services.trials import try_boards
from tournaments.services.twins import ask_again

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bots.services import TrialReport

logger = logging.getLogger(__name__)

TOLD_WHOLE = 2
"""How many failed trials a check's log quotes in full. Each board also keeps its own full log."""


def check_version(version_id: int) -> bool:
    """Check a version that is waiting for it; False if it is not, or if it could not be checked now."""
    if sandbox_just_failed():
        return False
    version = claim_check(version_id)
    if version is None:
        return False
    try:
        reports = try_boards(version, boards_to_try(version))
    except Interrupted:
        until_answered(lambda: release_check(version), "a check given back")
        return False
    except Unplayable as error:
        logger.warning("%s could not be checked: %s", version, error)
        until_answered(lambda: release_check(version), "a check given back")
        raise_alarm(Alarm.Kind.SANDBOX if error.sandbox_down else Alarm.Kind.CHECK, "", str(error))
        return False
    clear_alarm(Alarm.Kind.SANDBOX, "")
    clear_alarm(Alarm.Kind.CHECK, "")
    if version.is_checked:
        until_answered(lambda: ask_again(version), "answers that are no longer right")
        return until_answered(lambda: record_trials(version, reports), "the verdict of a check")
    return until_answered(lambda: record_check(version, reports, summary(reports)), "the verdict of a check")


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
