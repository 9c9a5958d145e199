"""What ``crapette sprt`` says beside its verdict."""

import pytest

from analysis.verdicts.sequential import MARGINS, RESULTS, WINS, by_margins, by_results
from analysis.verdicts.sprt import Hypotheses, judge
from kit.local.sprt import describe_length, describe_wait


@pytest.mark.parametrize(
    ("ends", "most", "said"),
    [
        ((0, 20), 50, "If they are close, it is likely to be undecided after 50 pairs of games."),
        ((0, 20), 20_000, "If they are close, this takes about 1,311 pairs of games."),
        ((-200, 200), 2_000, "If they are close, this takes about 6 pairs of games."),
    ],
)
def test_the_length_is_that_of_the_test_not_of_its_limit(
    ends: tuple[float, float], most: int, said: str
) -> None:
    assert describe_length(Hypotheses(*ends), most) == said


def test_evidence_beyond_a_bound_that_decides_nothing_is_explained() -> None:
    asked = Hypotheses(0, 100)
    level = by_results([0.0] * 200, asked)
    assert (level.decision, level.early) == ("", True)
    assert describe_wait(RESULTS, level) == (
        "By luck-adjusted wins nothing is decided before 20 pairs, at least 5 of them uneven: "
        "so far 200 pairs, 0 uneven (one version did better)."
    )
    early = by_margins([10.0, 11.0] * 10, asked)
    assert (early.decision, early.early) == ("", True)
    assert "before 50 pairs" in describe_wait(MARGINS, early)
    assert not by_margins([10.0, 11.0] * 40, asked).early
    assert describe_wait(WINS, judge([2] * 60, Hypotheses(0, 20))) == (
        "By wins more evidence is needed with fewer than 30 uneven pairs: so far 60 pairs, "
        "0 uneven (one version did better)."
    )
