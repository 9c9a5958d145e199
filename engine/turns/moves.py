"""Moves as text and as the numbers of the core (RULES 1).

The core's number of a move is the index of its bit in the core's sets of legal moves, so that it does not
depend on the position. There are two layouts, told apart by the number of seats:

- *narrow*, two seats, 8 houses: ``0-63`` house to house (``8 * source + target``), ``64-127`` the rest;
- *wide*, three or four seats, 16 houses: ``0-255`` house to house (``16 * source + target``), ``256-447``
  the rest.

The rest is cut into fields of one bit a house (8 or 16 bits): house to foundation, house to each opponent's
discard, house to each opponent's reserve, own reserve to house, own discard to house, drawn card to house;
then one bit each for reserve, discard and drawn card to foundation, each discard and each reserve, the drawn
card to the mover's discard, `draw` and `pass`. Opponents count from the next seat on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine.errors import NotationError, quote

if TYPE_CHECKING:
    from engine.cards import Card
    from engine.turns.position import TurnPosition

FORM = re.compile(r"(?:draw|pass|(?:[rdh]|t(?:[1-9]|1[0-6]))-(?:f|d|[rd][0-3]|t(?:[1-9]|1[0-6])))", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A move ``source-target``, or ``draw`` or ``pass``, which have no target.

    >>> Move.parse("t8-f")
    Move(source='t8', target='f')
    >>> str(Move("draw"))
    'draw'
    """

    source: str
    target: str = ""

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move; whether it is legal is the position's business.

        Raises:
            NotationError: the text is no move at all.

        >>> Move.parse("t17-f")
        Traceback (most recent call last):
        engine.errors.NotationError: expected a move such as t8-f, r-t1, h-d or draw, got 't17-f'
        """
        if not isinstance(text, str) or not FORM.fullmatch(text):
            raise NotationError(f"expected a move such as t8-f, r-t1, h-d or draw, got {quote(text)}")
        source, _, target = text.partition("-")
        return cls(source, target)

    def words(self, position: TurnPosition) -> str:
        """The move in words for people, as ``7♣ house 2 → foundation``, in the `position` it is made in."""
        return move_words(self.source, self.target, position)

    def __str__(self) -> str:
        return f"{self.source}-{self.target}" if self.target else self.source


STOP = "stop"
"""The word for the opponent's call (RULES 6); not a move of the mover, so no `Move`."""


def is_wide(players: int) -> bool:
    """Whether the core uses its wide layout to number the moves of this many seats."""
    return players > 2


@cache
def texts(players: int, turn: int) -> tuple[str | None, ...]:
    """The text of each of the core's move numbers with `turn` to move; None where no move has the number.

    >>> texts(2, 0)[1], texts(2, 0)[64], texts(2, 0)[72], texts(2, 1)[72]
    ('t1-t2', 't1-f', 't1-d1', 't1-d0')
    """
    wide = is_wide(players)
    houses, most = (16, 3) if wide else (8, 1)
    names = [f"t{number + 1}" for number in range(4 * players)]
    out: list[str | None] = [None] * (448 if wide else 128)
    others = [(turn + step) % players for step in range(1, players)]

    def field(index: int, sources: list[str], targets: list[str]) -> None:
        start = houses * houses + houses * index
        for offset, (source, target) in enumerate(zip(sources, targets, strict=True)):
            out[start + offset] = f"{source}-{target}"

    for source in range(len(names)):
        for target in range(len(names)):
            if source != target:
                out[houses * source + target] = f"{names[source]}-{names[target]}"
    field(0, names, ["f"] * len(names))
    for step, seat in enumerate(others, start=1):
        field(step, names, [f"d{seat}"] * len(names))
        field(most + step, names, [f"r{seat}"] * len(names))
    for step, letter in enumerate("rdh", start=1):
        field(2 * most + step, [letter] * len(names), names)
    singles = houses * houses + houses * (2 * most + 4)
    for place, letter in enumerate("rdh"):
        first = singles + place * (2 * most + 1)
        out[first] = f"{letter}-f"
        for step, seat in enumerate(others, start=1):
            out[first + step] = f"{letter}-d{seat}"
            out[first + most + step] = f"{letter}-r{seat}"
    last = singles + 3 * (2 * most + 1)
    out[last : last + 3] = ["h-d", "draw", "pass"]
    return tuple(out)


@cache
def numbers(players: int, turn: int) -> dict[str, int]:
    """The core's number of each move by its text: the inverse of `texts`.

    >>> numbers(2, 0)["t1-f"]
    64
    """
    return {text: number for number, text in enumerate(texts(players, turn)) if text is not None}


@cache
def parse_move(text: str) -> Move:
    """`Move.parse`, remembered: for texts that the engine itself wrote."""
    return Move.parse(text)


SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def card_words(card: Card) -> str:
    """A card as people write it.

    >>> card_words("TH"), card_words("??")
    ('10♥', 'unknown card')
    """
    if card == "??":
        return "unknown card"
    return card[0].replace("T", "10") + SYMBOLS[card[1]]


def move_words(source: str, target: str, position: TurnPosition) -> str:
    """What a move does in a position, in words.

    >>> from engine.protocol import deal
    >>> move_words("t6", "f", deal("crapaud", "00" * 32))
    'A♦ house 6 → foundation'
    >>> move_words("draw", "", deal("crapaud", "00" * 32))
    'draw'
    """
    if not target:
        if source == "draw" and not position.seats[position.turn].hand:
            return "turn the discard over and draw"
        return source
    return f"{_source(source, position)} → {_target(target, position)}"


def _source(source: str, position: TurnPosition) -> str:
    own = position.seats[position.turn]
    if source == "h":
        return f"{card_words(position.drawn or '??')} drawn"
    if source in {"r", "d"}:
        pile, name = (own.reserve, "reserve") if source == "r" else (own.discard, "discard")
    else:
        number = int(source[1:])
        pile, name = position.houses[number - 1], f"house {number}"
    return f"{card_words(pile[-1]) if pile else 'no card'} {name}"


def _target(target: str, position: TurnPosition) -> str:
    if target == "f":
        return "foundation"
    if target == "d":
        return "discard"
    if target[0] == "t":
        empty = not position.houses[int(target[1:]) - 1]
        return f"{'empty ' if empty else ''}house {target[1:]}"
    pile = "reserve" if target[0] == "r" else "discard"
    return f"opponent's {pile}" if position.players == 2 else f"{pile} of seat {target[1:]}"
