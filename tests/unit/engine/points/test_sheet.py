"""The parts of a score are what the sources count, and add up to the outcome."""

import json
from pathlib import Path

import pytest

from engine import Position
from engine.points.sheet import Holding, Part, parts, totals
from engine.variants import Points

CONFORMANCE = Path(__file__).parents[3] / "conformance" / "data" / "games.jsonl"
SCORED = [
    case
    for case in map(json.loads, CONFORMANCE.read_text(encoding="ascii").splitlines())
    if case["players"] == 2 and any(case.get("score", {"points": ()})["points"])
]


def test_the_parts_of_every_game_with_points_add_up_to_its_outcome() -> None:
    assert {case["variant"] for case in SCORED} >= {"crapette", "crapette-it", "russian-bank", "vitesse"}
    for case in SCORED:
        position = Position.parse(case["position"])
        made = position.parts()
        outcome = position.outcome()
        assert outcome is not None
        assert totals(made) == outcome.points
        assert list(totals(made)) == case["score"]["points"]
        assert all(part.points for own in made for part in own)


def test_the_example_of_the_rules_is_ten_and_nine_and_thirteen_against_six() -> None:
    found = parts(Points.CRAPETTE, [Holding(0, 0, 3, emptied_first=True), Holding(2, 25, 2)], loser=1)
    assert [part.points for part in found[0]] == [10, 9, 13]
    assert found[1] == (Part("foundations", 2, 6),)
    assert totals(found) == (32, 6)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (Points.NONE, []),
        (Points.CARDS, [Part("cards", 7, 7), Part("reserve", 4, 8)]),
        (Points.RUSSIAN_BANK, [Part("win", 1, 30), Part("cards", 7, 7), Part("reserve", 4, 8)]),
    ],
)
def test_the_winner_is_paid_for_what_the_loser_holds(scheme: Points, expected: list[Part]) -> None:
    ends = [Holding(4, 7), Holding(0, 0)]
    assert parts(scheme, ends, loser=0) == ((), tuple(expected))
    assert parts(scheme, ends, loser=None) == ((), ())
