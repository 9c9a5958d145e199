"""Puzzles are sound: what was played is proved wrong, the solution right, and nothing is there twice."""

import random
from functools import cache
from itertools import islice

import pytest

import engine
from analysis.errors import BrokenRecord
from analysis.searches.puzzles import LONGEST, MissedWin, judge, key, puzzles
from engine.cards import SUIT_RELABELLINGS
from tests.factories.puzzles import WON, Played, games


@cache
def played() -> list[Played]:
    """A few games, most of them without a puzzle."""
    return list(islice(games(), 20))


def found() -> list[tuple[Played, MissedWin]]:
    """The puzzles in them."""
    return [(game, one) for game in played() for one in game.puzzles]


def test_at_least_one_game_in_twenty_has_a_puzzle() -> None:
    assert sum(bool(game.puzzles) for game in played()) >= len(played()) / 20


def test_what_was_played_is_proved_wrong_and_the_solution_right() -> None:
    for game, one in found():
        position = engine.TurnPosition.parse(one.position)
        assert one.seat == position.turn
        assert 0 < len(one.solution) <= LONGEST
        assert tuple(game.words[one.first : one.first + len(one.played)]) == one.played
        assert judge(position, one.solution).wins is True
        assert judge(position, one.played).wins is False


def test_the_reply_to_a_wrong_turn_wins_for_the_opponent() -> None:
    replies = 0
    for _, one in found():
        position = engine.TurnPosition.parse(one.position)
        reply = judge(position, one.played).reply
        if reply:
            after = engine.TurnGame(position)
            after.play(one.played)
            assert judge(after.position, reply).wins is True
            replies += 1
    assert replies


def test_a_game_cut_short_has_no_puzzle_of_its_unfinished_turn() -> None:
    game, one = found()[0]
    cut = game.words[: one.first + len(one.played) - 1]
    start = engine.TurnPosition.parse(game.start)
    assert one.first not in [each.first for each in puzzles(start, cut)]


def test_where_stop_may_be_called_there_are_none() -> None:
    assert puzzles(engine.TurnPosition.deal("crapette-it", "pz"), []) == []


def test_an_answer_is_one_whole_turn() -> None:
    position = engine.TurnPosition.parse(WON)
    assert judge(position, ("draw", "h-d")).wins is True
    for words in ((), ("draw",), ("draw", "h-d", "draw"), ("r-f",), ("stop",)):
        with pytest.raises(BrokenRecord):
            judge(position, words)


def test_the_same_position_has_the_same_key_however_its_houses_lie_and_its_suits_are_called() -> None:
    position = engine.TurnPosition.parse(WON)
    houses = list(position.houses)
    random.Random(1).shuffle(houses)
    moved = engine.TurnPosition.parse(
        str(position).replace("/".join(map("".join, position.houses)), "/".join(map("".join, houses)))
    )
    assert moved != position
    assert {key(moved.relabelled(suits)) for suits in SUIT_RELABELLINGS} == {key(position)}
    assert key(engine.TurnPosition.parse(WON.replace("0,2,0,.,.", "3,9,0,.,."))) == key(position)
    assert key(engine.TurnPosition.parse(WON.replace("5C4C", "5C").replace("9HKD", "9HKD4C"))) != key(
        position
    )
