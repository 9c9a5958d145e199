"""Boards: a game together with its number of seats, as one word: ``crapette``, ``crapette/3``.

Bots are checked, entered and rated by board: who plays a game of two well may never have seen three seats.
"""

from __future__ import annotations

from typing import Final

from engine.errors import UnknownVariant, quote
from engine.variants import VARIANTS


def board_name(variant: str, players: int = 2) -> str:
    """Return the name of the board: the variant, and the number of seats unless there are two.

    >>> board_name("crapette"), board_name("crapette", 3)
    ('crapette', 'crapette/3')
    """
    return variant if players == 2 else f"{variant}/{players}"


BOARDS: Final[tuple[str, ...]] = tuple(
    board_name(one.name, players) for one in VARIANTS.values() for players in one.players
)
"""Every board, in the order of the variants."""


def parse_board(name: str) -> tuple[str, int]:
    """The variant and the number of seats of a board.

    Raises:
        UnknownVariant: there is no such board.

    >>> parse_board("crapette/4")
    ('crapette', 4)
    >>> parse_board("crapo/3")
    Traceback (most recent call last):
    engine.errors.UnknownVariant: expected one of crapaud, crapaud-kjq, crapo, crapette, crapette/3, \
crapette/4, crapette-it, crapette-it-strict, russian-bank or vitesse, got 'crapo/3'
    """
    if name not in BOARDS:
        raise UnknownVariant(f"expected one of {', '.join(BOARDS[:-1])} or {BOARDS[-1]}, got {quote(name)}")
    variant, _, players = name.partition("/")
    return variant, int(players or 2)


def board_title(name: str) -> str:
    """What people call a board; any text that names none is its own title.

    >>> board_title("crapette/3")
    'Crapette, 3 seats'
    """
    if name not in BOARDS:
        return name
    variant, players = parse_board(name)
    title = VARIANTS[variant].title
    return title if players == 2 else f"{title}, {players} seats"
