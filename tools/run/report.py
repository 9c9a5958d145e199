"""Reports the outcome of the steps in the style of pytest."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tools.run.failing import FailedTest, FailedTests

WIDTH = 100
SHOWN_LINES = 12
"""Of a failure that a second run did not confirm; all of it stands where its step ended."""


@dataclass
class Outcome:
    """The outcome of one step: its duration and cost, its test counts, and why it failed, if it did.

    `code` is its exit code, and `failed` are the tests that failed, where they get a second run.
    `passed_again` passed only in that.
    """

    name: str
    seconds: float
    problem: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    processor_seconds: float = 0.0
    code: int = 0
    failed: FailedTests = field(default_factory=FailedTests)
    passed_again: tuple[FailedTest, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the step passed."""
        return not self.problem


def counted(path: Path) -> Counter[str]:
    """Return the counts in a pytest report in JUnit format; empty if there is none."""
    counts: Counter[str] = Counter()
    if not path.exists():
        return counts
    for suite in ElementTree.parse(path).getroot().iter("testsuite"):
        numbers = {name: int(suite.get(name, "0")) for name in ("tests", "failures", "errors", "skipped")}
        counts["failed"] += numbers["failures"]
        counts["errors"] += numbers["errors"]
        counts["skipped"] += numbers["skipped"]
        counts["passed"] += numbers["tests"] - sum(
            numbers[name] for name in ("failures", "errors", "skipped")
        )
    return counts


def words(counts: Counter[str]) -> str:
    """Return counts in pytest's style: "1 failed, 12 passed"."""
    return ", ".join(
        f"{counts[name]} {name}" for name in ("failed", "passed", "skipped", "errors") if counts[name]
    )


def _note(outcome: Outcome) -> str:
    """What the table says of a step."""
    if not outcome.ok:
        return outcome.problem
    again = f", {len(outcome.passed_again)} of them only in the second run" if outcome.passed_again else ""
    return words(outcome.counts) + again


def _first_failure(test: FailedTest) -> list[str]:
    """A test that passed only in the second run, with what it said in the first."""
    said = test.said.splitlines()
    errors = [line for line in said if line.startswith("E ")] or said[-SHOWN_LINES:]
    lines = [f"PASSED ONLY IN THE SECOND RUN {test.name}", *errors[:SHOWN_LINES]]
    return [*lines, said[-1]] if said and said[-1] not in lines else lines


def rule(text: str) -> str:
    """Return a line with a text in the middle."""
    return f" {text} ".center(WIDTH, "=")


def summary(outcomes: list[Outcome], seconds: float, busy: float, worked: float) -> str:
    """Return the closing table and line. ``busy`` is the share of the time in which the machine's processors
    computed, and ``worked`` how many seconds they did so, for whomever."""
    lines = [rule("steps")]
    for outcome in outcomes:
        state = "passed" if outcome.ok else "FAILED"
        note = _note(outcome)
        took = f"{outcome.seconds:7.1f} s  {outcome.processor_seconds:7.1f} s CPU"
        lines.append(f"{outcome.name:<24} {state}  {took}  {note}")
    total: Counter[str] = Counter()
    for outcome in outcomes:
        # A check without tests of its own counts as one.
        total.update(outcome.counts or {"passed" if outcome.ok else "failed": 1})
    failed = [outcome.name for outcome in outcomes if not outcome.ok]
    lines += [f"FAILED {name}" for name in failed]
    again = [test for outcome in outcomes for test in outcome.passed_again]
    lines += [line for test in again for line in _first_failure(test)]
    used = sum(outcome.processor_seconds for outcome in outcomes)
    lines.append(
        f"The steps took {used:.0f} s of CPU, of {worked:.0f} s in which the machine's processors worked:"
        f" they were busy {busy:.0%} of the time."
    )
    only = f" ({len(again)} only in the second run)" if again else ""
    lines.append(rule(f"{words(total)}{only} in {seconds:.1f}s"))
    return "\n".join(lines)
