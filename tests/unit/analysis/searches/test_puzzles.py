"""Puzzles are sound: what was played is proved wrong, the solution right, and nothing is there twice."""

from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

import engine
from analysis.errors import BrokenRecord
from analysis.searches.puzzles import LONGEST, MissedWin, judge, key
from engine.cards import SUIT_RELABELLINGS
from tests.factories.puzzles import WON, Played, games


@cache
def found() -> list[tuple[Played, MissedWin]]:
    """The puzzles in a few games, most of them without any."""
    return [(game, one) for game in islice(games(), 20) for one in game.puzzles]


def test_what_was_played_is_proved_wrong_the_solution_right_and_the_reply_wins_for_the_opponent() -> None:
    replies = 0
    for game, one in found():
        position = engine.TurnPosition.parse(one.position)
        assert one.seat == position.turn
        assert 0 < len(one.solution) <= LONGEST
        assert tuple(game.words[one.first : one.first + len(one.played)]) == one.played
        assert judge(position, one.solution).wins is True
        wrong = judge(position, one.played)
        assert wrong.wins is False
        if wrong.reply:
            after = engine.TurnGame(position)
            after.play(one.played)
            assert judge(after.position, wrong.reply).wins is True
            replies += 1
    assert replies


def test_an_answer_is_one_whole_turn() -> None:
    position = engine.TurnPosition.parse(WON)
    assert judge(position, ("draw", "h-d")).wins is True
    for words in ((), ("draw",), ("draw", "h-d", "draw"), ("r-f",), ("stop",)):
        with pytest.raises(BrokenRecord):
            judge(position, words)


def test_the_same_position_has_the_same_key_however_its_houses_lie_and_its_suits_are_called() -> None:
    position = engine.TurnPosition.parse(WON)
    moved = replace(position, houses=position.houses[::-1])
    assert moved != position
    assert {key(moved.relabelled(suits)) for suits in SUIT_RELABELLINGS} == {key(position)}
    assert key(engine.TurnPosition.parse(WON.replace("0,2,0,.,.", "3,9,0,.,."))) == key(position)
    other = engine.TurnPosition.parse(WON.replace("5C4C", "5C").replace("9HKD", "9HKD4C"))
    assert key(other) != key(position)
