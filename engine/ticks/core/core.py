"""A game of ticks as small integers, for search and playouts: what `turns.core` is for the games of turns.

A card is its *kind* (`cards.kind`), 52 none, 53 one that the reader may not know: it moves with its pile and
fits nowhere. An *action* is its index in `ticks.position.ACTIONS`. There is no way back: `TickCore.clone` and
play on that.
"""

from __future__ import annotations

import cython

from engine.bits import ALL64, GOLDEN, mix
from engine.ticks.core.actions import choices, look, play
from engine.ticks.core.planning import plan_tick, play_planned
from engine.ticks.core.playouts import pick_action, play_greedily
from engine.ticks.core.state import become, count_points, rename, top
from engine.ticks.core.tables import LISTED, PILE, STALL_LIMIT, UNSEEN


@cython.final
@cython.cclass
class TickCore:
    """A game in progress; build one with `ticks.conversion.to_core`.

    ``legal(seat)`` answers action numbers, ``push(first, second)`` carries a tick out.
    """

    cards: cython.uchar[336]  # six piles with room for 56: pile 2 * kind + seat
    count: cython.uchar[6]
    slots: cython.uchar[8]  # four for each seat
    heights: cython.uchar[8]  # two for each suit, highest first
    due: cython.ulonglong  # the kinds that a foundation waits for
    completed: cython.ushort[2]
    _left: cython.uchar[2]
    _stall: cython.uchar
    _over: cython.uchar
    _stopper: cython.int
    _tick: cython.int

    def __init__(self):
        """An empty table; fill it with `load`."""
        if not cython.compiled:
            self.cards, self.count, self.slots = [0] * 336, [0] * 6, [52] * 8
            self.heights, self.completed, self._left = [0] * 8, [0] * 2, [0] * 2

    def load(self, piles, slots, heights, completed, state) -> None:
        """Set the whole table up.

        Args:
            piles: six lists of kinds, bottom to top: reserves, hands, discards, seat 0's first.
            slots: eight kinds, seat 0's first.
            heights: the two foundation heights of each suit, highest first.
            completed: foundations completed by each seat.
            state: tick, stall, and the stopper, -1 for none.

        Raises:
            ValueError: a pile has no room for its cards.
        """
        index: cython.int
        suit: cython.int
        if max(map(len, piles)) > PILE:
            raise ValueError(f"expected at most {PILE} cards in a pile, got {max(map(len, piles))}")
        self._left[0] = self._left[1] = 0
        for index in range(6):
            self.count[index] = len(piles[index])
            self._left[index & 1] += len(piles[index])
            for place, kind in enumerate(piles[index]):
                self.cards[PILE * index + place] = kind
        for index in range(8):
            self.slots[index] = slots[index]
            if slots[index] != 52:
                self._left[index >> 2] += 1
        for suit in range(4):
            self.heights[2 * suit], self.heights[2 * suit + 1] = heights[suit]
        self.due = 0
        for suit in range(4):
            look(self, suit)
        self.completed[0], self.completed[1] = completed
        self._tick, self._stall, self._stopper = state
        self._over = self._stopper >= 0 or self._stall >= STALL_LIMIT

    @cython.ccall
    def legal(self, seat: cython.int) -> tuple[int, ...]:
        """What a seat may choose; nothing once the game is over."""
        return LISTED[choices(self, seat & 1)]

    @cython.ccall
    def both(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """`legal` of seat 0 and of seat 1."""
        return LISTED[choices(self, 0)], LISTED[choices(self, 1)]

    def step(self, first: cython.int, second: cython.int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """`push`, and then `both`."""
        self.push(first, second)
        return self.both()

    @cython.ccall
    def push(self, first: cython.int, second: cython.int) -> None:
        """Carry a tick out.

        Raises:
            ValueError: a seat may not choose that.
        """
        if first < 0 or not (choices(self, 0) >> first) & 1:
            raise ValueError(f"expected one of {self.legal(0)} of seat 0, got {first}")
        if second < 0 or not (choices(self, 1) >> second) & 1:
            raise ValueError(f"expected one of {self.legal(1)} of seat 1, got {second}")
        play(self, first, second)

    def clone(self) -> TickCore:
        """A copy that shares nothing."""
        new: TickCore = TickCore.__new__(TickCore)
        become(new, self)
        return new

    def __copy__(self):
        """`clone`."""
        return self.clone()

    def __deepcopy__(self, memo):
        """`clone`."""
        return self.clone()

    def __reduce__(self):
        """By what `load` takes."""
        piles = [self.pile(number >> 1, number & 1) for number in range(6)]
        slots = [*self.slots_of(0), *self.slots_of(1)]
        completed = (self.completed_by(0), self.completed_by(1))
        state = (self._tick, self._stall, self._stopper)
        return tick_core_of, (piles, slots, self.heights_of(), completed, state)

    def playout(self, seed: cython.ulonglong, limit: cython.int = 1000000) -> int:
        """Let both choose uniformly to the end of the game, or for `limit` ticks; answers the ticks played.

        The seed alone decides (splitmix64), compiled or not.
        """
        state: cython.ulonglong = seed
        ticks: cython.int = 0
        while not self._over and ticks < limit:
            state = (state + GOLDEN) & ALL64
            chance: cython.ulonglong = mix(state)
            play(self, pick_action(self, 0, chance & 0xFFFF), pick_action(self, 1, (chance >> 16) & 0xFFFF))
            ticks += 1
        return ticks

    def play_greedily(self, order: bytes, by_cards: cython.int, limit: cython.int = 1000000) -> int:
        """Let each seat take in each tick its first legal action, to the end of the game or for some ticks;
        answers the ticks played.

        Args:
            order: for seat 0 and then seat 1 the eight actions but `STOP`, best first.
            by_cards: set, each stops as soon as it may and has fewer cards left; else as soon as by that it
                wins by more than a point.
            limit: the most ticks.

        Raises:
            ValueError: the order is not of 16 actions.
        """
        if len(order) != 16:
            raise ValueError(f"expected 16 actions, got {len(order)}")
        ticks: cython.int
        first: cython.p_uchar = order
        with cython.nogil:
            ticks = play_greedily(self, first, by_cards, limit)
        return ticks

    def planned(self, seat: cython.int) -> int:
        """What the house planner does in this tick, -1 if the game is over. It looks at every card that the
        core knows: ask a core in which the unseen ones are `HIDDEN`.

        For every pair of what both could do it plays the next ticks on; it answers best to an other that does
        half the time what is natural, half the time what is hard to guess.
        """
        after: TickCore = self.clone()
        return -1 if self._over else plan_tick(self, seat & 1, after)

    def play_planned(self, view: TickCore, limit: cython.int = 1000000) -> int:
        """Let both play as the house planner, to the end of the game or for some ticks; answers the ticks
        played.

        Args:
            view: the same game as both know it, with the unseen cards `HIDDEN`. The planners see no more.
                It is played on with the game, and a card that is turned up shows in it.
            limit: the most ticks.
        """
        after: TickCore = self.clone()
        ticks: cython.int
        with cython.nogil:
            ticks = play_planned(self, view, after, limit)
        return ticks

    def filled(self, first: bytes, second: bytes) -> TickCore:
        """A copy in which these cards of seat 0 and of seat 1 lie in the place of those that are `HIDDEN`, in
        the order of reserve, hand and discard, each bottom to top.

        Raises:
            ValueError: a seat has more hidden cards than these.
        """
        new: TickCore = self.clone()
        decks = (iter(first), iter(second))
        index: cython.int
        place: cython.int
        for index in range(6):
            for place in range(PILE * index, PILE * index + new.count[index]):
                if new.cards[place] == UNSEEN:
                    kind = next(decks[index & 1], -1)
                    if kind < 0:
                        raise ValueError(f"expected more cards of seat {index & 1}")
                    new.cards[place] = kind
        return new

    def exchanged(self, names: bytes) -> TickCore:
        """A copy in which other cards lie in reserves, slots, hands and discards.

        Args:
            names: for seat 0 and then seat 1, for each of the 54 kinds the one that takes its place: `HIDDEN`
                for a card that nobody is to know; `NOTHING` and `HIDDEN` stay.

        Raises:
            ValueError: not so many names.
        """
        if len(names) != 108:
            raise ValueError(f"expected 108 names, got {len(names)}")
        new: TickCore = self.clone()
        rename(new, names, 0)
        return new

    def perft(self, depth: cython.int) -> int:
        """The number of sequences of `depth` pairs of actions (RULES 8)."""
        if depth <= 0:
            return 1
        total = 0
        for first in self.legal(0):
            for second in self.legal(1):
                after: TickCore = self.clone()
                play(after, first, second)
                total += after.perft(depth - 1)
        return total

    def pile(self, which: cython.int, seat: cython.int) -> list[int]:
        """The kinds of a seat's `RESERVE`, `HAND` or `DISCARD`, bottom to top."""
        number: cython.int = 2 * which + seat
        return [self.cards[PILE * number + place] for place in range(self.count[number])]

    def top_of(self, which: cython.int, seat: cython.int) -> int:
        """The kind on top of a pile, `NOTHING` if it is empty."""
        return top(self, 2 * which + seat)

    def slots_of(self, seat: cython.int) -> list[int]:
        """The kinds in a seat's slots."""
        return [self.slots[4 * seat + place] for place in range(4)]

    def heights_of(self) -> list[list[int]]:
        """The heights of the foundations by suit, highest first."""
        return [[self.heights[2 * suit], self.heights[2 * suit + 1]] for suit in range(4)]

    def completed_by(self, seat: cython.int) -> int:
        """Foundations that a seat completed."""
        return self.completed[seat & 1]

    def size(self, which: cython.int, seat: cython.int) -> int:
        """How many cards a pile has."""
        return self.count[2 * which + seat]

    def points(self, seat: cython.int) -> int:
        """What a seat has made so far (RULES 7)."""
        return count_points(self, seat & 1)

    @property
    def tick(self) -> int:
        """The number of the tick to be played."""
        return self._tick

    @property
    def stall(self) -> int:
        """Ticks since a card was played."""
        return self._stall

    @property
    def over(self) -> int:
        """Whether the game is over."""
        return self._over

    @property
    def stopper(self) -> int:
        """Who stopped it, -1 for nobody."""
        return self._stopper


def tick_core_of(piles, slots, heights, completed, state) -> TickCore:
    """A core by what `TickCore.load` takes: how cores are pickled."""
    core = TickCore()
    core.load(piles, slots, heights, completed, state)
    return core
