"""Finds puzzles in a game: turns that could have won and did not, proved both ways.

A puzzle begins where a turn begins, every card is known to both seats, and the solver (`engine.turns.search`)
proves that the seat to move wins with the right turn. In the game that seat played a turn after which it is
proved that it wins no more. Any turn that still wins is right, and the solver judges each.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final, NamedTuple

import engine
from analysis.errors import BrokenRecord
from analysis.serving_guard import thinks
from analysis.values.public_game import Table
from engine.cards import SUIT_RELABELLINGS
from engine.policies.greedy import greedily
from engine.turns.conversion import to_core
from engine.turns.moves import texts
from engine.turns.search import Ending, ending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import TurnPosition
    from engine.turns.core import Core

POSITIONS: Final = 100_000
"""Looked at for an ending before a puzzle is made of it: what takes longer could not be judged at once."""
TO_JUDGE: Final = 3_000_000
"""Looked at to judge an answer: less than a second."""
IN_ALL: Final = 2_000_000
"""Looked at for one game."""
LONGEST: Final = 24
"""Moves of the turn that wins; nobody wants to make more."""


class MissedWin(NamedTuple):
    """A turn that could have won: `first` words come before it, `played` is what its seat played instead."""

    first: int
    position: str
    key: str
    seat: int
    played: tuple[str, ...]
    solution: tuple[str, ...]


class Judged(NamedTuple):
    """What an answer is worth: whether it wins (None if that took too long to find out), and if it does not,
    the turn with which the opponent wins then, if there is one; else neither can force a win."""

    wins: bool | None
    reply: tuple[str, ...] = ()


@thinks
def puzzles(start: TurnPosition, words: Sequence[str]) -> list[MissedWin]:
    """The puzzles in a game of two that was played in turns, in the order of the game.

    None where the opponent may call stop: there an answer would depend on whether it does.

    Raises:
        BrokenRecord: the words are not moves of a game from there.
    """
    if start.rules.stop_calls or start.players != 2:
        return []
    found: list[MissedWin] = []
    won: tuple[int, Ending] | None = None  # where a turn began that could win
    table, left, begun = Table(start), IN_ALL, -1
    for place in range(len(words) + 1):
        core = table.core
        if core.over or core.turn_number != begun:
            solved = None
            if left > 0 and not (core.over or table.unseen(0) or table.unseen(1)):
                solved = ending(core, POSITIONS)
                left -= POSITIONS if solved is None else solved.positions
            if won is not None and _thrown(core, solved):
                made = _made(start, words, won[0], place, won[1])
                found += [made] if made else []
            won = (place, solved) if solved is not None and solved.result == 1 else None
            begun = core.turn_number
        if core.over:
            break
        if place < len(words):
            table.follow(words[place])
    return found


@thinks
def judge(position: TurnPosition, words: Sequence[str]) -> Judged:
    """What a turn is worth that answers a puzzle.

    Raises:
        BrokenRecord: the words are not one whole turn from there.
    """
    table = Table(position)
    core, seat, turn = table.core, table.core.turn, table.core.turn_number
    for word in words:
        if core.over or core.turn_number != turn:
            raise BrokenRecord(f"expected one turn, got {len(words)} moves, of which {word!r} comes after it")
        table.follow(word)
    if core.over:
        return Judged(core.worth()[0] == 1 - 2 * seat)
    if core.turn_number == turn:
        raise BrokenRecord(f"expected a whole turn, got {len(words)} moves that do not end it")
    found = ending(core, TO_JUDGE)
    if found is None:
        return Judged(None)
    names = texts(2, core.turn)
    return Judged(found.result == -1, tuple(str(names[move]) for move in found.moves))


def key(position: TurnPosition) -> str:
    """The same 64 hex digits for positions that differ in the order of houses, in the names of suits of a
    colour or of the colours, or in their counters."""
    return hashlib.sha256(min(_told(position.relabelled(suits)) for suits in SUIT_RELABELLINGS)).hexdigest()


def _told(position: TurnPosition) -> bytes:
    parts = (position.variant, position.turn, sorted(position.houses), position.foundations, *position.seats)
    return " ".join(map(str, parts)).encode()


def _thrown(core: Core, solved: Ending | None) -> bool:
    """Whether it is proved that the seat that has just played wins no more."""
    if core.over:
        return core.worth()[0] != (1 if core.turn == 0 else -1)
    return solved is not None and solved.result != -1


def _made(
    start: TurnPosition, words: Sequence[str], first: int, after: int, solved: Ending
) -> MissedWin | None:
    """The puzzle of a turn, unless its answer is too long or the greedy bot finds it."""
    game = engine.TurnGame(start)
    game.play(words[:first])
    position = game.position
    core, _ = to_core(position)
    if not 0 < len(solved.moves) <= LONGEST or _greedy_wins(core.clone()):
        return None
    names = texts(2, core.turn)
    solution = tuple(str(names[move]) for move in solved.moves)
    return MissedWin(first, str(position), key(position), core.turn, tuple(words[first:after]), solution)


def _greedy_wins(core: Core) -> bool:
    """Whether the greedy bot's turn wins: such a puzzle is none."""
    seat, turn = core.turn, core.turn_number
    while not core.over and core.turn_number == turn:
        for move in greedily(core):
            core.push(move)
            if core.over or core.turn_number != turn:
                break
    if core.over:
        return bool(core.worth()[0] == 1 - 2 * seat)
    found = ending(core, POSITIONS)
    return found is not None and found.result == -1
