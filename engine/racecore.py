# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: overflowcheck=False, embedsignature=True
# mypy: disable-error-code="untyped-decorator, no-any-return, no-untyped-def, no-untyped-call, name-defined"
# mypy: disable-error-code="import-untyped, attr-defined, method-assign, valid-type, misc, assignment"
"""`vitesse` as small integers, for search and playouts: what `core` is for the games of turns (RULES 7).

One source that runs as it stands and compiles with Cython, with the same results. A card is its *kind*
(`cards.kind`), 52 none, 53 one that the reader may not know: it moves with its pile and fits nowhere.
An *action* is its index in `vitesse.ACTIONS`. There is no way back: `RaceCore.clone` and play on that.
"""

from __future__ import annotations

import cython

__all__ = ["DISCARD", "HAND", "HIDDEN", "NOTHING", "RESERVE", "STOP", "TURN", "WAIT", "RaceCore"]

NOTHING = 52
HIDDEN = 53

# Actions as in vitesse.ACTIONS: d-f, r-f, s1-f to s4-f, then these.
STOP = 6
TURN = 7
WAIT = 8

# Piles of `pile`.
RESERVE = 0
HAND = 1
DISCARD = 2

FROM_DISCARD = cython.declare(cython.int, 0)
FROM_RESERVE = cython.declare(cython.int, 1)
FROM_SLOT = cython.declare(cython.int, 2)
STOPS = cython.declare(cython.int, 6)
TURNS = cython.declare(cython.int, 7)
WAITS = cython.declare(cython.int, 8)
NONE = cython.declare(cython.int, 52)
STALL_LIMIT = cython.declare(cython.int, 200)
PILE = cython.declare(cython.int, 56)  # room of a pile

ONE = cython.declare(cython.ulonglong, 1)
ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
SUIT = cython.declare(cython.ulonglong, 0x1FFF)  # the thirteen kinds of the first suit

