"""Verifies what an arena may have computed by an older rule: verdicts of tests, and errors of ratings.

What the rules have in common is compared in any case. For the rest, a caveat says what was not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from analysis.sequential_standing import RULE
from analysis.verdicts.sequential import WINS
from analysis.verdicts.sprt import Hypotheses, judge
from kit.verify.findings import alike

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.ratings.elo import Estimate
    from kit.verify.findings import Findings

NOT_BY_WINS: Final = (
    "Results or margins without luck ended this test, and a bundle contains no luck. Proved: what wins said."
)
OLDER_DECISION: Final = f"{NOT_BY_WINS} An older rule decided it, by which level pairs alone were evidence."
OLDER_INTERVAL: Final = (
    "The verdict's Elo, interval and likelihood are by an older rule and were not computed again. "
    "Proved: its pairs, ratio and decision."
)
OLDER_ERRORS: Final = (
    "Some errors of ratings are by an older rule, which made them too small, and were not compared."
)


def check_test(options: Mapping[str, Any], scores: Sequence[int], found: Findings) -> list[str]:
    """Check the verdict of a finished sequential test; return caveats."""
    told = options["verdict"]
    older = told.get("rule", 1) < RULE
    verdict = judge(scores, Hypotheses.from_options(options), doubted=not older)
    for name in ("pairs", "llr", "decision"):
        found.same("test", f"verdict.{name}", getattr(verdict, name), told[name])
    if not older:
        for name, value in verdict.difference.as_dict().items():
            found.same("test", f"verdict.{name}", value, told[name])
    caveats = [OLDER_INTERVAL] if older else []
    if options.get("stop_by", WINS) != WINS:
        return [*caveats, OLDER_DECISION if older else NOT_BY_WINS]
    found.same("test", "verdict.ended", verdict.decision, told.get("ended", told["decision"]))
    return caveats


def widen(told: dict[int, dict[str, Any]], estimates: Mapping[int, Estimate]) -> list[str]:
    """Take today's errors where published ones are narrower; return a caveat if there were any."""
    caveats = []
    for key in told.keys() & estimates.keys():
        error, published = estimates[key].error, told[key]["error"]
        if published < error and not alike(error, published):
            told[key] = {**told[key], "error": error}
            caveats = [OLDER_ERRORS]
    return caveats
