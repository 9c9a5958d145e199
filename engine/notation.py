"""Fields of a line, read one by one, and what no position can hold, in every game (RULES 1, 7)."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.cards import FACES, RANKS, SUITS, UNKNOWN, Card
from engine.errors import NotationError, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


def split(text: str, separator: str, count: int, what: str) -> list[str]:
    """Cut a field into exactly `count` parts.

    Raises:
        NotationError: there are more or fewer.
    """
    parts = text.split(separator)
    if len(parts) != count:
        raise NotationError(
            f"expected {count} {what} separated by {separator!r}, got {len(parts)} in {quote(text)}"
        )
    return parts


def whole_number(text: str, what: str, most: int) -> int:
    """A number from 0 to `most`, without leading zeros.

    Raises:
        NotationError: it is none.
    """
    if not NUMBER.fullmatch(text) or int(text) > most:
        raise NotationError(f"expected {what} from 0 to {most}, got {quote(text)}")
    return int(text)


def card_of(text: str, what: str) -> Card:
    """A card, ``??`` included.

    Raises:
        NotationError: it is none.
    """
    if text not in FACES and text != UNKNOWN:
        raise NotationError(f"expected {what}, got {quote(text)}")
    return text


def pile_of(text: str, what: str) -> tuple[Card, ...]:
    """A pile bottom to top; ``.`` is the empty one.

    Raises:
        NotationError: it is no pile.
    """
    if text == ".":
        return ()
    if not text or len(text) % 2:
        raise NotationError(f"expected {what} as cards of two letters, or . if empty, got {quote(text)}")
    return tuple(card_of(text[i : i + 2], f"a card in {what}") for i in range(0, len(text), 2))


def foundation_heights(text: str, players: int) -> tuple[tuple[int, ...], ...]:
    """For each suit the heights of its foundations, highest first.

    Raises:
        NotationError: they are not that.
    """
    suits = []
    for name, part in zip(
        ("spades", "hearts", "diamonds", "clubs"), split(text, "/", 4, "suits"), strict=True
    ):
        heights = split(part, ",", players, f"foundations of {name}")
        suit = tuple(whole_number(height, f"a height of {name}", 13) for height in heights)
        if any(low > high for high, low in pairwise(suit)):
            raise NotationError(f"expected the heights of {name} highest first, got {quote(part)}")
        suits.append(suit)
    return tuple(suits)


def check_packs(
    packs: int, ranks: str, piles: Iterable[Iterable[Card]], foundations: Sequence[Sequence[int]]
) -> None:
    """No card more often than the packs have it; nor more cards than they have, hidden ones included.

    Raises:
        NotationError: names the card and how often it came.
    """
    found = Counter[Card]()
    for pile in piles:
        found.update(pile)
    for suit, heights in zip(SUITS, foundations, strict=True):
        for height in heights:
            found.update(rank + suit for rank in ranks[:height])
    total = sum(found.values())
    del found[UNKNOWN]
    for card, count in found.items():
        if count > packs:
            raise NotationError(f"expected {card} at most {packs} times, foundations included, got {count}")
    if total > len(RANKS) * len(SUITS) * packs:
        raise NotationError(f"expected at most {52 * packs} cards, got {total}")
