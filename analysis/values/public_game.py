"""A game as its public sees it, on the engine's core: which cards nobody knows, and what turns one up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from analysis.errors import BrokenRecord
from engine.errors import EngineError
from engine.policies import greedy
from engine.turns.conversion import to_core
from engine.turns.core import DISCARD, DRAWN, HAND, NOBODY, RESERVE
from engine.turns.moves import STOP, numbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine import TurnPosition
    from engine.turns.core import Core

PILES = DRAWN + 1
SETTLED_STEPS = 24
"""The most moves that a position is played on before it is looked at."""


@cache
def special(turn: int) -> tuple[int, int, frozenset[int]]:
    """The numbers of `draw`, of `pass`, and of all moves of the reserve's top."""
    named = numbers(2, turn)
    return named["draw"], named["pass"], frozenset(named[text] for text in named if text.startswith("r-"))


@dataclass(frozen=True, slots=True)
class Chance:
    """A card was turned up: which (`card`, an id of the core), on which pile, of which seat, and
    all it could have been: `others`, one id for each kind with the number of its cards, itself included.
    """

    card: int
    pile: int
    seat: int
    others: tuple[tuple[int, int], ...]


class Table:
    """A game of two seats from a full position on; `hidden` are the cards that nobody has seen.

    Once a card was seen it stays known wherever it goes (RULES 1), so that a hand that was turned over
    turns up nothing new. What is unknown is equally likely to be any unseen card of the seat's own pack,
    or of both where they were shuffled as one (RULES 2).
    """

    def __init__(self, start: TurnPosition) -> None:
        self.rules = start.rules
        self.core, _ = to_core(start)
        self.hidden: set[int] = set()
        for seat in range(2):
            for pile in (HAND, RESERVE, DISCARD):
                cards = self.core.pile(pile + seat)
                self.hidden.update(cards if pile == HAND else cards[:-1])

    def clone(self) -> Table:
        """A copy that goes on by itself."""
        copy = object.__new__(type(self))
        copy.rules, copy.core, copy.hidden = self.rules, self.core.clone(), set(self.hidden)
        return copy

    def unseen(self, seat: int) -> list[int]:
        """The cards that an unknown card of the seat is among."""
        seats = range(2) if self.rules.one_pack else (seat,)
        found = (
            card for one in seats for pile in (HAND, RESERVE, DISCARD) for card in self.core.pile(pile + one)
        )
        return [card for card in found if card in self.hidden]

    def knows_all(self) -> bool:
        """Whether it is known where every card lies: at most one of each pool was never seen."""
        return not self.hidden or all(len(pool) < 2 for pool in self.pools())

    def apply(self, word: str) -> Chance | None:
        """Carry out a move or a call of stop; the chance event if it turned an unknown card up.

        Raises:
            KeyError, ValueError: the word is no move here.
        """
        core = self.core
        if word == STOP:
            core.stop()
            return None
        return self.push(numbers(2, core.turn)[word])

    def follow(self, word: str) -> Chance | None:
        """`apply` for a word of a record. Raises BrokenRecord if it is no move here."""
        try:
            return self.apply(word)
        except (KeyError, ValueError, EngineError) as error:
            raise _broken(word) from error

    def push(self, move: int) -> Chance | None:
        """`apply` by the core's number of a move."""
        turned = self._push(move)
        return None if turned is None else self._chance(*turned)

    def turned_up(self, word: str) -> int | None:
        """`follow` where nothing but the card is asked for. Raises BrokenRecord as it does."""
        core = self.core
        try:
            if word == STOP:
                core.stop()
                return None
            turned = self._push(numbers(2, core.turn)[word])
        except (KeyError, ValueError, EngineError) as error:
            raise _broken(word) from error
        if turned is None:
            return None
        self.hidden.discard(turned[0])
        return turned[0]

    def pools(self) -> list[list[int]]:
        """The unseen cards, in the order in which they lie: of each seat, or of both in one."""
        return [self.unseen(0)] if self.rules.one_pack else [self.unseen(0), self.unseen(1)]

    def _push(self, move: int) -> tuple[int, int, int] | None:
        """Carry out a move; the card, its pile and its seat if it turned an unknown card up."""
        core, seat = self.core, self.core.turn
        core.push(move)
        for pile in (DRAWN, RESERVE + seat, DISCARD + seat):
            card = core.top_of(pile)
            if card in self.hidden:
                return card, pile, seat
        return None

    def _chance(self, card: int, pile: int, seat: int) -> Chance:
        unseen = self.unseen(seat)
        if card not in unseen:  # drawn: in no pile of the seat any more
            unseen.append(card)
        counts = Counter(other >> 2 for other in unseen)
        one = {other >> 2: other for other in unseen}
        one[card >> 2] = card
        self.hidden.discard(card)
        return Chance(card, pile, seat, tuple((one[kind], count) for kind, count in sorted(counts.items())))

    def instead(self, chance: Chance) -> list[tuple[Core, int]]:
        """The table as it would be with each of the cards that it could have been, and that card."""
        core = self.core
        piles = [core.pile(number) for number in range(PILES)]
        heights, tally, state = core.heights_of(), core.tally(), core.state()
        place = {card: (number, at) for number, cards in enumerate(piles) for at, card in enumerate(cards)}
        to, at = place[chance.card]
        found = []
        for card, _ in chance.others:
            other, other_at = place[card]
            piles[to][at], piles[other][other_at] = card, chance.card
            if card == chance.card:
                piles[to][at] = card
            changed = core.clone()
            changed.load(piles, heights, *tally, state)
            piles[other][other_at], piles[to][at] = card, chance.card
            found.append((changed, card))
        return found


def _broken(word: str) -> BrokenRecord:
    return BrokenRecord(f"expected a move of the game, got {word!r}")


def settle(core: Core, hidden: set[int]) -> None:
    """Play on greedily, turn after turn, until something unknown would be turned up.

    What a revealed card is worth shows in what can be done with it at once: it is played, and what it
    frees after it, and what the opponent then does with what it finds.
    """
    for _ in range(SETTLED_STEPS):
        if core.over:
            return
        seat = core.turn
        draw, _, reserve = special(seat)
        move = greedy(core)
        if move == draw:
            hand = core.top_of(HAND + seat)
            if (core.pile(DISCARD + seat)[0] if hand == NOBODY else hand) in hidden:
                return
        core.push(move)
        if move in reserve and core.top_of(RESERVE + seat) in hidden:
            return


def kinds_known(core: Core, hidden: set[int], seat: int) -> list[int]:
    """For each of the 52 kinds how many known cards the seat has in hand and discard."""
    row = [0] * 52
    for pile in (HAND, DISCARD):
        for card in core.pile(pile + seat):
            if card not in hidden:
                row[card >> 2] += 1
    return row


def kinds_of(cards: Iterable[int]) -> list[int]:
    """For each of the 52 kinds how many of the cards are of it."""
    row = [0] * 52
    for card in cards:
        row[card >> 2] += 1
    return row
