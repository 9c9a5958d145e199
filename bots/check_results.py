"""What checks showed: the verdict on a version, and what its trials on each board said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.web.variants import board_title
from bots.models import CheckReport, Trial, Version
from engine.boards import BOARDS, board_name

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_report(version: Version) -> CheckReport | None:
    """The verdict on ``version``, if there is one."""
    return CheckReport.objects.filter(version=version).first()


def board_trials(version: Version) -> list[Trial]:
    """What the version's trials showed, in the order of the boards."""
    found = {one.board: one for one in version.trials.defer("record")}
    return [found[board] for board in BOARDS if board in found]


def passed_boards(version: Version) -> list[str]:
    """The boards on which the version plays."""
    return [one.board for one in board_trials(version) if one.verdict == Trial.Verdict.PASSED]


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
        for one in board_trials(version)
    ]


def shared_failure(rows: Sequence[TrialRow]) -> TrialRow | None:
    """The first of several trials that all failed, and for the same reason: one has to be read."""
    told = {(one.verdict, one.first, one.rest) for one in rows}
    return rows[0] if len(rows) > 1 and len(told) == 1 and rows[0].verdict == Trial.Verdict.FAILED else None


def check_evidence(report: CheckReport | None) -> list[dict[str, Any]]:
    """Return the version's evidence from each seat of its check game; empty if there is none."""
    kept = report.record.get("evidence") if report is not None and isinstance(report.record, dict) else None
    return [seat for seat in kept if isinstance(seat, dict)] if isinstance(kept, list) else []


def recorded_board(report: CheckReport | None) -> str:
    """The title of the board whose check game was kept; empty if none was."""
    record = report.record if report is not None and isinstance(report.record, dict) else {}
    return board_title(board_name(record["variant"], record.get("players", 2))) if "variant" in record else ""


def forfeiting_seat(report: CheckReport | None) -> int | None:
    """Return the seat that forfeited the check game, if any."""
    result = report.record.get("result") if report is not None and isinstance(report.record, dict) else None
    return result.get("seat") if isinstance(result, dict) else None
