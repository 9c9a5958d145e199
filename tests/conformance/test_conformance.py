"""The engine reproduces every line of the conformance data exactly (RULES 9)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine import Game, Position
from engine.cli import apply, dealt, legal, scored
from engine.errors import Unfinished

DATA = Path(__file__).parent / "data"


def lines(name: str) -> list[Any]:
    """The objects of a file, each a parameter named by file and line."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="ascii")
    return [
        pytest.param(json.loads(line), id=f"{name}:{number}")
        for number, line in enumerate(text.splitlines(), 1)
    ]


def deal_line(case: dict[str, Any]) -> str:
    """What ``engine deal`` prints for the seed of a case."""
    game = dealt(case["variant"], case["seed"], case["players"])
    return str(game.position)


@pytest.mark.parametrize("case", lines("deals"))
def test_a_seed_is_dealt_to_this_position(case: dict[str, Any]) -> None:
    assert deal_line(case) == case["position"]


@pytest.mark.parametrize("case", lines("legal"))
def test_a_position_has_these_legal_moves(case: dict[str, Any]) -> None:
    assert legal(case["position"]) == case["legal"]
    assert apply(case["position"] + "\t") == case["position"]


@pytest.mark.parametrize("case", lines("games"))
def test_a_game_ends_in_this_position_with_this_score(case: dict[str, Any]) -> None:
    start = case.get("start") or deal_line(case)
    assert apply(f"{start}\t{case['moves']}") == case["position"]
    if "score" in case:
        assert json.loads(scored(case["position"])) == case["score"]
        assert legal(case["position"]) == ""
    else:
        assert legal(case["position"])
        with pytest.raises(Unfinished):
            scored(case["position"])


@pytest.mark.parametrize("case", lines("games"))
def test_a_game_can_be_taken_back_move_by_move(case: dict[str, Any]) -> None:
    start = Position.parse(case.get("start") or deal_line(case))
    replay = Game.replay(start, case["moves"].split())
    assert replay.error is None
    for _ in range(replay.played):
        replay.game.pop()
    assert replay.game.position == start
    assert replay.game.history == ()


@pytest.mark.parametrize("case", lines("perft"))
def test_a_deal_has_these_many_sequences_of_moves(case: dict[str, Any]) -> None:
    game = dealt(case["variant"], case["seed"], case["players"])
    assert [game.perft(depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]
