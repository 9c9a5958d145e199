"""A position drawn for people to read in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import SUITS
from engine.turns.moves import SYMBOLS, card_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cards import Card
    from engine.turns.position import TurnPosition


def board(position: TurnPosition) -> str:
    """What lies open on the table, one line for the foundations and for each house and seat.

    >>> from engine.protocol import deal
    >>> print(board(deal("crapaud", "00" * 32)))
    crapaud, seat 1 to move
    foundations  ♠ - -   ♥ - -   ♦ - -   ♣ - -
      t1  4♥
      t2  Q♦
      t3  7♣
      t4  7♦
      t5  5♥
      t6  A♦
      t7  J♠
      t8  9♠
      seat 0  reserve 6♣ on 12   hand 35   discard empty
    > seat 1  reserve 5♦ on 12   hand 35   discard empty
    """
    ranks = position.rules.ranks
    suits = (
        " ".join(
            [
                SYMBOLS[suit],
                *(card_words(ranks[height - 1] + suit)[:-1] if height else "-" for height in heights),
            ]
        )
        for suit, heights in zip(SUITS, position.foundations, strict=True)
    )
    phase = "" if position.phase == "play" else f", {position.phase}"
    drawn = f", {card_words(position.drawn)} drawn" if position.drawn else ""
    lines = [
        f"{position.variant}, seat {position.turn} to move{phase}{drawn}",
        "foundations  " + "   ".join(suits),
    ]
    for number, house in enumerate(position.houses, start=1):
        name = f"t{number}"
        lines.append(f"{name:>4}  {' '.join(map(card_words, house)) or '-'}")
    for seat, piles in enumerate(position.seats):
        mark = ">" if seat == position.turn else " "
        lines.append(
            f"{mark} seat {seat}  reserve {_top(piles.reserve)}   hand {len(piles.hand)}"
            f"   discard {_top(piles.discard)}"
        )
    return "\n".join(lines)


def _top(pile: Sequence[Card]) -> str:
    """The card on top, and how many lie below it."""
    if not pile:
        return "empty"
    return card_words(pile[-1]) + (f" on {len(pile) - 1}" if len(pile) > 1 else "")
