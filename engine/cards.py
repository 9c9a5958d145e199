"""Cards as text: rank then suit, ``AS`` to ``KC``; ``??`` is a card the reader may not know (RULES 1).

A *value* runs from 1 (ace) to 13 (king). The order of the ranks between is the variant's: `crapaud-kjq`
counts the queen 11 and the jack 12. A *kind* is one of the 52 faces as a number, ``13 * suit + value - 1``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Card = str
"""Two characters, ``"7C"``."""

SUITS = "SHDC"
"""Spades, hearts, diamonds, clubs: the order of a pack and of the foundations."""

RANKS = "A23456789TJQK"
"""The order of a pack before shuffling (RULES 2), and of the values nearly everywhere."""

COURT_KJQ = "A23456789TQJK"
"""The order of the values in `crapaud-kjq`: king, jack, queen, ten (RULES 1)."""

UNKNOWN: Card = "??"

PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""A pack before shuffling: suits S, H, D, C, each A 2 … K (RULES 2)."""

FACES = frozenset(PACK)

SUIT_RELABELLINGS = ("SHDC", "SDHC", "CHDS", "CDHS", "HSCD", "DSCH", "HCSD", "DCSH")
"""The eight ways to rename the suits that keep red and black apart; the identity first.

Each is what spades, hearts, diamonds and clubs become. The two packs of a pair of games are told apart by
none.
"""


def is_red(card: Card) -> bool:
    """Whether hearts or diamonds.

    >>> is_red("TH"), is_red("AS")
    (True, False)
    """
    return card[1] in "HD"


def value(card: Card, ranks: str = RANKS) -> int:
    """1 for an ace to 13 for a king, in the order of `ranks`.

    >>> value("JS"), value("JS", COURT_KJQ)
    (11, 12)
    """
    return ranks.index(card[0]) + 1


def kind(card: Card, ranks: str = RANKS) -> int:
    """The face as a number 0-51: 13 for each suit, in the order of values.

    >>> kind("AS"), kind("KC")
    (0, 51)
    """
    return SUITS.index(card[1]) * 13 + ranks.index(card[0])


def face(number: int, ranks: str = RANKS) -> Card:
    """The card of a kind: the inverse of `kind`.

    >>> face(51), face(10, COURT_KJQ)
    ('KC', 'QS')
    """
    return ranks[number % 13] + SUITS[number // 13]


def join(cards: Iterable[Card]) -> str:
    """A pile as text, bottom to top, ``.`` if empty.

    >>> join(["4H", "7C"]), join([])
    ('4H7C', '.')
    """
    return "".join(cards) or "."


def relabel(cards: Sequence[Card], suits: str) -> tuple[Card, ...]:
    """The cards with S, H, D, C renamed to the four letters of `suits`; ``??`` stays.

    >>> relabel(["AS", "??", "7C"], "HSCD")
    ('AH', '??', '7D')
    """
    return tuple(card if card == UNKNOWN else card[0] + suits[SUITS.index(card[1])] for card in cards)


def conceal(pile: tuple[Card, ...], shown: int = 1) -> tuple[Card, ...]:
    """The pile with all but its `shown` top cards unknown."""
    hidden = max(len(pile) - shown, 0)
    return (UNKNOWN,) * hidden + pile[hidden:]
