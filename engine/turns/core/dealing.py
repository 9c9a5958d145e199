"""Deals inside the core: what `turns.deal` deals, without the interpreter (RULES 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.bits import ONE
from engine.digest import digest
from engine.turns.core.state import ending, retop
from engine.turns.core.tables import EMPTY, NONE, P_DRAWN, P_HAND, P_RESERVE

if TYPE_CHECKING:
    from engine.turns.core.core import Core

STARTS_LOW = cython.declare(cython.int, 0)  # variants.Start
STARTS_FIRST = cython.declare(cython.int, 1)
STARTS_LOW_VALUES = cython.declare(cython.int, 2)


@cython.final
@cython.cclass
class Dealer:
    """Deals a variant by number: deal ``k`` is `engine.deal` with the seed `prefix` followed by ``k``."""

    players: cython.int
    one_pack: cython.int
    laying: cython.int
    taken: cython.int  # cards of a pack that go to a reserve
    start: cython.int
    length: cython.int  # of the prefix
    text: cython.uchar[64]
    message: cython.uchar[64]
    block: cython.uint[8]
    kinds: cython.uchar[52]  # the kind of each card of a pack before shuffling
    rank: cython.uchar[52]  # where each kind stands when cards decide who starts
    cards: cython.uchar[104]  # a pack, as places in the pack before shuffling
    dealt: cython.uchar[208]  # the kinds of all packs in the order in which they are dealt
    copies: cython.uchar[52]
    made_of: tuple[object, ...]

    def __init__(self, variant, players: cython.int, kinds: bytes, prefix: bytes):
        """A dealer of a `variants.Variant`.

        Args:
            players: how many seats.
            kinds: the kind of each card of `cards.PACK`.
            prefix: what the text of each seed begins with.

        Raises:
            ValueError: not 52 kinds, or a prefix of more than 40 bytes.
        """
        index: cython.int
        if len(kinds) != 52 or len(prefix) > 40:
            raise ValueError(f"expected 52 kinds and up to 40 bytes, got {len(kinds)} and {len(prefix)}")
        if not cython.compiled:
            self.text, self.message, self.block = [0] * 64, [0] * 64, [0] * 8
            self.kinds, self.rank, self.copies = [0] * 52, [0] * 52, [0] * 52
            self.cards, self.dealt = [0] * 104, [0] * 208
        self.made_of = (variant, players, kinds, prefix)
        self.players = players
        self.one_pack, self.laying, self.start = variant.one_pack, variant.laying, variant.start
        self.taken = 13 if variant.has_reserve else 0
        self.length = len(prefix)
        for index in range(len(prefix)):
            self.text[index] = prefix[index]
        for index in range(52):
            self.kinds[index] = kinds[index]
            # Bridge order is clubs, diamonds, hearts, spades; the suits of kinds are S, H, D, C.
            self.rank[index] = 4 * (index % 13) + 3 - index // 13

    def __reduce__(self):
        """By what it was made of."""
        return Dealer, self.made_of

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def deal(self, core: Core, number: cython.ulonglong) -> cython.void:
        """Set `core`, of the same variant and seats, up as deal `number`."""
        seat: cython.int
        self._seed(number)
        if self.one_pack:
            self._shuffle(104, -1)
            for seat in range(104):
                self.dealt[seat] = self.kinds[self.cards[seat] % 52]
        else:
            for seat in range(self.players):
                self._deal_pack(seat)
        self._set_up(core)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _deal_pack(self, seat: cython.int) -> cython.void:
        """Shuffle the pack of a seat."""
        index: cython.int
        self._shuffle(52, seat)
        for index in range(52):
            self.dealt[52 * seat + index] = self.kinds[self.cards[index]]

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _seed(self, number: cython.ulonglong) -> cython.void:
        """Begin `message` with the seed of a deal: the SHA-256 of its text."""
        size: cython.int = self.length
        digits: cython.int = 1
        rest: cython.ulonglong = number
        index: cython.int
        while rest >= 10:
            rest //= 10
            digits += 1
        for index in range(digits):
            self.text[size + digits - 1 - index] = 48 + number % 10
            number //= 10
        digest(self.text, size + digits, self.block)
        for index in range(32):
            self.message[index] = self.block[index >> 2] >> (24 - 8 * (index & 3)) & 255

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _shuffle(self, size: cython.int, seat: cython.int) -> cython.void:
        """`seeds.shuffled` of one pack, or of two as one (`seat` -1), by the stream of its label."""
        index: cython.int
        end: cython.int = 37
        used: cython.int = 8
        block: cython.int = 0
        last: cython.int
        other: cython.int
        card: cython.uchar
        word: cython.ulonglong
        fair: cython.ulonglong
        self.message[32], self.message[33], self.message[34] = 47, 112, 97  # "/pack0/", then the block
        self.message[35], self.message[36] = 99, 107
        if seat >= 0:
            self.message[37] = 48 + seat
            end = 38
        self.message[end] = 47
        for index in range(8):
            self.message[end + 1 + index] = 0
        for index in range(size):
            self.cards[index] = index
        last = size - 1
        while last > 0:
            if used == 8:
                self.message[end + 7], self.message[end + 8] = block >> 8, block & 255
                digest(self.message, end + 9, self.block)
                block += 1
                used = 0
            word = self.block[used]
            used += 1
            fair = ONE << 32
            fair -= fair % (last + 1)
            if word >= fair:
                continue
            other = word % (last + 1)
            card = self.cards[last]
            self.cards[last] = self.cards[other]
            self.cards[other] = card
            last -= 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _set_up(self, core: Core) -> cython.void:
        """Lay the packs out: reserve, houses, hand with the last card dealt at the bottom."""
        index: cython.int
        seat: cython.int
        first: cython.int
        laid: cython.int = 0 if self.laying else 4
        card: cython.int
        for index in range(52):
            self.copies[index] = 0
        for index in range(P_DRAWN + 1):
            core.top[index] = NONE
        for index in range(56):
            core.at[index] = 0
        core.at[EMPTY] = (1 << 4 * self.players) - 1
        for index in range(4):
            core.link[index] = 0
            core.completed[index] = 0
        for index in range(16):
            core.heights[index] = 0
        core.due = ONE | ONE << 13 | ONE << 26 | ONE << 39
        core.fit = 0
        core.n_emptied = core.n_out = core.emptied = core.out = 0
        core.idle = core.stall = core.passes = core.mute = core.last = core.quota = core.lay = 0
        core._over = core.ready = core.best = 0
        core._turn_number = 0
        # Copies get their numbers in the order of `conversion.to_core`: houses, then seat by seat.
        for seat in range(self.players):
            for index in range(laid):
                card = self._next(52 * seat + self.taken + index)
                core.below[card] = NONE
                core.top[4 * seat + index] = card
        for seat in range(self.players):
            first = 52 * seat
            for index in range(self.taken):
                self._put(core, P_RESERVE + seat, first + index)
            for index in range(51, self.taken + laid - 1, -1):
                self._put(core, P_HAND + seat, first + index)
        if self.laying:
            core.lay, core.quota = 4, 2
        core._turn = self._starter(laid)
        core.base = 512 * (4 * (self.players - 2) + core._turn)
        for index in range(4 * self.players):
            retop(core, index, EMPTY, core.top[index] >> 2)
        core._over = ending(core)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _next(self, place: cython.int) -> cython.int:
        """The id of the card dealt at a place."""
        kind: cython.int = self.dealt[place]
        copy: cython.int = self.copies[kind]
        self.copies[kind] += 1
        return 4 * kind + copy

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _put(self, core: Core, pile: cython.int, place: cython.int) -> cython.void:
        """Put the card dealt at a place on a pile."""
        card: cython.int = self._next(place)
        core.below[card] = core.top[pile]
        core.top[pile] = card

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _starter(self, laid: cython.int) -> cython.int:
        """`deal.starter`."""
        seat: cython.int
        best: cython.int = 0
        if self.start == STARTS_FIRST:
            return 0
        for seat in range(1, self.players):
            if self._before(seat, best, laid):
                best = seat
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _before(self, seat: cython.int, other: cython.int, laid: cython.int) -> cython.int:
        """Whether a seat starts rather than a lower one: the first cards that differ decide."""
        one: cython.int = self.rank[self.dealt[52 * seat + 12]]
        two: cython.int = self.rank[self.dealt[52 * other + 12]]
        index: cython.int
        if self.start == STARTS_LOW_VALUES:
            one, two = one >> 2, two >> 2
            for index in range(13, 13 + laid):
                if one == two:
                    one = self.rank[self.dealt[52 * seat + index]] >> 2
                    two = self.rank[self.dealt[52 * other + index]] >> 2
            return one < two
        index = 51  # the bottom of the hand
        while one == two and index > 12 + laid:
            one = self.rank[self.dealt[52 * seat + index]]
            two = self.rank[self.dealt[52 * other + index]]
            index -= 1
        return one < two if self.start == STARTS_LOW else one > two
