"""Games with a puzzle in them, and a puzzle with a short answer."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import engine
from analysis.searches import puzzles as found
from analysis.searches.puzzles import key, puzzles
from analysis.values.public_game import Table
from engine.policies import planner
from engine.policies.greedy import greedily
from engine.turns.moves import texts
from friendlies.puzzles.models import Puzzle

WON = (
    "crapette 1 play - KSQS/9H8H7H6H5H4H3H/JSTS9S/KHQH/9D8D7D/KC/QD/5C4C 6,1/6,1/13,5/10,2 ././9HKD"
    " 6S5S/QCKC9C8H7H6DJHQHKH2S3CJD3SQC7S8S7S8S9STSJSQS6C7CTHJHKSJCTCJC2HTH8C/TD4S 0,2,0,.,. 1,0/0/."
)
"""Seat 1 wins by drawing a card and discarding it."""
RIGHT, WRONG = ["draw", "h-d"], ["t7-d0", "r-t7", "d-t7", "draw", "h-d"]


class Played(NamedTuple):
    """A whole game, and the puzzles in it."""

    start: str
    words: list[str]
    puzzles: list[found.MissedWin]


def games(variant: str = "crapette") -> Iterator[Played]:
    """Games of the planner against the greedy bot, deal after deal."""
    for deal in range(100):
        start = engine.TurnPosition.deal(variant, f"pz/{deal}")
        table = Table(start)
        words: list[str] = []
        policies = (planner(500), greedily)
        while not table.core.over:
            turn, seat = table.core.turn_number, table.core.turn
            for move in policies[seat](table.core):
                words.append(str(texts(2, seat)[move]))
                table.push(move)
                if table.core.over or table.core.turn_number != turn:
                    break
        yield Played(str(start), words, puzzles(start, words))


@cache
def game_with_a_puzzle() -> Played:
    """The first of these games that has one."""
    return next(one for one in games() if one.puzzles)


def easy(number: int = 0) -> Puzzle:
    """A puzzle that two moves solve, stored; others of other numbers."""
    position = WON.replace("0,2,0,.,.", f"{number},2,0,.,.")
    return Puzzle.objects.create(
        key=f"{number}{key(engine.TurnPosition.parse(WON))}"[:64],
        variant="crapette",
        seat=1,
        position=position,
        played=WRONG,
        solution=RIGHT,
        ply=0,
    )
