"""Reports the outcome of the steps in the style of pytest."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

WIDTH = 100


@dataclass
class Outcome:
    """How one step went: its duration and cost, test counts, exit code, and why it failed, if it did."""

    name: str
    seconds: float
    problem: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    processor_seconds: float = 0.0
    code: int = 0

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


def rule(text: str) -> str:
    """Return a line with a text in the middle."""
    return f" {text} ".center(WIDTH, "=")


def summary(outcomes: list[Outcome], seconds: float, busy: float, worked: float) -> str:
    """Return the closing table and line. ``busy`` is the share of the time in which the machine's processors
    computed, and ``worked`` how many seconds they did so, for whomever."""
    lines = [rule("steps")]
    for outcome in outcomes:
        state = "passed" if outcome.ok else "FAILED"
        note = outcome.problem or words(outcome.counts)
        took = f"{outcome.seconds:7.1f} s  {outcome.processor_seconds:7.1f} s CPU"
        lines.append(f"{outcome.name:<24} {state}  {took}  {note}")
    total: Counter[str] = Counter()
    for outcome in outcomes:
        # A check without tests of its own counts as one.
        total.update(outcome.counts or {"passed" if outcome.ok else "failed": 1})
    failed = [outcome.name for outcome in outcomes if not outcome.ok]
    lines += [f"FAILED {name}" for name in failed]
    used = sum(outcome.processor_seconds for outcome in outcomes)
    lines.append(
        f"The steps took {used:.0f} s of CPU, of {worked:.0f} s in which the machine's processors worked:"
        f" they were busy {busy:.0%} of the time."
    )
    lines.append(rule(f"{words(total)} in {seconds:.1f}s"))
    return "\n".join(lines)
