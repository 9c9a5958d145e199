"""The parts of a score are what the sources count, and add up to the outcome."""

import json
from pathlib import Path

from engine import Position
from engine.points.sheet import totals

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
