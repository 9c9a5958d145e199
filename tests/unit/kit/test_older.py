"""Verdicts and errors that an arena computed by an older rule still verify, as far as the rules agree."""

from typing import Any

import pytest

from analysis.ratings.elo import ANCHOR_ELO, fit
from analysis.ratings.match_arrays import Match
from analysis.sequential_standing import RULE
from analysis.verdicts.sprt import Hypotheses, judge
from kit.verify.findings import Findings
from kit.verify.older_rules import (
    NOT_BY_WINS,
    OLDER_DECISION,
    OLDER_ERRORS,
    OLDER_INTERVAL,
    check_test,
    widen,
)

SCORES = [4, 4, 2, 4, 4, 4]
ASKED = {"elo0": 0.0, "elo1": 200.0, "alpha": 0.1, "beta": 0.1}
JUDGED = judge(SCORES, Hypotheses.from_options(ASKED))
COMMON = {"pairs": JUDGED.pairs, "llr": JUDGED.llr, "decision": JUDGED.decision, "ended": JUDGED.decision}
NEW = {"rule": RULE, **COMMON, **JUDGED.difference.as_dict()}
OLD = {**COMMON, "elo": 1041.0, "low": 409.0, "high": 2400.0, "los": 1.0}


@pytest.mark.parametrize(
    ("verdict", "stop_by", "differs", "caveats"),
    [
        (NEW, "wins", "", []),
        ({**NEW, "elo": 1041.0}, "wins", "verdict.elo", []),
        ({**NEW, "high": 2400.0}, "wins", "verdict.high", []),
        ({**NEW, "ended": "H0"}, "wins", "verdict.ended", []),
        ({**NEW, "ended": "H0"}, "results", "", [NOT_BY_WINS]),
        (OLD, "wins", "", [OLDER_INTERVAL]),
        ({**OLD, "llr": 191.0}, "wins", "verdict.llr", [OLDER_INTERVAL]),
        ({**OLD, "ended": "H0"}, "margins", "", [OLDER_INTERVAL, OLDER_DECISION]),
    ],
)
def test_a_verdict_is_checked_by_the_rule_it_was_made_by(
    verdict: dict[str, Any], stop_by: str, differs: str, caveats: list[str]
) -> None:
    found = Findings()
    assert check_test({**ASKED, "stop_by": stop_by, "verdict": verdict}, SCORES, found) == caveats
    assert [one.field for one in found] == ([differs] if differs else [])


@pytest.mark.parametrize(("factor", "caveats"), [(1.0, []), (0.1, [OLDER_ERRORS]), (10.0, [])])
def test_only_errors_that_are_too_small_may_be_by_an_older_rule(factor: float, caveats: list[str]) -> None:
    fitted = fit([Match(0, 1, (0, 0, 20, 0, 0))], {1: ANCHOR_ELO})
    estimates = dict(zip(fitted.players, fitted.estimates, strict=True))
    told = {key: {"error": factor * one.error} for key, one in estimates.items()}
    assert widen(told, estimates) == caveats
    assert told[0]["error"] == pytest.approx(max(1.0, factor) * estimates[0].error)
