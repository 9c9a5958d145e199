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

__all__ = [
    "DISCARD",
    "HAND",
    "HIDDEN",
    "NOTHING",
    "RESERVE",
    "STOP",
    "TURN",
    "WAIT",
    "RaceCompletions",
    "RaceCore",
]

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
AHEAD = cython.declare(cython.int, 12)  # ticks that the planner looks ahead
ROUNDS = cython.declare(cython.int, 60)  # of its fictitious play
SURE = cython.declare(cython.double, 25.0)  # what a won game is worth to it, in points
RESERVE_CARD = cython.declare(cython.double, 1.5)  # and a card of the reserve
BELIEF = cython.declare(cython.double, 0.5)  # how much of the other's choice it takes for natural
KING = cython.declare(cython.int, 12)
NATURAL = cython.declare(cython.uchar[16])  # what it takes for natural: slots, reserve, discard, turn, wait

ONE = cython.declare(cython.ulonglong, 1)
ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MIX1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
SUIT = cython.declare(cython.ulonglong, 0x1FFF)  # the thirteen kinds of the first suit

if not cython.compiled:
    NATURAL = [0] * 16


def _fill_natural() -> None:
    """The order in which a seat naturally plays, best first, for both seats."""
    for index, action in enumerate((2, 3, 4, 5, 1, 0, 7, 8) * 2):
        NATURAL[index] = action


_fill_natural()

