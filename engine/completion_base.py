"""Ways in which unseen cards may lie, and how a game goes on in each: what both cores' completions share.

A part of each core: `setup.py` joins it with the others before it compiles them.
"""

from __future__ import annotations

import cython

from engine.bits import ALL64, GOLDEN, mix

MOST_WAYS = cython.declare(cython.int, 128)


@cython.cclass
class CompletionBase:
    """Ways in which the cards that nobody has seen may lie; a core's completions play the games.

    It follows a game: tell it of each card turned up (`turned_up`) and ask what they brought (`brought`).
    Every way is a permutation of the unseen cards over their places, relative to how they truly lie, so that
    whatever the permutations are, no position becomes likelier: over all that could be each is as uniform as
    the truth. Between two cards a way stays the same, so that the chance of what still lies in it cancels.
    """

    count: cython.int
    full: cython.int
    active: cython.int  # in how many ways games are played on now
    times: cython.int  # how often they were
    width: cython.int  # names of a way
    begun: cython.uchar  # whether a card was turned up
    valued: cython.uchar  # whether `results` and `margins` are those of the last card, and are in the sums
    foreseen: cython.uchar  # whether it is known where the game goes from the last card if it is played on
    unseen: cython.uchar[212]
    names: cython.uchar[26752]  # for each way the card in the place of each card
    result: cython.int
    margin: cython.int
    results: cython.short[128]
    margins: cython.short[128]

    @cython.cfunc
    def _prepare(self, count: cython.int, full: cython.int, width: cython.int, cards: cython.int):
        """Begin with every card in its place; `cards` are the names of a pack, over and over."""
        index: cython.int
        if not 0 < count <= MOST_WAYS:
            raise ValueError(f"expected from 1 to {MOST_WAYS} ways, got {count}")
        if not cython.compiled:
            self.unseen, self.names = [0] * 212, [0] * 26752
            self.results, self.margins = [0] * 128, [0] * 128
        for index in range(212):
            self.unseen[index] = 0
        for index in range(width * count):
            self.names[index] = index % cards
        self.count, self.active, self.full, self.times, self.width = count, count, full, 0, width
        self.result = self.margin = 0
        self.begun = self.valued = self.foreseen = False

    @cython.cfunc
    def _arrange(self, first: cython.int, pool: list[int], state: cython.ulonglong) -> cython.ulonglong:
        """Choose the places of a pool's cards in every way; answers the state of the dice after it.

        The first `n` ways put each of a pool's `n` cards once in each place (a Latin square), and so on.
        `first` is where the names of its pack begin.
        """
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
                    other = ((mix(state) >> 32) * (index + 1)) >> 32
                    pool[index], pool[other] = pool[other], pool[index]
            for index in range(size):
                self.names[self.width * way + first + pool[index]] = pool[(index + way + 1) % size]
        return state

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _played(self, game: object, core: object, way: cython.int) -> cython.void:
        """Play `game` on from `core` in a way; write down its result and its margin."""

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _value(self, game: object, core: object, sign: cython.int) -> cython.void:
        """Play the game on from `core` in every way, by `game`, and add how it ends."""
        way: cython.int
        if self.times >= self.full and (self.times - self.full) % 8 == 0 and self.active % 2 == 0:
            self.active //= 2
        self.times += 1
        for way in range(self.active):
            self._played(game, core, way)
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
    def _show(self, first: cython.int, card: cython.int) -> cython.void:
        """A card was turned up: in every way it changes places with the one that lay in its place."""
        way: cython.int
        begin: cython.int
        place: cython.int
        for way in range(self.count):
            begin = self.width * way + first
            place = 0
            while self.names[begin + place] != card:
                place += 1
            self.names[begin + place] = self.names[begin + card]
            self.names[begin + card] = card
        self.unseen[first + card] = 0
        self.begun, self.valued = True, False

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _account(self, game: object, last: object, core: object, expected: cython.int) -> cython.void:
        """What was played on from the last card ends, and what is played on without the next begins.

        As long as the seats do what was `expected`, the games without a card are those with the one before,
        so that the two cancel and neither is played.
        """
        if not expected:
            if self.begun and not self.valued:
                self._value(game, last, 1)
            self._value(game, core, -1)
        elif self.valued:
            self._add(-1)

    @cython.cfunc
    def _sums(self):
        """The sums so far, which then begin again."""
        found = (self.result, self.margin)
        self.result = self.margin = 0
        self.valued = self.begun
        return found
