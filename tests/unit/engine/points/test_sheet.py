"""The parts of a score are what the sources count, and add up to the outcome."""

import json
from pathlib import Path

from engine import Position
from engine.points.sheet import Holding, Part, parts, totals
from engine.variants import Points

CONFORMANCE = Path(__file__).parents[3] / "conformance" / "data" / "games.jsonl"


def test_the_parts_of_every_game_with_points_add_up_to_its_outcome() -> None:
    cases = [json.loads(line) for line in CONFORMANCE.read_text(encoding="ascii").splitlines()]
    scored = [one for one in cases if one["players"] == 2 and any(one.get("score", {"points": ()})["points"])]
    assert {one["variant"] for one in scored} >= {"crapette", "crapette-it", "russian-bank", "vitesse"}
    for case in scored:
        position = Position.parse(case["position"])
        made, outcome = position.parts(), position.outcome()
        assert outcome is not None
        assert [*totals(made)] == [*outcome.points] == case["score"]["points"]
        assert all(part.points for own in made for part in own)


def test_the_example_of_the_rules_is_ten_and_nine_and_thirteen_against_six() -> None:
    found = parts(Points.CRAPETTE, [Holding(0, 0, 3, emptied_first=True), Holding(2, 25, 2)], loser=1)
    assert [part.points for part in found[0]] == [10, 9, 13]
    assert found[1] == (Part("foundations", 2, 6),)
    assert totals(found) == (32, 6)


def test_the_winner_is_paid_for_what_the_loser_holds() -> None:
    ends, paid = [Holding(4, 7), Holding(0, 0)], (Part("cards", 7, 7), Part("reserve", 4, 8))
    for scheme, expected in (
        (Points.NONE, ()),
        (Points.CARDS, paid),
        (Points.RUSSIAN_BANK, (Part("win", 1, 30), *paid)),
    ):
        assert parts(scheme, ends, loser=0) == ((), expected)
        assert parts(scheme, ends, loser=None) == ((), ())
