"""The sentences of a sequential test's page."""

from dataclasses import asdict, replace

from analysis.sequential_standing import RULE, SequentialStanding, standing
from analysis.verdicts.sprt import Hypotheses
from kit.local.sequential_test import JudgedPair
from tournaments.models import Tournament
from tournaments.pages.events.sequential_tests import sentence

ASKED = Hypotheses(0, 20)
LEVEL = JudgedPair(2, 0.0, (0.0, 0.0))


def told(status: str, found: SequentialStanding) -> str:
    """The sentence of a test by results."""
    test = Tournament(status=status, options={**asdict(ASKED), "stop_by": "results"})
    return sentence(test, found, "new v2", "old v1")


def test_evidence_of_level_pairs_alone_is_told_to_decide_nothing() -> None:
    found = standing([LEVEL] * 200, ASKED, "results")
    assert told("running", found) == (
        "Open after 200 pairs by luck-adjusted wins, of which 0 were uneven (one version did better): the "
        "evidence is strong, but the test decides nothing before 20 pairs, at least 5 of them uneven."
    )
    assert told("finished", found).startswith("Undecided: after 200 pairs")


def test_what_an_older_rule_decided_stands_and_is_told_as_such() -> None:
    found = replace(standing([LEVEL] * 20, ASKED, "results"), ended=("H0", 20), rule=RULE - 1)
    assert (found.decision, found.decided_after, found.outdated) == ("H0", 20, True)
    words = told("finished", found)
    assert words.startswith("Rejected after 20 pairs by luck-adjusted wins: ")
    assert words.endswith("By today’s rule, these pairs are not enough evidence.")
    assert not replace(found, rule=RULE).outdated
    assert "today" not in told("finished", replace(found, rule=RULE))
