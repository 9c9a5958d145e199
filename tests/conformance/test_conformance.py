"""The engine reproduces every line of the conformance data exactly (RULES 9).

A test takes a few dozen lines, because one for each of the thousands would cost more than what it checks.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine import Game, Position
from engine.cli import apply, deal_game, legal, score_line
from engine.errors import Unfinished

DATA = Path(__file__).parent / "data"
LINES = 50
"""Lines a test takes."""


def lines(name: str) -> list[Any]:
    """The numbered lines of a file in parameters of some lines each, named by file and numbers."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="ascii")
    found = list(enumerate(text.splitlines(), 1))
    parts = [found[at : at + LINES] for at in range(0, len(found), LINES)]
    return [pytest.param(part, id=f"{name}:{part[0][0]}-{part[-1][0]}") for part in parts]


def each(part: list[tuple[int, str]], check: Callable[[dict[str, Any]], None]) -> None:
    """Check every line; what is wrong with one does not hide what is wrong with the next."""
    wrong = []
    for number, line in part:
        try:
            check(json.loads(line))
        except Exception as error:  # a bad answer is as wrong as none
            wrong.append(f"line {number}: {type(error).__name__}: {error}")
    assert part
    assert not wrong, "\n".join(wrong)


def deal_line(case: dict[str, Any]) -> str:
    """What ``engine deal`` prints for the seed of a case."""
    game = deal_game(case["variant"], case["seed"], case["players"])
    return str(game.position)


@pytest.mark.parametrize("part", lines("deals"))
def test_a_seed_is_dealt_to_this_position(part: list[tuple[int, str]]) -> None:
    def check(case: dict[str, Any]) -> None:
        assert deal_line(case) == case["position"]

    each(part, check)


@pytest.mark.parametrize("part", lines("legal"))
def test_a_position_has_these_legal_moves(part: list[tuple[int, str]]) -> None:
    def check(case: dict[str, Any]) -> None:
        assert legal(case["position"]) == case["legal"]
        assert apply(case["position"] + "\t") == case["position"]

    each(part, check)


@pytest.mark.parametrize("part", lines("games"))
def test_a_game_ends_in_this_position_with_this_score(part: list[tuple[int, str]]) -> None:
    def check(case: dict[str, Any]) -> None:
        start = case.get("start") or deal_line(case)
        assert apply(f"{start}\t{case['moves']}") == case["position"]
        if "score" in case:
            assert json.loads(score_line(case["position"])) == case["score"]
            assert legal(case["position"]) == ""
        else:
            assert legal(case["position"])
            with pytest.raises(Unfinished):
                score_line(case["position"])

    each(part, check)


@pytest.mark.parametrize("part", lines("games"))
def test_a_game_can_be_taken_back_move_by_move(part: list[tuple[int, str]]) -> None:
    def check(case: dict[str, Any]) -> None:
        start = Position.parse(case.get("start") or deal_line(case))
        replay = Game.replay(start, case["moves"].split())
        assert replay.error is None
        for _ in range(replay.played):
            replay.game.pop()
        assert replay.game.position == start
        assert replay.game.history == ()

    each(part, check)


@pytest.mark.parametrize("part", lines("perft"))
def test_a_deal_has_these_many_sequences_of_moves(part: list[tuple[int, str]]) -> None:
    def check(case: dict[str, Any]) -> None:
        game = deal_game(case["variant"], case["seed"], case["players"])
        assert [game.perft(depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]

    each(part, check)
