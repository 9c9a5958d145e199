"""Moves in words for people: ``7♣ house 2 → foundation``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.cards import Card
    from engine.turns.position import TurnPosition

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
