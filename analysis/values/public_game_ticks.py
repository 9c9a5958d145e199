"""A game of `vitesse` as its public sees it, on the core: which cards each tick turned up (RULES 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from analysis.errors import BrokenRecord
from engine.ticks.conversion import to_core
from engine.ticks.core import DISCARD, HAND, HIDDEN, RESERVE
from engine.ticks.position import ACTIONS

if TYPE_CHECKING:
    from engine import TickPosition
    from engine.ticks.core import TickCore

NAMES: Final = bytes(range(HIDDEN + 1)) * 2
"""Every kind of both seats in its own place, as `TickCore.exchanged` takes them."""
KINDS: Final = len(NAMES) // 2
_NUMBERS: Final = {action: number for number, action in enumerate(ACTIONS)}


class Turned(NamedTuple):
    """A card was turned up: its kind, whose it is, and how many cards of both nobody had seen before it."""

    card: int
    seat: int
    unseen: int


class TickTable:
    """A game from a full position on; `hidden` are for each seat the kinds that nobody has seen.

    Each pack is shuffled by itself (RULES 2): an unknown card of a seat is equally likely to be any unseen
    one of its own pack, whatever is known of the other's. Once it was seen a card stays known wherever it
    goes, so that a discard that was turned over brings nothing new.
    """

    def __init__(self, start: TickPosition) -> None:
        self.core: TickCore = to_core(start)
        self.hidden: tuple[set[int], set[int]] = (set(), set())
        for seat in range(2):
            for pile in (RESERVE, HAND, DISCARD):
                cards = self.core.pile(pile, seat)
                self.hidden[seat].update(cards if pile == HAND else cards[:-1])

    def open_cards(self) -> list[Turned]:
        """The open cards as if they were turned up one after the other: of each seat the top of the reserve,
        then the slots, seat 0 first."""
        later = [self._open(seat) for seat in range(2)]
        left = sum(map(len, (*later, *self.hidden)))
        cards = [(card, seat) for seat in range(2) for card in later[seat]]
        return [Turned(card, seat, left - number) for number, (card, seat) in enumerate(cards)]

    def pools(self, *, whole: bool) -> list[list[int]]:
        """For each seat the kinds that nobody has seen, in the order in which they lie; with those of the
        deal's open cards if it is the `whole` deal."""
        core = self.core
        return [
            [
                *(kind for kind in core.pile(RESERVE, seat) if whole or kind in self.hidden[seat]),
                *(core.slots_of(seat) if whole else ()),
                *(kind for pile in (HAND, DISCARD) for kind in core.pile(pile, seat) if kind in hidden),
            ]
            for seat, hidden in enumerate(self.hidden)
        ]

    def view(self) -> TickCore:
        """The game as everybody may know it: unseen cards are `HIDDEN`, others are known where they lie."""
        names = bytearray(NAMES)
        for seat in range(2):
            for kind in self.hidden[seat]:
                names[KINDS * seat + kind] = HIDDEN
        return self.core.exchanged(bytes(names))

    def follow(self, word: str) -> list[Turned]:
        """Carry out a tick of a record, `s1-f,turn`; the cards it turned up, at most one a seat, those of the
        seat with priority first: its card counts as turned up while the other's was still unseen.

        Raises:
            BrokenRecord: it is no tick here.
        """
        try:
            first, second = (_NUMBERS[action] for action in word.split(","))
            return self.push(first, second)
        except (KeyError, ValueError) as error:
            raise BrokenRecord(f"expected a tick of the game, got {word!r}") from error

    def push(self, first: int, second: int) -> list[Turned]:
        """`follow` by the core's numbers of the actions. Raises ValueError if one is not open."""
        leader = self.core.tick % 2
        self.core.push(first, second)
        found = []
        for seat in (leader, 1 - leader):
            hidden = self.hidden[seat]
            for pile in (RESERVE, DISCARD):
                top = self.core.top_of(pile, seat)
                if top in hidden:
                    found.append(Turned(top, seat, sum(map(len, self.hidden))))
                    hidden.discard(top)
        return found

    def _open(self, seat: int) -> list[int]:
        return [*self.core.pile(RESERVE, seat)[-1:], *self.core.slots_of(seat)]
