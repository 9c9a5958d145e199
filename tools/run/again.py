"""A second run for the few tests that failed while the whole machine was at work.

Tests with servers, sandboxes and browsers share two processors with three other steps. One of them that
waited too long says little about the product, and it throws a whole run away. So at most `MOST` of them are
run once more, alone, when everything else has ended. If they pass, the run passes, and its report names them
with their first failure. Nothing is hidden: more failures than that, a second failure, or a failure of any
other kind fails the run, and steps that only compute have no second run.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.run.failing import FailedTests
    from tools.run.report import Outcome
    from tools.run.steps import Step

MOST: Final = 3
"""Failed tests of one whole run that get a second run."""
FAILED: Final = 1
"""pytest's exit code for "all tests were run, and some failed"."""


def second_runs(outcomes: Iterable[Outcome], steps: Sequence[Step]) -> list[tuple[Step, Outcome]]:
    """Return the steps to run again with what came of them; none if the run has failed in any case."""
    by_name = {step.name: step for step in steps}
    failed = [outcome for outcome in outcomes if not outcome.ok]
    tests = sum(len(outcome.failed.tests) for outcome in failed)
    if tests > MOST or not all(_by_tests_alone(by_name[outcome.name], outcome) for outcome in failed):
        return []
    return [(by_name[outcome.name], outcome) for outcome in failed]


def _by_tests_alone(step: Step, outcome: Outcome) -> bool:
    """Whether a step failed by tests that have a second run, and by nothing else."""
    failed = step.again and outcome.code == FAILED and bool(outcome.failed.tests)
    return failed and not outcome.counts["skipped"]


def of_failed(step: Step, failed: FailedTests) -> Step:
    """Return a step that runs only what failed in another, in one process, with the same random numbers."""
    program, *words = step.command
    # The folders and files with tests are the words that are there.
    options = [word for word in words if not (ROOT / word).exists()]
    alone = ["-n0"] if "-n" in options else []
    seed = [] if failed.seed is None else [f"--randomly-seed={failed.seed}"]
    command = (program, *options, *alone, *seed, *(test.address for test in failed.tests))
    return replace(step, name=f"{step.name}, second run", command=command)


def both(first: Outcome, second: Outcome) -> Outcome:
    """Return what came of a step whose failed tests were run a second time."""
    outcome = replace(
        first,
        seconds=first.seconds + second.seconds,
        processor_seconds=first.processor_seconds + second.processor_seconds,
    )
    names = len(first.failed.tests)
    if second.problem:
        outcome.problem = f"{first.problem}; run once more, alone: {second.problem}"
    elif second.counts != Counter(passed=names):
        outcome.problem = (
            f"{first.problem}; run once more, expected {names} tests, got {second.counts.total()}"
        )
    else:
        outcome.problem = ""
        outcome.counts = first.counts - Counter({name: first.counts[name] for name in ("failed", "errors")})
        outcome.counts["passed"] += names
        outcome.passed_again = first.failed.tests
    return outcome