_LISTED: list[tuple[int, ...]] = [
    tuple(action for action in range(9) if mask >> action & 1) for mask in range(512)
]
"""The actions of every set of them."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
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
    @cython.nogil
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
    @cython.nogil
    def _fits(self, kind: cython.int) -> cython.int:
        """Whether a foundation is due the card."""
        return (self.due >> kind) & 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
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
    @cython.nogil
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
    @cython.nogil
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
    @cython.nogil
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
    @cython.nogil
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
    @cython.nogil
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
        ticks: cython.int
        first: cython.p_uchar = order
        with cython.nogil:
            ticks = self._play_greedily(first, by_cards, limit)
        return ticks

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_greedily(self, order: cython.p_uchar, by_cards: cython.int, limit: cython.int) -> cython.int:
        """`play_greedily`, for the core itself."""
        ticks: cython.int = 0
        while not self._over and ticks < limit:
            self._play(self._first(0, order, by_cards), self._first(1, order, by_cards))
            ticks += 1
        return ticks

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
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

    def planned(self, seat: cython.int) -> int:
        """What the house planner does in this tick, -1 if the game is over. It looks at every card that the
        core knows: ask a core in which the unseen ones are `HIDDEN`.

        For every pair of what both could do it plays the next ticks on; it answers best to an other that does
        half the time what is natural, half the time what is hard to guess.
        """
        after: RaceCore = self._copied()
        return -1 if self._over else _planned(self, seat & 1, after)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _choices(self, mask: cython.int, choices: cython.p_uchar, first: cython.int) -> cython.int:
        """Write what a seat may do from `first` on, what is natural first and stopping last; how many."""
        index: cython.int
        count: cython.int = 0
        for index in range(8):
            if (mask >> NATURAL[index]) & 1:
                choices[first + count] = NATURAL[index]
                count += 1
        if mask & (1 << STOPS):
            choices[first + count] = STOPS
            count += 1
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _stop_wins(self, seat: cython.int, others: cython.int) -> cython.int:
        """Whether a call of stop in this tick wins whatever the other does."""
        other: cython.int = 1 - seat
        ahead: cython.int = self._made(seat) - self._made(other)
        gain: cython.int = 0
        action: cython.int
        kind: cython.int
        if others & (1 << STOPS) and (self._tick & 1) == other:
            return ahead > 20  # it may call first
        for action in range(STOPS):
            if (others >> action) & 1:
                if action >= FROM_SLOT:
                    kind = self.slots[4 * other + action - FROM_SLOT]
                else:
                    kind = self._top(other if action == FROM_RESERVE else 4 + other)
                gain = 11 if kind % 13 == KING else max(gain, 1)
                if gain == 11:
                    break
        return ahead + 20 > gain

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
    @cython.nogil
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

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _same(self, other: RaceCore) -> cython.int:
        """Whether both are at the same point of a game, with every card in the same place."""
        index: cython.int
        place: cython.int
        if self._tick != other._tick or self._stall != other._stall or self._stopper != other._stopper:
            return 0
        for index in range(8):
            if self.slots[index] != other.slots[index] or self.heights[index] != other.heights[index]:
                return 0
        for index in range(6):
            if self.count[index] != other.count[index]:
                return 0
            for place in range(PILE * index, PILE * index + self.count[index]):
                if self.cards[place] != other.cards[place]:
                    return 0
        return self._over == other._over and self.completed[0] == other.completed[0]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _top(self, pile: cython.int) -> cython.int:
        """The kind on top of a pile, `NOTHING` if it is empty."""
        n: cython.int = self.count[pile]
        return self.cards[PILE * pile + n - 1] if n else NONE

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

    def top_of(self, which: cython.int, seat: cython.int) -> int:
        """The kind on top of a pile, `NOTHING` if it is empty."""
        return self._top(2 * which + seat)

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
    @cython.nogil
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


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def _planned(core: RaceCore, seat: cython.int, after: RaceCore) -> cython.int:
    """`planned`, for the core itself; `after` is overwritten."""
    choices: cython.uchar[18]  # what it and the other may do, nine each
    counts: cython.int[2]
    worth: cython.double[81]
    guess: cython.double[9]
    if not cython.compiled:
        choices, counts, worth, guess = [0] * 18, [0, 0], [0.0] * 81, [0.0] * 9
    mask: cython.int = core._mask(seat)
    others: cython.int = core._mask(1 - seat)
    mine: cython.int
    theirs: cython.int
    natural: cython.int = 0
    place: cython.int = 0
    total: cython.double
    most: cython.double = 0
    if mask & (1 << STOPS) and core._stop_wins(seat, others):
        return STOPS
    counts[0] = core._choices(mask, choices, 0)
    counts[1] = core._choices(others, choices, 9)
    if choices[0] == TURNS and counts[0] == 2:
        return TURNS
    for mine in range(counts[0]):
        for theirs in range(counts[1]):
            worth[9 * mine + theirs] = _worth(core, seat, choices[mine], choices[9 + theirs], after)
    if others & (1 << STOPS) and core._made(1 - seat) + 20 > core._made(seat) + 1:
        natural = counts[1] - 1  # stopping is the last choice
    _mixed(worth, counts[0], counts[1], guess)
    for theirs in range(counts[1]):
        guess[theirs] = (1 - BELIEF) * guess[theirs] + BELIEF * (theirs == natural)
    for mine in range(counts[0]):
        total = 0
        for theirs in range(counts[1]):
            total += worth[9 * mine + theirs] * guess[theirs]
        if mine == 0 or total > most:
            place, most = mine, total
    return choices[place]


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def _worth(
    core: RaceCore, seat: cython.int, mine: cython.int, theirs: cython.int, after: RaceCore
) -> cython.double:
    """How good a tick is for a seat, in points, after both play on naturally for some more."""
    ahead: cython.int
    after._become(core)
    if seat:
        after._play(theirs, mine)
    else:
        after._play(mine, theirs)
    after._play_greedily(NATURAL, False, AHEAD)
    ahead = after._made(seat) - after._made(1 - seat)
    if not after._over:
        return ahead + RESERVE_CARD * (cython.cast(cython.int, after.count[1 - seat]) - after.count[seat])
    return ahead + (SURE if ahead > 0 else -SURE if ahead < 0 else 0.0)


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def _mixed(
    worth: cython.p_double, own: cython.int, others: cython.int, shares: cython.p_double
) -> cython.void:
    """Write how the other mixes its actions when both play well, by fictitious play (Brown 1951)."""
    rows: cython.double[9]
    columns: cython.double[9]
    counts: cython.int[9]
    if not cython.compiled:
        rows, columns, counts = [0.0] * 9, [0.0] * 9, [0] * 9
    index: cython.int
    best: cython.int
    for index in range(9):
        rows[index] = columns[index] = 0
        counts[index] = 0
    for _ in range(ROUNDS):
        best = 0
        for index in range(1, own):
            if rows[index] > rows[best]:
                best = index
        for index in range(others):
            columns[index] += worth[9 * best + index]
        best = 0
        for index in range(1, others):
            if columns[index] < columns[best]:
                best = index
        counts[best] += 1
        for index in range(own):
            rows[index] += worth[9 * index + best]
    for index in range(others):
        shares[index] = cython.cast(cython.double, counts[index]) / ROUNDS


@cython.final
@cython.cclass
class RaceCompletions:
    """Ways in which the cards that nobody has seen may lie, and how the game goes on in each: what
    `core.Completions` is for the games of turns."""

    count: cython.int
    full: cython.int
    active: cython.int  # in how many ways games are played on now
    times: cython.int  # how often they were
    by_cards: cython.int
    begun: cython.uchar  # whether a card was turned up
    valued: cython.uchar  # whether `results` and `margins` are those of `last`, and are in the sums
    foreseen: cython.uchar  # whether `ahead` tells where the game goes from `last` if it is played greedily
    order: cython.uchar[16]
    plans: cython.uchar[2]  # whether a seat plays as the planner
    known: cython.uchar[108]  # the names of the cards as everybody knows them in the game played on
    unseen: cython.uchar[108]
    names: cython.uchar[13824]  # for each of 128 ways and seat the kind in the place of each kind
    result: cython.int
    margin: cython.int
    results: cython.short[128]
    margins: cython.short[128]
    last: RaceCore  # the game after the last card turned up
    ahead: RaceCore
    game: RaceCore
    view: RaceCore
    after: RaceCore

    def __init__(
        self,
        core: RaceCore,
        pools,
        count: cython.int,
        seed: cython.ulonglong,
        order: bytes,
        by_cards,
        full,
        plans=(False, False),
    ):
        """Ways for the unseen cards of both seats, within which they change places.

        Args:
            core: the game as it stands, with every card where it truly lies.
            pools: for each seat the kinds that are equally likely to lie in each other's places.
            count: how many ways, up to 128.
            seed: it alone chooses the permutations (splitmix64), compiled or not.
            order, by_cards: how the game is played on, as `RaceCore.play_greedily` takes them.
            full: how often in all ways, as `core.Completions` has it.
            plans: for each seat whether it plays as the house planner, as `RaceCore.planned` has it.

        Raises:
            ValueError: too many ways, or the order is not of 16 actions.
        """
        index: cython.int
        seat: cython.int
        if not 0 < count <= 128 or len(order) != 16:
            raise ValueError(f"expected 1 to 128 ways and 16 actions, got {count} and {len(order)}")
        if not cython.compiled:
            self.order, self.unseen, self.names = [0] * 16, [0] * 108, [0] * 13824
            self.results, self.margins = [0] * 128, [0] * 128
            self.plans, self.known = [0, 0], [0] * 108
        for index in range(16):
            self.order[index] = order[index]
        for index in range(108):
            self.unseen[index] = 0
        self.count, self.active, self.full, self.times = count, count, full, 0
        self.by_cards, self.result, self.margin = by_cards, 0, 0
        self.begun = self.valued = self.foreseen = False
        for index in range(108 * count):
            self.names[index] = index % 54
        state: cython.ulonglong = seed
        for seat in range(2):
            state = self._arrange(54 * seat, [*pools[seat]], state)
        self.plans[0], self.plans[1] = plans
        self.last, self.ahead, self.game = core._copied(), core._copied(), core._copied()
        self.view, self.after = core._copied(), core._copied()

    @cython.cfunc
    def _arrange(self, first: cython.int, pool: list[int], state: cython.ulonglong) -> cython.ulonglong:
        """Choose the places of a seat's cards in every way; answers the state of the dice after it."""
        size: cython.int = len(pool)
        way: cython.int
        index: cython.int
        other: cython.int
        for index in range(size):
            self.unseen[first + pool[index]] = 1
        for way in range(self.count if size else 0):
            if way % size == 0:
                for index in range(size - 1, 0, -1):
                    state = (state + GOLDEN) & ALL64
                    other = ((_mix(state) >> 32) * (index + 1)) >> 32
                    pool[index], pool[other] = pool[other], pool[index]
            for index in range(size):
                self.names[108 * way + first + pool[index]] = pool[(index + way + 1) % size]
        return state

    def turned_up(self, core: RaceCore, seat: cython.int, kind: cython.int) -> None:
        """Take in that a card of a seat was just turned up, as `core.Completions.turned_up` has it.

        Of two cards in one tick the second is told with the same core. Raises ValueError: it was seen before.
        """
        way: cython.int
        card: cython.int = 54 * (seat & 1) + kind
        last: RaceCore = self.last
        ahead: RaceCore = self.ahead
        game: RaceCore = self.game
        view: RaceCore = self.view
        after: RaceCore = self.after
        if not 0 <= kind < NONE or not self.unseen[card]:
            raise ValueError(f"expected a card of seat {seat} that nobody has seen, got {kind}")
        with cython.nogil:
            if not (self.foreseen and core._same(ahead)):
                if self.begun and not self.valued:
                    self._value(game, last, view, after, 1)
                self._value(game, core, view, after, -1)
            elif self.valued:
                self._add(-1)
            for way in range(self.count):
                self._show(108 * way + card - kind, kind)
            self.begun, self.valued = True, False
            self.unseen[card] = 0
            last._become(core)
            ahead._become(core)
            self._look_ahead(ahead, view, after)

    def brought(self) -> tuple[int, int]:
        """What the cards turned up since this was last asked brought seat 0, added up over all ways: games
        won less games lost, and points less the other's."""
        result: cython.int
        margin: cython.int
        last: RaceCore = self.last
        game: RaceCore = self.game
        view: RaceCore = self.view
        after: RaceCore = self.after
        if self.begun and not self.valued:
            with cython.nogil:
                self._value(game, last, view, after, 1)
            self.valued = True
        result, margin = self.result, self.margin
        self.result = self.margin = 0
        return result, margin

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _value(
        self, game: RaceCore, core: RaceCore, view: RaceCore, after: RaceCore, sign: cython.int
    ) -> cython.void:
        """Play the game on from `core` in every way, by `game`, and add how it ends."""
        way: cython.int
        ahead: cython.int
        if self.times >= self.full and (self.times - self.full) % 8 == 0 and self.active % 2 == 0:
            self.active //= 2
        self.times += 1
        for way in range(self.active):
            game._become(core)
            game._rename(self.names, 108 * way)
            self._play_on(game, view, after, False)
            ahead = game._made(0) - game._made(1)
            self.results[way] = (ahead > 0) - (ahead < 0)
            self.margins[way] = ahead
        self._add(sign)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _add(self, sign: cython.int) -> cython.void:
        """Add how the games ended that were played last."""
        way: cython.int
        weight: cython.int = sign * (self.count // self.active)
        for way in range(self.active):
            self.result += weight * self.results[way]
            self.margin += weight * self.margins[way]

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _show(self, first: cython.int, kind: cython.int) -> cython.void:
        """Put a card in its true place in the names from `first` on, and the one from there in the place it
        had."""
        place: cython.int = 0
        while self.names[first + place] != kind:
            place += 1
        self.names[first + place] = self.names[first + kind]
        self.names[first + kind] = kind

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _shows(self, game: RaceCore) -> cython.int:
        """Whether a card lies open that was not told of yet."""
        index: cython.int
        for index in range(8):
            if self.unseen[54 * (index >> 2) + game.slots[index]]:
                return 1
        for index in range(2):
            if self.unseen[54 * index + game._top(index)] or self.unseen[54 * index + game._top(4 + index)]:
                return 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _look_ahead(self, game: RaceCore, view: RaceCore, after: RaceCore) -> cython.void:
        """Play `game` on to where the next card lies open."""
        self.foreseen = self._shows(game) or self._play_on(game, view, after, True)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_on(self, game: RaceCore, view: RaceCore, after: RaceCore, to_card: cython.int) -> cython.int:
        """Let both play to the end of the game, or `to_card` to where the next card lies open; whether one
        does. `view` and `after` are overwritten."""
        index: cython.int
        first: cython.int
        second: cython.int
        if not self.plans[0] and not self.plans[1] and not to_card:
            game._play_greedily(self.order, self.by_cards, 1000000)
            return 0
        for index in range(108):
            self.known[index] = 53 if self.unseen[index] else index % 54
        while not game._over:
            if self.plans[0] or self.plans[1]:
                self._learn(game)
                view._become(game)
                view._rename(self.known, 0)
            first = self._chosen(game, view, after, 0)
            second = self._chosen(game, view, after, 1)
            game._play(first, second)
            if to_card and self._shows(game):
                return 1
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _chosen(self, game: RaceCore, view: RaceCore, after: RaceCore, seat: cython.int) -> cython.int:
        """What a seat does now; `view` is the game as everybody knows it."""
        if self.plans[seat]:
            return _planned(view, seat, after)
        return game._first(seat, self.order, self.by_cards)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _learn(self, game: RaceCore) -> cython.void:
        """From now on everybody knows the cards that lie open."""
        index: cython.int
        kind: cython.int
        for index in range(8):
            kind = game.slots[index]
            self.known[54 * (index >> 2) + kind] = kind
        for index in range(2):
            kind = game._top(index)
            self.known[54 * index + kind] = kind
            kind = game._top(4 + index)
            self.known[54 * index + kind] = kind