_LISTED: list[tuple[int, ...]] = [
    tuple(action for action in range(9) if mask >> action & 1) for mask in range(512)
]
"""The actions of every set of them."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _mix(value: cython.ulonglong) -> cython.ulonglong:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    value = ((value ^ (value >> 30)) * MIX1) & ALL64
    value = ((value ^ (value >> 27)) * MIX2) & ALL64
    return value ^ (value >> 31)


@cython.final
@cython.cclass
class RaceCore:
    """A game in progress; build one with `racetable.to_race_core`.

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
            self._look(suit)
        self.completed[0], self.completed[1] = completed
        self._tick, self._stall, self._stopper = state
        self._over = self._stopper >= 0 or self._stall >= STALL_LIMIT

    @cython.cfunc
    @cython.exceptval(check=False)
    def _look(self, suit: cython.int) -> cython.void:
        """Bring `due` up to date for a suit."""
        low: cython.int = 13 * suit
        self.due &= ALL64 ^ (SUIT << low)
        if self.heights[2 * suit] < 13:
            self.due |= ONE << (low + self.heights[2 * suit])
        if self.heights[2 * suit + 1] < 13:
            self.due |= ONE << (low + self.heights[2 * suit + 1])

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _fits(self, kind: cython.int) -> cython.int:
        """Whether a foundation is due the card."""
        return (self.due >> kind) & 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _mask(self, seat: cython.int) -> cython.int:
        """The set of what a seat may choose."""
        if self._over:
            return 0
        found: cython.int = 1 << WAITS
        place: cython.int
        n: cython.int = self.count[seat]
        if n:
            if self._fits(self.cards[PILE * seat + n - 1]):
                found |= 1 << FROM_RESERVE
        else:
            found |= 1 << STOPS
        for place in range(4):
            if self._fits(self.slots[4 * seat + place]):
                found |= 1 << (FROM_SLOT + place)
        hand: cython.int = self.count[2 + seat]
        n = self.count[4 + seat]
        if not found & 0x3E and (hand or n):
            found |= 1 << TURNS
        if n and self._fits(self.cards[PILE * (4 + seat) + n - 1]):
            found |= 1 << FROM_DISCARD
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def _turn(self, seat: cython.int) -> cython.void:
        """The top of the hand on the discard; an empty hand is first renewed from it."""
        hand: cython.int = PILE * (2 + seat)
        discard: cython.int = PILE * (4 + seat)
        n: cython.int = self.count[4 + seat]
        place: cython.int
        if not self.count[2 + seat]:
            for place in range(n):
                self.cards[hand + place] = self.cards[discard + n - 1 - place]
            self.count[2 + seat] = n
            n = 0
        self.count[2 + seat] -= 1
        self.cards[discard + n] = self.cards[hand + self.count[2 + seat]]
        self.count[4 + seat] = n + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _act(self, seat: cython.int, action: cython.int) -> cython.int:
        """Carry one seat's action out; whether a card was played."""
        if action >= STOPS:
            if action == TURNS:
                self._turn(seat)
            return 0
        kind: cython.int
        pile: cython.int = seat if action == FROM_RESERVE else 4 + seat
        place: cython.int = 4 * seat + action - FROM_SLOT
        if action >= FROM_SLOT:
            kind = self.slots[place]
        else:
            kind = self.cards[PILE * pile + self.count[pile] - 1]
        if not self._fits(kind):
            return 0  # the other came first: it stays where it is
        if action < FROM_SLOT:
            self.count[pile] -= 1
        elif self.count[seat]:
            self.count[seat] -= 1
            self.slots[place] = self.cards[PILE * seat + self.count[seat]]
        else:
            self.slots[place] = NONE
        self._left[seat] -= 1
        self._found(seat, kind)
        return 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _found(self, seat: cython.int, kind: cython.int) -> cython.void:
        """Put a card on the first foundation that is due it."""
        suit: cython.int = kind // 13
        rank: cython.int = kind - 13 * suit
        if self.heights[2 * suit] == rank:
            self.heights[2 * suit] = rank + 1
        else:
            self.heights[2 * suit + 1] = rank + 1
        if rank == 12:
            self.completed[seat] += 1
        self._look(suit)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _play(self, first: cython.int, second: cython.int) -> cython.void:
        """Carry a tick out in which seat 0 chose `first` and seat 1 `second`."""
        seat: cython.int = self._tick & 1
        action: cython.int = second if seat else first
        other: cython.int = first if seat else second
        played: cython.int = self._act(seat, action)
        played |= self._act(1 - seat, other)
        self._stall = 0 if played else self._stall + 1
        self._tick += 1
        if action == STOPS:
            self._stopper = seat
        elif other == STOPS:
            self._stopper = 1 - seat
        elif not self._left[seat]:
            self._stopper = seat
        elif not self._left[1 - seat]:
            self._stopper = 1 - seat
        self._over = self._stopper >= 0 or self._stall >= STALL_LIMIT

    # -- from Python

    @cython.ccall
    def legal(self, seat: cython.int) -> tuple[int, ...]:
        """What a seat may choose; nothing once the game is over."""
        return _LISTED[self._mask(seat & 1)]

    @cython.ccall
    def both(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """`legal` of seat 0 and of seat 1."""
        return _LISTED[self._mask(0)], _LISTED[self._mask(1)]

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
        if first < 0 or not (self._mask(0) >> first) & 1:
            raise ValueError(f"expected one of {self.legal(0)} of seat 0, got {first}")
        if second < 0 or not (self._mask(1) >> second) & 1:
            raise ValueError(f"expected one of {self.legal(1)} of seat 1, got {second}")
        self._play(first, second)

    def clone(self) -> RaceCore:
        """A copy that shares nothing."""
        return self._copied()

    @cython.cfunc
    def _copied(self) -> RaceCore:
        """`clone`, for the core itself."""
        new: RaceCore = RaceCore.__new__(RaceCore)
        new._become(self)
        return new

    @cython.cfunc
    @cython.exceptval(check=False)
    def _become(self, other: RaceCore) -> cython.void:
        """Be as the other is, and share nothing with it."""
        if cython.compiled:
            self.cards[:] = other.cards
            self.count[:] = other.count
            self.slots[:] = other.slots
            self.heights[:] = other.heights
            self.completed[:] = other.completed
            self._left[:] = other._left
        else:
            self.cards, self.count, self.slots = other.cards[:], other.count[:], other.slots[:]
            self.heights, self.completed, self._left = other.heights[:], other.completed[:], other._left[:]
        self.due, self._stall, self._over = other.due, other._stall, other._over
        self._stopper, self._tick = other._stopper, other._tick

    def playout(self, seed: cython.ulonglong, limit: cython.int = 1000000) -> int:
        """Let both choose uniformly to the end of the game, or for `limit` ticks; answers the ticks played.

        The seed alone decides (splitmix64), compiled or not.
        """
        state: cython.ulonglong = seed
        ticks: cython.int = 0
        while not self._over and ticks < limit:
            state = (state + GOLDEN) & ALL64
            chance: cython.ulonglong = _mix(state)
            self._play(self._picked(0, chance & 0xFFFF), self._picked(1, (chance >> 16) & 0xFFFF))
            ticks += 1
        return ticks

    @cython.cfunc
    @cython.exceptval(check=False)
    def _picked(self, seat: cython.int, chance: cython.int) -> cython.int:
        """One of the actions of a seat, by a random number of 16 bits."""
        mask: cython.int = self._mask(seat)
        action: cython.int
        count: cython.int = 0
        for action in range(9):
            count += (mask >> action) & 1
        skip: cython.int = (chance * count) >> 16
        for action in range(9):
            if (mask >> action) & 1:
                if not skip:
                    return action
                skip -= 1
        return WAITS

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
        ticks: cython.int = 0
        first: cython.p_uchar = order
        while not self._over and ticks < limit:
            self._play(self._first(0, first, by_cards), self._first(1, first, by_cards))
            ticks += 1
        return ticks

    def play_all(self, names: bytes, order: bytes, by_cards: cython.int) -> tuple[int, int]:
        """Play copies to their ends by `play_greedily`, each with other cards in place of these.

        Args:
            names: what `exchanged` takes, for one copy after the other.
            order, by_cards: as `play_greedily` takes them.

        Answers for seat 0 how many it won less how many it lost, and its points less the other's in all.

        Raises:
            ValueError: the names are not 108 for each copy, or the order is not of 16 actions.
        """
        if len(names) % 108 or len(order) != 16:
            raise ValueError(
                f"expected 108 names for each copy and 16 actions, got {len(names)}, {len(order)}"
            )
        first: cython.p_uchar = order
        other: cython.p_uchar = names
        won: cython.int = 0
        points: cython.int = 0
        ahead: cython.int
        copy: cython.int
        game: RaceCore = self._copied()
        for copy in range(len(names) // 108):
            game._become(self)
            game._rename(other, 108 * copy)
            while not game._over:
                game._play(game._first(0, first, by_cards), game._first(1, first, by_cards))
            ahead = game._made(0) - game._made(1)
            points += ahead
            won += (ahead > 0) - (ahead < 0)
        return won, points

    @cython.cfunc
    @cython.exceptval(check=False)
    def _first(self, seat: cython.int, order: cython.p_uchar, by_cards: cython.int) -> cython.int:
        """What a seat does in `play_greedily`."""
        mask: cython.int = self._mask(seat)
        index: cython.int
        ahead: cython.int
        if mask & (1 << STOPS):
            ahead = self._left[1 - seat] - self._left[seat]
            if not by_cards:
                ahead = self._made(seat) - self._made(1 - seat) + 19
            if ahead > 0:
                return STOPS
        if not mask & 0x3F:
            return TURNS if mask & (1 << TURNS) else WAITS
        for index in range(8 * seat, 8 * seat + 8):
            if (mask >> order[index]) & 1:
                return order[index]
        return WAITS

    def exchanged(self, names: bytes) -> RaceCore:
        """A copy in which other cards lie in reserves, slots, hands and discards.

        Args:
            names: for seat 0 and then seat 1, for each of the 54 kinds the one that takes its place: `HIDDEN`
                for a card that nobody is to know; `NOTHING` and `HIDDEN` stay.

        Raises:
            ValueError: not so many names.
        """
        if len(names) != 108:
            raise ValueError(f"expected 108 names, got {len(names)}")
        new: RaceCore = self._copied()
        new._rename(names, 0)
        return new

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rename(self, names: cython.p_uchar, at: cython.int) -> cython.void:
        """Put other cards in the place of these, by 108 names from there on."""
        index: cython.int
        place: cython.int
        own: cython.int
        for index in range(6):
            own = at + 54 * (index & 1)
            for place in range(PILE * index, PILE * index + self.count[index]):
                self.cards[place] = names[own + self.cards[place]]
        for index in range(8):
            self.slots[index] = names[at + 54 * (index >> 2) + self.slots[index]]

    def perft(self, depth: cython.int) -> int:
        """The number of sequences of `depth` pairs of actions (RULES 8)."""
        if depth <= 0:
            return 1
        total = 0
        for first in self.legal(0):
            for second in self.legal(1):
                after = self._copied()
                after._play(first, second)
                total += after.perft(depth - 1)
        return total

    # -- what is on the table

    def pile(self, which: cython.int, seat: cython.int) -> list[int]:
        """The kinds of a seat's `RESERVE`, `HAND` or `DISCARD`, bottom to top."""
        number: cython.int = 2 * which + seat
        return [self.cards[PILE * number + place] for place in range(self.count[number])]

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
        return self._made(seat & 1)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _made(self, seat: cython.int) -> cython.int:
        """`points`, for the core itself."""
        made: cython.int = 10 * self.completed[seat] + 52 - self._left[seat]
        return made + 20 if self._stopper == seat else made

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
