# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: overflowcheck=False, embedsignature=True
# mypy: disable-error-code="untyped-decorator, no-any-return, no-untyped-def, no-untyped-call, name-defined"
# mypy: disable-error-code="import-untyped, attr-defined, method-assign, valid-type, misc, assignment"
# ruff: noqa: F821
"""The heart: states, legal moves, apply and undo, playouts, as small integers and 64-bit sets.

One source for two ways of running: plain Python as it stands, or compiled by Cython. Results are the same.

*Cards* are ids ``4 * kind + copy`` (`cards.kind`), 208 for none, so that equal cards of several packs stay
apart. *Piles* are linked lists: ``top[pile]`` and ``below[id]``; every move is one pop and one push. *Moves*
are the bit indices described in `moves`. *Sets of houses* are bit masks: ``at[kind]`` holds the houses with
that top (``at[52]`` the empty ones), and ``link`` one bit for each pair of houses whose tops build, kept up
to date as tops change.

Positions come and go through `Core.load` and the accessors; `game` and `position` are the readable side of
it.
"""

from __future__ import annotations

import cython

from engine.moves import texts

__all__ = [
    "DISCARD",
    "DRAWN",
    "HAND",
    "HOUSE",
    "NOBODY",
    "PASSES",
    "PLAYING",
    "RESERVE",
    "STALL",
    "WIN",
    "Completions",
    "Core",
]

# Pile numbers; a seat's own are HAND + seat and so on.
HOUSE = 0
RESERVE = 16
DISCARD = 20
HAND = 24
DRAWN = 28
NOBODY = 208  # the id of no card

# Why a game is over.
PLAYING = 0
WIN = 1
STALL = 2
PASSES = 3

IDLE_LIMIT = cython.declare(cython.int, 100)  # RULES 3
STALL_LIMIT = cython.declare(cython.int, 200)  # RULES 3

NONE = cython.declare(cython.int, 208)
EMPTY = cython.declare(cython.int, 52)  # the kind of no card
NEVER = cython.declare(cython.int, 53)  # a kind that is nowhere
P_RESERVE = cython.declare(cython.int, 16)
P_DISCARD = cython.declare(cython.int, 20)
P_HAND = cython.declare(cython.int, 24)
P_DRAWN = cython.declare(cython.int, 28)
P_FOUNDATION = cython.declare(cython.int, 30)
P_PASS = cython.declare(cython.int, 31)
STOPPED = cython.declare(cython.int, 511)  # stands for a move in the undo token of a stop

# What the variant's data mean here (variants.Draw, variants.Order).
FLIP_WITHOUT_ROOM = cython.declare(cython.int, 1)
FILL_FROM_DISCARD = cython.declare(cython.int, 2)
FILL_FROM_RESERVE = cython.declare(cython.int, 3)
STOPPABLE = cython.declare(cython.int, 1)
STRICT = cython.declare(cython.int, 2)
FOUNDATION_FIRST = cython.declare(cython.int, 3)

# What a game is worth (variants.Points), if not nothing or the loser's cards.
CRAPETTE_POINTS = cython.declare(cython.int, 1)
RUSSIAN_POINTS = cython.declare(cython.int, 3)

# The marks of the mover's last action (RULES 1): none, regular, irregular, unknown.
REGULAR = cython.declare(cython.int, 1)
IRREGULAR = cython.declare(cython.int, 2)

# 64-bit constants live in variables: a literal above 2**31 would become a Python object when compiled.
ONE = cython.declare(cython.ulonglong, 1)
ALL64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
COLUMN = cython.declare(cython.ulonglong, 0x0001000100010001)
LAST = cython.declare(cython.ulonglong, 0x8000000000000000)
ROW16 = cython.declare(cython.ulonglong, 0xFFFF)
MIX1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
LOW32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)

# Tables. UP and DOWN hold, 64 for each way of building, the two kinds that a kind is built on and that are
# built on it.
UP1 = cython.declare(cython.uchar[192])
UP2 = cython.declare(cython.uchar[192])
DOWN1 = cython.declare(cython.uchar[192])
DOWN2 = cython.declare(cython.uchar[192])
LOWER = cython.declare(cython.uchar[64])  # same suit, one below
HIGHER = cython.declare(cython.uchar[64])  # same suit, one above
NEAR = cython.declare(cython.ulonglong[64])  # the set of those two kinds: what loads onto a kind
SOURCE = cython.declare(cython.uchar[6144])  # pile a move comes from, 512 for each (players - 2) * 4 + turn
TARGET = cython.declare(cython.uchar[6144])  # pile it goes to
RANK = cython.declare(cython.uchar[32])  # precedence of a target pile (RULES 6)
CLEAR = cython.declare(cython.ulonglong[8])  # narrow link without a house's row and column
SPREAD = cython.declare(cython.ulonglong[256])  # 8 houses to the rows of the narrow link
SPREAD4 = cython.declare(cython.ulonglong[16])  # 4 houses to the rows of a word of the wide link
COUNT = cython.declare(cython.uchar[256])  # how many bits are set

if not cython.compiled:
    UP1, UP2, DOWN1, DOWN2 = [0] * 192, [0] * 192, [0] * 192, [0] * 192
    LOWER, HIGHER, NEAR = [0] * 64, [0] * 64, [0] * 64
    SOURCE, TARGET, RANK = [0] * 6144, [0] * 6144, [0] * 32
    CLEAR, SPREAD, SPREAD4, COUNT = [0] * 8, [0] * 256, [0] * 16, [0] * 256


def _fill_builds() -> None:
    """Which kinds build on which, for each `variants.Build`, and which load (RULES 1, 4, 5)."""
    for kind in range(64):
        rank, suit = kind % 13, kind // 13
        card = kind < 52
        LOWER[kind] = kind - 1 if card and rank > 0 else NEVER
        HIGHER[kind] = kind + 1 if card and rank < 12 else NEVER
        NEAR[kind] = 0
        if card and rank > 0:
            NEAR[kind] |= ONE << (kind - 1)
        if card and rank < 12:
            NEAR[kind] |= ONE << (kind + 1)
        others = (0, 3) if suit in (1, 2) else (1, 2)  # the suits of the other colour
        for build in range(3):
            place = 64 * build + kind
            UP1[place] = UP2[place] = DOWN1[place] = DOWN2[place] = NEVER
            if build == 2:
                UP1[place], DOWN1[place] = HIGHER[kind], LOWER[kind]
                continue
            if card and rank < 12 and not (build == 1 and rank == 0):
                UP1[place], UP2[place] = 13 * others[0] + rank + 1, 13 * others[1] + rank + 1
            if card and rank > 0 and not (build == 1 and rank == 1):
                DOWN1[place], DOWN2[place] = 13 * others[0] + rank - 1, 13 * others[1] + rank - 1


def _fill_moves() -> None:
    """Where each move number comes from and goes to, for every number of seats and turn."""
    for players in range(2, 5):
        for turn in range(players):
            own = {"r": 16 + turn, "d": 20 + turn, "h": 28, "draw": 24 + turn, "pass": 31}
            for number, text in enumerate(texts(players, turn)):
                if text is None:
                    continue
                source, _, target = text.partition("-")
                place = 512 * (4 * (players - 2) + turn) + number
                SOURCE[place] = own[source] if source in own else int(source[1:]) - 1
                if target == "":
                    TARGET[place] = 28 if source == "draw" else 31
                elif target == "f":
                    TARGET[place] = 30
                elif target == "d":
                    TARGET[place] = 20 + turn
                elif target[0] == "t":
                    TARGET[place] = int(target[1:]) - 1
                else:
                    TARGET[place] = (16 if target[0] == "r" else 20) + int(target[1:])


def _fill_bits() -> None:
    """Masks and counts for sets of houses; the order of precedence (RULES 6)."""
    for houses in range(256):
        SPREAD[houses] = 0
        COUNT[houses] = 0
        for house in range(8):
            if houses >> house & 1:
                SPREAD[houses] |= ONE << (8 * house)
                COUNT[houses] += 1
    for houses in range(16):
        SPREAD4[houses] = 0
        for house in range(4):
            if houses >> house & 1:
                SPREAD4[houses] |= ONE << (16 * house)
    for house in range(8):
        CLEAR[house] = ALL64 ^ ((SPREAD[1] * 255) << (8 * house) | SPREAD[255] << house)
    for pile in range(32):
        RANK[pile] = 2 if 16 <= pile < 20 else 3 if 20 <= pile < 24 else 4
    RANK[30] = 1


_fill_builds()
_fill_moves()
_fill_bits()

NUMBERS = cython.declare(
    tuple, tuple(range(448))
)  # the move numbers as objects, so that no list allocates them


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def _mix(value: cython.ulonglong) -> cython.ulonglong:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    value = ((value ^ (value >> 30)) * MIX1) & ALL64
    value = ((value ^ (value >> 27)) * MIX2) & ALL64
    return value ^ (value >> 31)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
@cython.nogil
def _lowest(word: cython.ulonglong) -> cython.int:
    """The index of the lowest bit of a set that is not empty."""
    if not cython.compiled:
        return (word & -word).bit_length() - 1
    return core_lowest(word)


@cython.final
@cython.cclass
class Core:
    """A game in progress as integers: the fast path for search.

    Build one with `Game(position).core` or `load`. ``legal()`` and ``step(move)`` answer tuples of move
    numbers; `moves.texts(players, turn)` turns a number into text.
    """

    below: cython.uchar[212]
    top: cython.uchar[32]
    at: cython.ushort[56]
    heights: cython.uchar[16]  # 4 for each suit, highest first
    completed: cython.ushort[4]
    link: cython.ulonglong[4]
    words: cython.ulonglong[7]  # the set of legal moves, valid while `ready`
    due: cython.ulonglong  # the kinds that a foundation waits for
    fit: cython.int  # the houses whose top is due
    # The variant as numbers.
    _players: cython.uchar
    wide: cython.uchar
    build: cython.uchar
    needs_room: cython.uchar
    own_discard: cython.uchar
    must_place: cython.uchar
    drawing: cython.uchar
    order: cython.uchar
    scheme: cython.uchar
    # The state besides the cards.
    _turn: cython.uchar
    _over: cython.uchar
    lay: cython.uchar  # laying turns left with this one, 0 in play
    quota: cython.uchar
    idle: cython.uchar
    stall: cython.uchar
    passes: cython.uchar
    mute: cython.uchar  # a bit for each seat
    last: cython.uchar
    ready: cython.uchar
    best: cython.uchar  # highest precedence among the legal moves, valid while `ready`
    n_emptied: cython.uchar
    n_out: cython.uchar
    emptied: cython.ushort  # seats in order, four bits each from the lowest
    out: cython.ushort
    base: cython.ushort  # where the tables of moves begin for this turn
    _turn_number: cython.int

    def __init__(self, variant, players: cython.int):
        """An empty table for `players` seats of a `variants.Variant`; fill it with `load`."""
        if not cython.compiled:
            self.below, self.top, self.at = [208] * 212, [208] * 32, [0] * 56
            self.heights, self.completed = [0] * 16, [0] * 4
            self.link, self.words = [0] * 4, [0] * 7
        self._players = players
        self.wide = players > 2
        self.build = variant.build * 64
        self.needs_room = variant.needs_room
        self.own_discard = variant.own_discard
        self.must_place = variant.must_place
        self.drawing = variant.draw
        self.order = variant.order
        self.scheme = variant.points
        self.ready = self.best = 0

    def load(self, piles, heights, completed, emptied, out, state) -> None:
        """Set the whole table up.

        Args:
            piles: 29 sequences of card ids, bottom to top: houses, reserves, discards, hands, drawn.
            heights: the n foundation heights of each suit, highest first.
            completed: foundations completed by each seat.
            emptied, out: seats in the order in which they emptied their reserve and went out.
            state: turn, laying turns left (0 in play), quota, idle, stall, passes, mute bits, last mark
            (0-3),
                turn number.
        """
        suit: cython.int
        index: cython.int
        house: cython.int
        for pile in range(29):
            self._fill(pile, piles[pile])
        self.due = 0
        for suit in range(4):
            for index in range(self._players):
                height: cython.int = heights[suit][index]
                self.heights[4 * suit + index] = height
                if height < 13:
                    self.due |= ONE << (13 * suit + height)
        for index in range(self._players):
            self.completed[index] = completed[index]
        self.n_emptied, self.n_out = len(emptied), len(out)
        self.emptied = sum(seat << 4 * place for place, seat in enumerate(emptied))
        self.out = sum(seat << 4 * place for place, seat in enumerate(out))
        self._turn, self.lay, self.quota, self.idle, self.stall, self.passes, self.mute, self.last = state[:8]
        self._turn_number = state[8]
        self.base = 512 * (4 * (self._players - 2) + self._turn)
        for index in range(56):
            self.at[index] = 0
        self.at[EMPTY] = (1 << 4 * self._players) - 1
        for index in range(4):
            self.link[index] = 0
        self.fit = 0
        for house in range(4 * self._players):
            self._retop(house, EMPTY, self.top[house] >> 2)
        self._over = self._ending()
        self.ready = False

    @cython.cfunc
    def _fill(self, pile: cython.int, cards) -> cython.void:
        """Put the cards, bottom to top, on an empty pile."""
        under: cython.int = NONE
        card: cython.int
        for card in cards:
            self.below[card] = under
            under = card
        self.top[pile] = under

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _ending(self) -> cython.int:
        """Why the game is over, or 0: a win goes before a stall, a stall before passes (RULES 3)."""
        if self.n_out >= self._players - 1:
            return 1
        if self.stall >= STALL_LIMIT:
            return 2
        if self.passes >= self._players - self.n_out:
            return 3
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _retop(self, house: cython.int, old: cython.int, new: cython.int) -> cython.void:
        """A house showed a card of kind `old` and now shows `new`: keep the sets of houses right."""
        at = self.at
        bit: cython.int = 1 << house
        place: cython.int = self.build + new
        word: cython.int
        at[old] ^= bit
        at[new] |= bit
        row: cython.ulonglong = at[UP1[place]] | at[UP2[place]]
        column: cython.ulonglong = at[DOWN1[place]] | at[DOWN2[place]]
        self.fit &= ~bit
        if (self.due >> new) & 1:
            self.fit |= bit
        if not self.wide:
            self.link[0] = self.link[0] & CLEAR[house] | row << (8 * house) | SPREAD[column] << house
            return
        for word in range(4):
            self.link[word] = (self.link[word] & (ALL64 ^ COLUMN << house)) | SPREAD4[
                column >> 4 * word & 15
            ] << house
        word = house >> 2
        house = 16 * (house & 3)
        self.link[word] = self.link[word] & (ALL64 ^ ROW16 << house) | row << house

    # ---------------------------------------------------------------------------------------- legal moves

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _generate(self) -> cython.void:
        """Fill `words` with the set of legal moves, and `best`."""
        words = self.words
        word: cython.int
        self.ready = True
        self.best = 5
        if self._over:
            for word in range(7):
                words[word] = 0
        elif self.top[P_DRAWN] != NONE:
            self._generate_drawn()
        else:
            self._generate_tops()

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _usable(self) -> cython.int:
        """The empty houses that the mover may use: in laying some are spoken for (RULES 6)."""
        empty: cython.int = self.at[EMPTY]
        if self.lay and COUNT[empty] <= 2 * (self.lay - 1) + self.quota:
            return 0
        return empty

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _generate_drawn(self) -> cython.void:
        """With a card drawn, only that card can move (RULES 3)."""
        at = self.at
        top = self.top
        players: cython.int = self._players
        most: cython.int = 3 if self.wide else 1
        kind: cython.int = top[P_DRAWN] >> 2
        place: cython.int = self.build + kind
        houses: cython.ulonglong = at[UP1[place]] | at[UP2[place]] | self._usable()
        found: cython.ulonglong = (self.due >> kind) & 1
        room: cython.int = at[EMPTY] != 0 or not self.needs_room
        onto_discards: cython.ulonglong = 0
        onto_reserves: cython.ulonglong = 0
        seat: cython.int = self._turn
        step: cython.int
        for step in range(players - 1):
            seat += 1
            if seat == players:
                seat = 0
            onto_discards |= ((NEAR[top[P_DISCARD + seat] >> 2] >> kind) & 1) << step
            if room:
                onto_reserves |= ((NEAR[top[P_RESERVE + seat] >> 2] >> kind) & 1) << step
        trash: cython.ulonglong = 0 if self.lay else 1
        if self.must_place:  # RULES 5: only if it has no other legal move
            if houses or found or onto_discards or onto_reserves:
                trash = 0
        elif self.order:
            self.best = 1 if found else 2 if onto_reserves else 3 if onto_discards else 4 if houses else 5
            if self.order == STRICT:
                if self.best < 5:
                    trash = 0
                if self.best < 4:
                    houses = 0
                if self.best < 3:
                    onto_discards = 0
                if self.best < 2:
                    onto_reserves = 0
            elif self.order == FOUNDATION_FIRST and found:
                houses = onto_discards = onto_reserves = trash = 0
        singles: cython.ulonglong = (found | onto_discards << 1 | onto_reserves << (1 + most)) << (
            4 * most + 2
        )
        singles |= trash << (6 * most + 3)
        if not self.wide:
            self.words[0] = 0
            self.words[1] = houses << 40 | singles << 48
            return
        for step in range(6):
            self.words[step] = 0
        self.words[6] = houses << 16 | singles << 32

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _generate_tops(self) -> cython.void:
        """No card is drawn: the tops of the houses and of the own piles, `draw` and `pass`."""
        at = self.at
        top = self.top
        words = self.words
        wide: cython.int = self.wide
        players: cython.int = self._players
        most: cython.int = 3 if wide else 1
        group: cython.int = 2 * most + 1
        stride: cython.int = 16 if wide else 8
        turn: cython.int = self._turn
        due: cython.ulonglong = self.due
        empty: cython.int = at[EMPTY]
        usable: cython.ulonglong = self._usable() if self.lay else empty
        room: cython.int = empty != 0 or not self.needs_room
        fit: cython.ulonglong = self.fit
        reserve: cython.int = top[P_RESERVE + turn] >> 2
        discard: cython.int = top[P_DISCARD + turn] >> 2
        source: cython.int = discard if self.own_discard else EMPTY
        from_reserve: cython.ulonglong = 0
        from_discard: cython.ulonglong = 0
        onto_discards: cython.ulonglong = 0
        onto_reserves: cython.ulonglong = 0
        singles: cython.ulonglong = 0
        near: cython.ulonglong
        houses: cython.ulonglong
        kind: cython.int
        step: cython.int
        seat: cython.int = turn
        place: cython.int
        if reserve != EMPTY:
            singles |= (due >> reserve) & 1
            if room:
                place = self.build + reserve
                from_reserve = at[UP1[place]] | at[UP2[place]] | usable
        if source != EMPTY:
            singles |= ((due >> source) & 1) << group
            place = self.build + source
            from_discard = at[UP1[place]] | at[UP2[place]] | usable
        for step in range(players - 1):
            seat += 1
            if seat == players:
                seat = 0
            kind = top[P_DISCARD + seat] >> 2
            if kind != EMPTY:
                near = NEAR[kind]
                houses = at[LOWER[kind]] | at[HIGHER[kind]]
                onto_discards |= houses << (stride * step)
                singles |= ((near >> source) & 1) << (group + 1 + step)
                if room:
                    singles |= ((near >> reserve) & 1) << (1 + step)
            kind = top[P_RESERVE + seat] >> 2
            if room and kind != EMPTY:
                near = NEAR[kind]
                houses = at[LOWER[kind]] | at[HIGHER[kind]]
                onto_reserves |= houses << (stride * step)
                singles |= ((near >> source) & 1) << (group + 1 + most + step)
                singles |= ((near >> reserve) & 1) << (1 + most + step)
        # draw and pass
        hand: cython.int = top[P_HAND + turn] != NONE
        ended: cython.ulonglong = 0
        drawn: cython.ulonglong = 0
        if self.lay:
            step = 2 * (self.lay - 1) + self.quota
            drawn = hand and (self.quota > 0 or COUNT[empty] > step)
            ended = self.quota == 0 or not hand
        elif hand or discard != EMPTY:
            drawn = 1
            if self.drawing == FLIP_WITHOUT_ROOM:
                drawn = hand or not empty
            elif self.drawing == FILL_FROM_DISCARD:
                drawn = not hand or not empty or discard == EMPTY
            elif self.drawing == FILL_FROM_RESERVE:
                drawn = not empty or reserve == EMPTY
        else:
            ended = not (self.drawing == FILL_FROM_RESERVE and empty and reserve != EMPTY)
        between: cython.int = self.idle < IDLE_LIMIT
        if self.order:
            self.best = self._precedence(fit, singles, onto_discards, onto_reserves, most)
            if self.order == FOUNDATION_FIRST and self.best == 1:
                from_reserve = onto_discards = onto_reserves = drawn = ended = 0
                between = False
                if singles & 1:  # the reserve's top goes before all
                    fit = 0
                singles &= 1
            elif self.order == STRICT and self.best < 4:
                from_reserve = from_discard = drawn = ended = 0
                between = False
                singles &= self._class_mask(self.best, most)
                if self.best != 1:
                    fit = 0
                if self.best != 2:
                    onto_reserves = 0
                if self.best != 3:
                    onto_discards = 0
        singles |= (drawn | ended << 1) << (6 * most + 4)
        # the words
        if not wide:
            words[1] = (
                fit
                | onto_discards << 8
                | onto_reserves << 16
                | from_reserve << 24
                | from_discard << 32
                | singles << 48
            )
            words[0] = 0
            if between:
                words[0] = self.link[0] | SPREAD[empty ^ 255] * usable
            return
        words[4] = fit | onto_discards << 16
        words[5] = onto_reserves | from_reserve << 48
        words[6] = from_discard | singles << 32
        kind = ((1 << 4 * players) - 1) ^ empty
        for step in range(4):
            words[step] = 0
            if between:
                words[step] = self.link[step] | SPREAD4[kind >> 4 * step & 15] * usable

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _class_mask(self, rank: cython.int, most: cython.int) -> cython.ulonglong:
        """The single bits of reserve and discard whose target has this precedence (RULES 6)."""
        one: cython.ulonglong
        if rank == 1:
            one = 1
        elif rank == 2:
            one = ((ONE << most) - 1) << (1 + most)
        else:
            one = ((ONE << most) - 1) << 1
        return one | one << (2 * most + 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _precedence(
        self,
        fit: cython.ulonglong,
        singles: cython.ulonglong,
        onto_discards: cython.ulonglong,
        onto_reserves: cython.ulonglong,
        most: cython.int,
    ) -> cython.int:
        """The highest precedence that any card that can move has a legal move of; 4 if houses or none."""
        if fit or singles & self._class_mask(1, most):
            return 1
        if onto_reserves or singles & self._class_mask(2, most):
            return 2
        if onto_discards or singles & self._class_mask(3, most):
            return 3
        return 4

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _irregular(self, move: cython.int) -> cython.int:
        """Whether a legal move breaks the order of precedence; `best` must be ready (RULES 6)."""
        target: cython.int = TARGET[self.base + move]
        if target == P_DISCARD + self._turn:
            return self.best < 5
        return RANK[target] > self.best

    # ---------------------------------------------------------------------------------------- apply, undo

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _apply(self, move: cython.int) -> cython.int:
        """Carry out a legal move; answers the card moved (208: none), +256 if the discard was turned over."""
        top = self.top
        below = self.below
        place: cython.int = self.base + move
        source: cython.int = SOURCE[place]
        target: cython.int = TARGET[place]
        card: cython.int
        under: cython.int
        turn: cython.int = self._turn
        if self.order == STOPPABLE:
            if not self.ready:
                self._generate()
            self.last = IRREGULAR if self._irregular(move) else REGULAR
        self.ready = False
        if source == P_PASS:
            self._pass()
            return NONE
        if source == P_HAND + turn:
            self.idle = self.passes = 0
            return self._draw()
        self.passes = 0
        card = top[source]
        under = below[card]
        top[source] = under
        if source < 16:
            self._retop(source, card >> 2, under >> 2)
        if target < 16:
            under = top[target]
            below[card] = under
            top[target] = card
            self._retop(target, under >> 2, card >> 2)
            if source < 16:
                self.idle += 1
                return card
        elif target == P_FOUNDATION:
            self._found(card >> 2)
        else:
            below[card] = top[target]
            top[target] = card
        self.idle = 0
        if source >= 16:
            if source < 20 and top[source] == NONE:
                self.emptied |= turn << (4 * self.n_emptied)
                self.n_emptied += 1
            if target == P_DISCARD + turn:
                self._end_turn()
            elif (
                top[P_RESERVE + turn] == NONE and top[P_DISCARD + turn] == NONE and top[P_HAND + turn] == NONE
            ):
                self._go_out()
        return card

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _draw(self) -> cython.int:
        """Turn up the top of the hand; an empty hand is first renewed from the discard (RULES 3)."""
        top = self.top
        below = self.below
        turn: cython.int = self._turn
        flipped: cython.int = 0
        card: cython.int = top[P_HAND + turn]
        if card == NONE:
            self._flip(P_DISCARD + turn, P_HAND + turn)
            card = top[P_HAND + turn]
            flipped = 256
        top[P_HAND + turn] = below[card]
        below[card] = NONE
        top[P_DRAWN] = card
        if self.quota:
            self.quota -= 1
        return card | flipped

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _flip(self, source: cython.int, target: cython.int) -> cython.void:
        """Turn a whole pile over onto an empty one: its bottom card becomes the top."""
        top = self.top
        below = self.below
        card: cython.int = top[source]
        under: cython.int = NONE
        after: cython.int
        while card != NONE:
            after = below[card]
            below[card] = under
            under = card
            card = after
        top[target] = under
        top[source] = NONE

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _found(self, kind: cython.int) -> cython.void:
        """A card goes to the first foundation of its suit that is due it (RULES 1)."""
        at = self.at
        height: cython.int = kind % 13
        index: cython.int = 4 * (kind // 13)
        end: cython.int = index + self._players
        while self.heights[index] != height:
            index += 1
        self.heights[index] = height + 1
        self.stall = 0
        if index + 1 == end or self.heights[index + 1] != height:  # no second one waits for the same card
            self.due ^= ONE << kind
            self.fit &= ~at[kind]
        if height < 12:
            self.due |= ONE << (kind + 1)
            self.fit |= at[kind + 1]
        else:
            self.completed[self._turn] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _pass(self) -> cython.void:
        """Nothing is left to draw, or the laying turn is done."""
        if not self.lay:
            self.passes += 1
        self._end_turn()
        if not self._over and self.passes >= self._players - self.n_out:
            self._over = 3

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _end_turn(self) -> cython.void:
        """The turn passes to the next seat still in; laying turns count down (RULES 3, 6)."""
        seat: cython.int = self._turn
        self.idle = 0
        self.last = 0
        self.stall += 1
        self._turn_number += 1
        while True:
            seat += 1
            if seat == self._players:
                seat = 0
            if not self._is_out(seat):
                break
        self._turn = seat
        self.base = 512 * (4 * (self._players - 2) + seat)
        if self.lay:
            self.lay -= 1
            self.quota = 2 if self.lay else 0
        if self.stall >= STALL_LIMIT:
            self._over = 2

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _is_out(self, seat: cython.int) -> cython.int:
        """Whether a seat has gone out."""
        place: cython.int
        for place in range(self.n_out):
            if self.out >> (4 * place) & 15 == seat:
                return 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _go_out(self) -> cython.void:
        """The mover has no card left: a win, or with three or four seats the end of the turn (RULES 3)."""
        self.out |= self._turn << (4 * self.n_out)
        self.n_out += 1
        if self.n_out == self._players - 1:
            self._over = 1
            self.last = 0
        else:
            self._end_turn()

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _packed(self) -> cython.ulonglong:
        """The counters, phase and turn in 39 bits: what an undo restores."""
        state: cython.ulonglong = (
            self.idle | self.stall << 7 | self.passes << 15 | self.mute << 18 | self.last << 22
        )
        state |= self.lay << 24 | self.quota << 27 | self._turn << 29
        counts: cython.ulonglong = self.n_emptied | self.n_out << 3
        return state | counts << 31

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _push(self, move: cython.int) -> cython.ulonglong:
        """Apply and answer what `_undo` needs: state, move (9 bits), card and flip (9), turn ended (1)."""
        state: cython.ulonglong = self._packed()
        number: cython.int = self._turn_number
        moved: cython.ulonglong = self._apply(move) << 9 | move
        ended: cython.ulonglong = self._turn_number - number
        return state | moved << 37 | ended << 55

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _undo(self, token: cython.ulonglong) -> cython.void:
        """Take back the move that `_push` answered `token` for."""
        top = self.top
        below = self.below
        turn: cython.int = token >> 29 & 3
        move: cython.int = token >> 37 & 511
        card: cython.int = token >> 46 & 255
        place: cython.int
        source: cython.int
        target: cython.int
        under: cython.int
        self.idle = token & 127
        self.stall = token >> 7 & 255
        self.passes = token >> 15 & 7
        self.mute = token >> 18 & 15
        self.last = token >> 22 & 3
        self.lay = token >> 24 & 7
        self.quota = token >> 27 & 3
        self.n_emptied = token >> 31 & 7
        self.n_out = token >> 34 & 7
        self.emptied &= (1 << 4 * self.n_emptied) - 1
        self.out &= (1 << 4 * self.n_out) - 1
        self._turn = turn
        self._turn_number -= token >> 55 & 1
        self._over = 0
        self.ready = False
        self.base = 512 * (4 * (self._players - 2) + turn)
        if move == STOPPED:
            if card != NONE:  # the card in the air had gone to the mover's discard
                top[P_DISCARD + turn] = below[card]
                below[card] = NONE
                top[P_DRAWN] = card
            return
        place = self.base + move
        source = SOURCE[place]
        target = TARGET[place]
        if source == P_PASS:
            return
        if source == P_HAND + turn:
            top[P_DRAWN] = NONE
            below[card] = top[source]
            top[source] = card
            if token >> 54 & 1:
                self._flip(source, P_DISCARD + turn)
            return
        if target == P_FOUNDATION:
            self._unfound(card >> 2)
        else:
            under = below[card]
            top[target] = under
            if target < 16:
                self._retop(target, card >> 2, under >> 2)
        under = top[source]
        below[card] = under
        top[source] = card
        if source < 16:
            self._retop(source, under >> 2, card >> 2)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _unfound(self, kind: cython.int) -> cython.void:
        """Take the card back from its foundation: the last one of its suit that is so high."""
        at = self.at
        height: cython.int = kind % 13 + 1
        first: cython.int = 4 * (kind // 13)
        index: cython.int = first + self._players - 1
        while self.heights[index] != height:
            index -= 1
        self.heights[index] = height - 1
        if height < 13:
            if index == first or self.heights[index - 1] != height:
                self.due ^= ONE << (kind + 1)
                self.fit &= ~at[kind + 1]
        else:
            self.completed[self._turn] -= 1
        self.due |= ONE << kind
        self.fit |= at[kind]

    # ---------------------------------------------------------------------------------------- for Python

    @cython.ccall
    def legal(self) -> tuple[int, ...]:
        """The numbers of the legal moves, ascending; empty when the game is over."""
        if not self.ready:
            self._generate()
        return self._listed()

    @cython.cfunc
    def _listed(self) -> tuple[int, ...]:
        """The set of legal moves as a tuple."""
        if not cython.compiled:
            return _expanded(self.words, 7 if self.wide else 2)
        found: cython.int[452]
        return core_listed(NUMBERS, found, self._spread_out(found))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _spread_out(self, found: cython.p_int) -> cython.int:
        """Compiled only: write the numbers of the legal moves one after the other; answers how many."""
        count: cython.int = 0
        place: cython.int
        first: cython.int = 0
        index: cython.int
        word: cython.ulonglong
        for index in range(7 if self.wide else 2):
            word = self.words[index]
            place = count
            count += core_count(word)
            while word:  # four at a time: what is written beyond the count is overwritten or left aside
                found[place] = first + core_lowest(word)
                word &= word - 1
                found[place + 1] = first + core_lowest(word | LAST)
                word &= word - 1
                found[place + 2] = first + core_lowest(word | LAST)
                word &= word - 1
                found[place + 3] = first + core_lowest(word | LAST)
                word &= word - 1
                place += 4
            first += 64
        return count

    @cython.cfunc
    def _check(self, move: cython.int) -> cython.int:
        """Answer the move if it is legal.

        Raises:
            ValueError: it is not.
        """
        if not self._is_legal(move):
            raise ValueError(f"expected one of {self._listed()}, got {move}")
        return move

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _is_legal(self, move: cython.int) -> cython.int:
        """Whether a number is that of a legal move."""
        if not self.ready:
            self._generate()
        return 0 <= move < (448 if self.wide else 128) and (self.words[move >> 6] >> (move & 63)) & 1

    @cython.ccall
    def step(self, move: cython.int) -> tuple[int, ...]:
        """Carry out a legal move and answer the legal moves after it, in one crossing.

        Raises:
            ValueError: the move is not legal.
        """
        self._apply(self._check(move))
        self._generate()
        return self._listed()

    def push(self, move: cython.int) -> int:
        """Carry out a legal move and answer the token that `undo` takes back.

        Raises:
            ValueError: the move is not legal.
        """
        return self._push(self._check(move))

    def advance(self, moves: list[int]) -> int:
        """Carry out moves up to the first that turns up a card or ends the turn; answer how many that were.

        If one is not legal, those before it are carried out and the answer is ``~count`` of them.
        """
        count: cython.int = 0
        turn: cython.int = self._turn
        move: cython.int
        source: cython.int
        for move in moves:
            if not self._is_legal(move):
                return ~count
            source = SOURCE[self.base + move]
            self._apply(move)
            count += 1
            if self._over or self._turn != turn or source == P_HAND + turn:
                break
            if P_RESERVE <= source < P_HAND and self.top[source] != NONE:
                break
        return count

    def trace(self, moves: list[int]) -> list[tuple[int, int, int, int, tuple[int, ...] | None]]:
        """Carry out legal moves, of several turns if need be, and tell of each what an event does.

        That is: the card moved (208: none; 256 more if the discard was turned over for it), the card then on
        top of the pile it left (208: none), the place of the foundation it went to among those of its suit
        (else -1), the counters (see `counters`), and, only where one of these changed, turn, laying turns,
        quota, turn number and how many seats are out.

        Raises:
            ValueError: a move is not legal; those before it were carried out.
        """
        told: list[tuple[int, int, int, int, tuple[int, ...] | None]] = []
        move: cython.int
        card: cython.int
        source: cython.int
        place: cython.int
        below: cython.int
        number: cython.int
        counters: cython.int
        before: cython.ulonglong
        after: cython.ulonglong
        for move in moves:
            self._check(move)
            source = SOURCE[self.base + move]
            place = -1
            if TARGET[self.base + move] == P_FOUNDATION:
                place = self._place(self.top[source] >> 2)
            before = self._packed() >> 24
            number = self._turn_number
            card = self._apply(move)
            below = NONE if source == P_PASS else self.top[source]
            after = self._packed()
            counters = after & 0xFFFFFF
            if before == after >> 24 and number == self._turn_number:
                told.append((card, below, place, counters, None))
            else:
                state = (self._turn, self.lay, self.quota, self._turn_number, self.n_out)
                told.append((card, below, place, counters, state))
        return told

    @cython.cfunc
    @cython.exceptval(check=False)
    def _place(self, kind: cython.int) -> cython.int:
        """Which of its suit's foundations waits for a card, counted from the highest."""
        suit: cython.int = kind // 13
        rank: cython.int = kind % 13
        place: cython.int = 0
        while place < 3 and self.heights[4 * suit + place] != rank:
            place += 1
        return place

    def undo(self, token: cython.ulonglong) -> None:
        """Take back the last move or stop, given the token that `push` or `stop` answered for it."""
        self._undo(token)

    def stop(self) -> int:
        """The opponent calls stop (RULES 6); answers a token for `undo`.

        Raises:
            ValueError: there is nothing to stop, the opponent is mute, or the mark is unknown.
        """
        if not self._stoppable() or self.last == 3:
            raise ValueError("expected an action that the opponent may stop")
        return self._stopped()

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _stopped(self) -> cython.ulonglong:
        """`stop`, where it may be called."""
        top = self.top
        state: cython.ulonglong = self._packed()
        number: cython.int = self._turn_number
        card: cython.int = NONE
        rightful: cython.int = self.last == IRREGULAR
        self.ready = False
        self.last = 0
        if rightful:
            card = top[P_DRAWN]
            if card != NONE:
                self.below[card] = top[P_DISCARD + self._turn]
                top[P_DISCARD + self._turn] = card
                top[P_DRAWN] = NONE
            self._end_turn()
        else:
            self.mute |= 2 >> self._turn
        moved: cython.ulonglong = card << 9 | STOPPED
        ended: cython.ulonglong = self._turn_number - number
        return state | moved << 37 | ended << 55

    def can_stop(self) -> bool:
        """Whether the opponent of the mover may call stop now, rightly or not."""
        return bool(self._stoppable())

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _stoppable(self) -> cython.int:
        """`can_stop`, for the core itself."""
        return (
            self.order == STOPPABLE and self.last != 0 and not self._over and not self.mute & 2 >> self._turn
        )

    def irregular(self, move: cython.int) -> bool:
        """Whether a legal move would break the order of precedence; False where nobody can call stop.

        Raises:
            ValueError: the move is not legal.
        """
        self._check(move)
        return self.order == STOPPABLE and bool(self._irregular(move))

    def clone(self) -> Core:
        """A copy that shares nothing."""
        return self._copied()

    @cython.cfunc
    def _copied(self) -> Core:
        """`clone`, for the core itself."""
        new: Core = Core.__new__(Core)
        new._become(self)
        return new

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _become(self, other: Core) -> cython.void:
        """Be as the other is, and share nothing with it."""
        if cython.compiled:
            self.below[:] = other.below
            self.top[:] = other.top
            self.at[:] = other.at
            self.heights[:] = other.heights
            self.completed[:] = other.completed
            self.link[:] = other.link
            self.words[:] = other.words
        else:
            self.below, self.top, self.at = other.below[:], other.top[:], other.at[:]
            self.heights, self.completed = other.heights[:], other.completed[:]
            self.link, self.words = other.link[:], other.words[:]
        self.due, self.fit = other.due, other.fit
        self._players, self.wide, self.build = other._players, other.wide, other.build
        self.needs_room, self.own_discard = other.needs_room, other.own_discard
        self.must_place, self.drawing, self.order = other.must_place, other.drawing, other.order
        self.scheme, self._turn, self._over = other.scheme, other._turn, other._over
        self.lay, self.quota, self.idle, self.stall = other.lay, other.quota, other.idle, other.stall
        self.passes, self.mute, self.last = other.passes, other.mute, other.last
        self.ready, self.best = other.ready, other.best
        self.n_emptied, self.n_out, self.emptied, self.out = (
            other.n_emptied,
            other.n_out,
            other.emptied,
            other.out,
        )
        self.base, self._turn_number = other.base, other._turn_number

    def playout(self, seed: cython.ulonglong, limit: cython.int = 1000000) -> int:
        """Play uniformly random legal moves to the end of the game, or `limit` plies; answers the plies
        played.

        The seed alone decides the moves (splitmix64), compiled or not. Nobody calls stop.
        """
        state: cython.ulonglong = seed
        plies: cython.int = 0
        while not self._over and plies < limit:
            state = (state + GOLDEN) & ALL64
            self._apply(self._picked(_mix(state) >> 32))
            plies += 1
        return plies

    @cython.cfunc
    @cython.exceptval(check=False)
    def _picked(self, chance: cython.ulonglong) -> cython.int:
        """One of the legal moves, by a random number of 32 bits."""
        if not self.ready:
            self._generate()
        if not cython.compiled:
            moves = _expanded(self.words, 7 if self.wide else 2)
            return moves[(chance * len(moves)) >> 32]
        found: cython.int[452]
        count: cython.ulonglong = self._spread_out(found)
        return found[(chance * count) >> 32]

    def play_ranked(self, ranks: bytes, lone: cython.int) -> int:
        """Two seats: play to the end of the game, at each ply the legal move of the least rank, of equal ones
        the lowest number; answers the plies played.

        Args:
            ranks: 128 for each seat, by move number.
            lone: the rank of a house's only card going onto another house's card, in place of `ranks`.

        Who may call stop does so at each irregular action (RULES 6).

        Raises:
            ValueError: there are not two seats, or not so many ranks.
        """
        self._check_ranks(ranks)
        order: cython.p_uchar = ranks
        plies: cython.int
        with cython.nogil:
            plies = self._play_ranked(order, lone)
        return plies

    def ranked(self, ranks: bytes, lone: cython.int) -> int:
        """The move that `play_ranked` plays here, -1 if the game is over. Raises ValueError as it does."""
        self._check_ranks(ranks)
        order: cython.p_uchar = ranks
        return -1 if self._over else self._ranked(order, lone)

    @cython.cfunc
    def _check_ranks(self, ranks: bytes) -> cython.void:
        """Raise ValueError unless these are ranks of two seats."""
        if self.wide or len(ranks) != 256:
            raise ValueError(f"expected two seats and 256 ranks, got {self._players} and {len(ranks)}")

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_ranked(self, ranks: cython.p_uchar, lone: cython.int) -> cython.int:
        """`play_ranked`, for the core itself."""
        plies: cython.int = 0
        while not self._over:
            self._apply(self._ranked(ranks, lone))
            plies += 1
            if self.last == IRREGULAR and self._stoppable():
                self._stopped()
        return plies

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _ranked(self, ranks: cython.p_uchar, lone: cython.int) -> cython.int:
        """The legal move of the least rank."""
        found: cython.int = 0
        least: cython.int = 256
        rank: cython.int
        move: cython.int
        house: cython.int
        first: cython.int = 128 * self._turn
        word: cython.ulonglong
        if not self.ready:
            self._generate()
        word = self.words[0]
        while word:  # from house to house
            move = _lowest(word)
            word &= word - 1
            rank = ranks[first + move]
            if lone < rank:
                house = self.top[move >> 3]
                if self.below[house] == NONE and self.top[move & 7] != NONE:
                    rank = lone
            if rank < least:
                found, least = move, rank
        word = self.words[1]
        first += 64
        while word:
            move = _lowest(word)
            word &= word - 1
            rank = ranks[first + move]
            if rank < least:
                found, least = 64 + move, rank
        return found

    def planned(self, nodes: cython.int) -> tuple[int, ...]:
        """Two seats: the moves that the house planner answers here, looking at up to `nodes` positions.

        Breadth first over the seat's own moves up to the next one that uncovers a card, draws or ends the
        turn, so that no card is looked at that the seat may not know. Empty if there are none.

        Raises:
            ValueError: there are not two seats, or not from 1 to 512 nodes.
        """
        if self.wide or not 0 < nodes <= 512:
            raise ValueError(f"expected two seats and 1 to 512 nodes, got {self._players} and {nodes}")
        if not cython.compiled:
            line = [0] * 512
            return tuple(line[: 0 if self._over else self._planned(nodes, line)])
        found: cython.uchar[512]
        length: cython.int = 0 if self._over else self._planned(nodes, found)
        return tuple([found[index] for index in range(length)])

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _planned(self, nodes: cython.int, plan: cython.p_uchar) -> cython.int:
        """`planned`, for the core itself: writes the moves to `plan` and answers how many.

        A line is worth what its moves gain, in hundredths of a card (`_gain`), less 1 for each move but the
        last. Of equal ones the first found is played. A position is known by the cards that a move takes off
        one pile and puts on another, so no move is made only to look at what it leads to.
        """
        parents: cython.short[512]
        moves: cython.uchar[512]
        depths: cython.short[512]
        gains: cython.int[512]
        codes: cython.ulonglong[512]  # the table of each position, one number
        seen: cython.ulonglong[1024]  # the same numbers, to be found by their low bits; 0 is free
        line: cython.uchar[512]  # the moves made now, and what takes each back
        tokens: cython.ulonglong[512]
        words: cython.ulonglong[2]
        if not cython.compiled:
            parents, moves, depths, gains, codes, line, tokens = ([0] * 512 for _ in range(7))
            seen, words = [0] * 1024, [0, 0]
        index: cython.int
        node: cython.int = 0
        size: cython.int = 1
        made: cython.int = 0
        length: cython.int
        half: cython.int
        move: cython.int
        gain: cython.int
        most: cython.int = -(1 << 30)
        last: cython.int = -1  # the best line's last move, and the position before it
        before: cython.int = 0
        closes: cython.int
        word: cython.ulonglong
        code: cython.ulonglong
        for index in range(1024):
            seen[index] = 0
        parents[0], moves[0], depths[0], gains[0], codes[0] = 0, 0, 0, 0, 1
        seen[0] = 1
        while node < size:
            length = depths[node]
            index = node
            while index:
                plan[depths[index] - 1] = moves[index]
                index = parents[index]
            index = 0
            while index < made and index < length and line[index] == plan[index]:
                index += 1
            while made > index:
                made -= 1
                self._undo(tokens[made])
            while made < length:
                line[made] = plan[made]
                tokens[made] = self._push(plan[made])
                made += 1
            if not self.ready:
                self._generate()
            words[0], words[1] = self.words[0], self.words[1]
            for half in range(2):
                word = words[half]
                while word:
                    move = 64 * half + _lowest(word)
                    word &= word - 1
                    if self.order == STOPPABLE and self._irregular(move):
                        continue
                    closes = self._closes(move)
                    gain = gains[node] + self._gain(move) if closes < 2 else 1 << 20
                    if closes:
                        if gain - length > most:
                            most, last, before = gain - length, move, node
                    elif size < nodes:
                        code = self._after(move, codes[node])
                        index = (code >> 1) & 1023
                        while seen[index] and seen[index] != code | 1:
                            index = (index + 1) & 1023
                        if not seen[index]:
                            seen[index] = code | 1
                            parents[size], moves[size], depths[size] = node, move, length + 1
                            gains[size], codes[size] = gain, code
                            size += 1
            node += 1
        while made:
            made -= 1
            self._undo(tokens[made])
        if last < 0:
            return 0
        length = depths[before]
        plan[length] = last
        while before:
            plan[depths[before] - 1] = moves[before]
            before = parents[before]
        return length + 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _gain(self, move: cython.int) -> cython.int:
        """What the planner thinks that a legal move gains, in hundredths of a card (bots/house/planner)."""
        source: cython.int = SOURCE[self.base + move]
        target: cython.int = TARGET[self.base + move]
        gain: cython.int = 0
        if source == P_PASS or source == P_HAND + self._turn or target == P_DISCARD + self._turn:
            return 0
        if source >= 16:
            gain = 600 if source == P_RESERVE + self._turn else 300
        elif self.below[self.top[source]] == NONE:
            gain = 250
        if target == P_FOUNDATION:
            return gain + 10
        if target >= 16:
            return gain + 200
        return gain - 250 if self.top[target] == NONE else gain

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _closes(self, move: cython.int) -> cython.int:
        """Whether the planner looks no further than a legal move: 1 where it uncovers a card, draws or ends
        the turn, 2 where it ends the game, else 0."""
        source: cython.int = SOURCE[self.base + move]
        turn: cython.int = self._turn
        left: cython.int
        if source == P_PASS or source == P_HAND + turn:
            return 1
        if TARGET[self.base + move] == P_DISCARD + turn:
            return 2 if self.stall + 1 >= STALL_LIMIT else 1
        if source < 16:
            return 0
        if source != P_DRAWN and self.below[self.top[source]] != NONE:
            return 1
        left = self.top[P_HAND + turn] != NONE
        left |= source != P_RESERVE + turn and self.top[P_RESERVE + turn] != NONE
        left |= source != P_DISCARD + turn and self.top[P_DISCARD + turn] != NONE
        return 0 if left else 2

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _after(self, move: cython.int, code: cython.ulonglong) -> cython.ulonglong:
        """The number of the table after a move of a card, given that before it: a sum over its piles."""
        source: cython.int = SOURCE[self.base + move]
        target: cython.int = TARGET[self.base + move]
        card: cython.int = self.top[source]
        code -= self._piled(source, card, NONE) - self._piled(source, self.below[card], NONE)
        if target == P_FOUNDATION:
            return (code + _mix((GOLDEN * (64 + (card >> 2))) & ALL64)) & ALL64
        code += self._piled(target, self.top[target], card) - self._piled(target, self.top[target], NONE)
        return code & ALL64

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    @cython.nogil
    def _piled(self, pile: cython.int, card: cython.int, upon: cython.int) -> cython.ulonglong:
        """A number for a pile that has this card and what lies below it, and one more upon it: the same for
        every house."""
        one: cython.ulonglong = 1
        if upon != NONE:
            one = (one * MIX1 + (upon >> 2) + 1) & ALL64
        while card != NONE:
            one = (one * MIX1 + (card >> 2) + 1) & ALL64
            card = self.below[card]
        return _mix((one + GOLDEN * (1 if pile < 16 else pile + 2)) & ALL64)

    def worth(self) -> tuple[int, int]:
        """What a finished game of two was worth to seat 0: 1 for a win, 0 for a draw, -1 for a loss, and how
        much it is ahead, in points, or in cards left where no points were made (RULES 3, 5, 6)."""
        return self._result(), self._margin()

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _result(self) -> cython.int:
        """The first part of `worth`."""
        if self._over != 1:
            return 0
        return -1 if self.out & 15 else 1

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _margin(self) -> cython.int:
        """The second part of `worth`: `sheet.parts` in whole numbers."""
        first: cython.int = 0  # what seat 0 made
        second: cython.int = 0
        reserve: cython.int
        others: cython.int
        won: cython.int
        winner: cython.int
        if self.scheme == CRAPETTE_POINTS:
            first, second = 3 * self.completed[0], 3 * self.completed[1]
            if self.n_emptied and self.emptied & 15:
                second += 10
            elif self.n_emptied:
                first += 10
        if self.scheme and self._over == 1:
            winner = self.out & 15
            reserve = self._sized(P_RESERVE + 1 - winner)
            others = self._sized(P_HAND + 1 - winner) + self._sized(P_DISCARD + 1 - winner)
            if self.scheme == CRAPETTE_POINTS:
                won = (reserve + others) // 2
            else:
                won = others + 2 * reserve + (30 if self.scheme == RUSSIAN_POINTS else 0)
            if winner:
                second += won
            else:
                first += won
        if first or second:
            return first - second
        for winner in range(2):
            others = self._sized(P_RESERVE + winner)
            others += self._sized(P_HAND + winner) + self._sized(P_DISCARD + winner)
            if winner:
                first += others
            else:
                second += others
        return first - second

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _sized(self, number: cython.int) -> cython.int:
        """`size`, for the core itself."""
        count: cython.int = 0
        card: cython.int = self.top[number]
        while card != NONE:
            count += 1
            card = self.below[card]
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _same(self, other: Core) -> cython.int:
        """Whether both are at the same point of a game, with every card in the same place."""
        index: cython.int
        if self._packed() != other._packed() or self._turn_number != other._turn_number:
            return 0
        for index in range(P_DRAWN + 1):
            if self.top[index] != other.top[index]:
                return 0
        for index in range(16):
            if self.heights[index] != other.heights[index]:
                return 0
        for index in range(NONE):
            if self.below[index] != other.below[index]:
                return 0
        return (
            self._over == other._over
            and self.completed[0] == other.completed[0]
            and self.emptied == other.emptied
            and self.out == other.out
        )

    def exchanged(self, names: bytes) -> Core:
        """A copy in which other cards lie in reserves, discards, hands and in the air: ``names[card]``, an
        id, in the place of each card.

        Args:
            names: for each of the 208 ids and `NOBODY` the id that takes its place; a permutation that
                leaves what lies in houses where it is.

        Raises:
            ValueError: not so many names.
        """
        if len(names) != 209:
            raise ValueError(f"expected 209 names, got {len(names)}")
        new: Core = Core.__new__(Core)
        order: cython.p_uchar = names
        new._become(self)
        new._rename(self, order, 0)
        return new

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _rename(self, other: Core, names: cython.p_uchar, at: cython.int) -> cython.void:
        """Let the names from `at` on lie in the places of the cards that the other has, as `exchanged`."""
        index: cython.int
        for index in range(NONE):
            self.below[names[at + index]] = names[at + other.below[index]]
        for index in range(P_RESERVE, P_DRAWN + 1):
            self.top[index] = names[at + other.top[index]]
        self.ready = False

    def perft(self, depth: cython.int) -> int:
        """The number of sequences of `depth` moves from here, the mover's moves only (RULES 8)."""
        return self._perft(depth)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _perft(self, depth: cython.int) -> cython.ulonglong:
        """`perft` by applying and undoing."""
        if depth <= 0:
            return 1
        if not self.ready:
            self._generate()
        words: cython.ulonglong[7]
        total: cython.ulonglong = 0
        token: cython.ulonglong
        word: cython.ulonglong
        index: cython.int
        count: cython.int = 7 if self.wide else 2
        if not cython.compiled:
            words = [0] * 7
        for index in range(count):
            words[index] = self.words[index]
        for index in range(count):
            word = words[index]
            while word:
                if depth > 1:
                    token = self._push(64 * index + _lowest(word))
                    total += self._perft(depth - 1)
                    self._undo(token)
                else:
                    total += 1
                word &= word - 1
        return total

    def hash(self) -> int:
        """64 bits of the whole position: equal positions, equal hash."""
        return self._hash(False)

    def canonical_hash(self) -> int:
        """The same with the houses as a multiset: equal too for positions that differ only in their order."""
        return self._hash(True)

    def table_hash(self) -> int:
        """`canonical_hash` without counters and tally, for search within a turn."""
        return self._hash(2)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _hash(self, canonical: cython.int) -> cython.ulonglong:
        """Every pile as a polynomial of its kinds, mixed with the pile's number and added up."""
        total: cython.ulonglong = 0
        one: cython.ulonglong
        pile: cython.int
        card: cython.int
        seat: cython.int
        for pile in range(29):
            if 4 * self._players <= pile < 16 or (pile >= 16 and pile < 28 and (pile & 3) >= self._players):
                continue
            one = 1
            card = self.top[pile]
            while card != NONE:
                one = (one * MIX1 + (card >> 2) + 1) & ALL64
                card = self.below[card]
            if canonical and pile < 16:
                total += _mix((one + GOLDEN) & ALL64)
            else:
                total += _mix((one + GOLDEN * (pile + 2)) & ALL64)
            total &= ALL64
        one = self._turn if canonical == 2 else self._packed()
        for seat in range(self._players):
            one = _mix((one * MIX2 + (0 if canonical == 2 else self.completed[seat])) & ALL64)
            for pile in range(4):
                one = (one * MIX1 + self.heights[4 * pile + seat]) & ALL64
        if canonical != 2:
            one = _mix((one + self.emptied) & ALL64)
            one = _mix((one + self.out) & ALL64)
        return _mix((total + one) & ALL64)

    # ---------------------------------------------------------------------------------------- what it holds

    def pile(self, number: cython.int) -> list[int]:
        """The card ids of a pile, bottom to top: ``HOUSE + i``, ``RESERVE + seat``, …, ``DRAWN``."""
        if number < 0 or number > 28:
            raise ValueError(f"expected a pile from 0 to 28, got {number}")
        cards: list[int] = []
        card: cython.int = self.top[number]
        while card != NONE:
            cards.append(card)
            card = self.below[card]
        cards.reverse()
        return cards

    def size(self, number: cython.int) -> int:
        """How many cards a pile has."""
        if number < 0 or number > 28:
            raise ValueError(f"expected a pile from 0 to 28, got {number}")
        count: cython.int = 0
        card: cython.int = self.top[number]
        while card != NONE:
            count += 1
            card = self.below[card]
        return count

    def top_of(self, number: cython.int) -> int:
        """The card id on top of a pile, 208 (`NOBODY`) if it is empty."""
        if number < 0 or number > 28:
            raise ValueError(f"expected a pile from 0 to 28, got {number}")
        return self.top[number]

    def heights_of(self) -> list[list[int]]:
        """The foundations: for each suit its heights, highest first."""
        return [[self.heights[4 * suit + index] for index in range(self._players)] for suit in range(4)]

    def state(self) -> tuple[int, ...]:
        """As `load` takes it: turn, laying turns, quota, idle, stall, passes, mute, mark, turn number."""
        return (
            self._turn,
            self.lay,
            self.quota,
            self.idle,
            self.stall,
            self.passes,
            self.mute,
            self.last,
            self._turn_number,
        )

    def tally(self) -> tuple[list[int], list[int], list[int]]:
        """Foundations completed by each seat; seats in the order of emptied reserves; and of going out."""
        return (
            [self.completed[seat] for seat in range(self._players)],
            [self.emptied >> 4 * place & 15 for place in range(self.n_emptied)],
            [self.out >> 4 * place & 15 for place in range(self.n_out)],
        )

    def counters(self) -> int:
        """Idle (7 bits from the lowest), stall (8), passes (3), the mute seats (4), the last mark (2)."""
        return self._packed() & 0xFFFFFF

    @property
    def turn(self) -> int:
        """The seat to move."""
        return self._turn

    @property
    def players(self) -> int:
        """How many seats."""
        return self._players

    @property
    def over(self) -> int:
        """0 while the game goes on, else `WIN`, `STALL` or `PASSES`."""
        return self._over

    @property
    def turn_number(self) -> int:
        """Turns ended so far, counted from the number loaded."""
        return self._turn_number


@cython.final
@cython.cclass
class Completions:
    """Ways in which the cards of two seats that nobody has seen may lie, and how the game goes on in each.

    It follows a game: tell it of each card turned up (`turned_up`) and ask what they brought (`brought`).
    Every way is a permutation of the unseen cards over their places, relative to how they truly lie, so that
    whatever the permutations are, no position becomes likelier: over all that could be each is as uniform as
    the truth. Between two cards a way stays the same, so that the chance of what still lies in it cancels.
    """

    count: cython.int
    full: cython.int
    active: cython.int  # in how many ways games are played on now
    times: cython.int  # how often they were
    lone: cython.int
    begun: cython.uchar  # whether a card was turned up
    valued: cython.uchar  # whether `results` and `margins` are those of `last`, and are in the sums
    foreseen: cython.uchar  # whether `ahead` tells where the game goes from `last` if it is played by ranks
    ranks: cython.uchar[256]
    nodes: cython.short[2]  # for each seat how many positions it searches, 0 where it plays by ranks
    plan: cython.uchar[512]
    unseen: cython.uchar[212]
    names: cython.uchar[26752]  # for each of 128 ways the card in the place of each card and of none, 209
    result: cython.int
    margin: cython.int
    results: cython.short[128]
    margins: cython.short[128]
    last: Core  # the game after the last card turned up
    ahead: Core
    game: Core

    def __init__(
        self,
        core: Core,
        pools,
        count: cython.int,
        seed: cython.ulonglong,
        ranks: bytes,
        lone,
        full,
        nodes=(0, 0),
    ):
        """Ways for the unseen cards of the pools, within which they change places.

        The first `n` ways put each of a pool's `n` cards once in each place (a Latin square), and so on.

        Args:
            core: the game as it stands, with every card where it truly lies.
            pools: the ids of cards that are equally likely to lie in each other's places.
            count: how many ways, up to 128.
            seed: it alone chooses the permutations (splitmix64), compiled or not.
            ranks, lone: how the game is played on, as `Core.play_ranked` takes them.
            full: how often in all ways; then their number is halved, and again at every eighth time after it,
                down to an odd one. What each is worth is weighed for it.
            nodes: for each seat how many positions it searches, as `Core.planned` takes it; 0: by ranks.

        Raises:
            ValueError: too many ways, or what `Core.play_ranked` raises.
        """
        index: cython.int
        core._check_ranks(ranks)
        if not 0 < count <= 128:
            raise ValueError(f"expected from 1 to 128 ways, got {count}")
        if not cython.compiled:
            self.unseen, self.names = [0] * 212, [0] * 26752
            self.results, self.margins = [0] * 128, [0] * 128
            self.nodes, self.plan = [0, 0], [0] * 512
            self.ranks = bytes(ranks)
        else:
            for index in range(256):
                self.ranks[index] = ranks[index]
        for index in range(212):
            self.unseen[index] = 0
        self.count, self.active, self.full, self.times = count, count, full, 0
        self.lone, self.result, self.margin = lone, 0, 0
        for index in range(2):
            if not 0 <= nodes[index] <= 512:
                raise ValueError(f"expected up to 512 nodes for each of two seats, got {nodes}")
            self.nodes[index] = nodes[index]
        self.begun = self.valued = self.foreseen = False
        for index in range(209 * count):
            self.names[index] = index % 209
        state: cython.ulonglong = seed
        for pool in pools:
            state = self._arrange([*pool], state)
        self.last, self.ahead, self.game = core._copied(), core._copied(), core._copied()

    @cython.cfunc
    def _arrange(self, pool: list[int], state: cython.ulonglong) -> cython.ulonglong:
        """Choose the places of a pool's cards in every way; answers the state of the dice after it."""
        size: cython.int = len(pool)
        way: cython.int
        index: cython.int
        other: cython.int
        for index in range(size):
            self.unseen[pool[index]] = 1
        for way in range(self.count if size else 0):
            if way % size == 0:
                for index in range(size - 1, 0, -1):
                    state = (state + GOLDEN) & ALL64
                    other = ((_mix(state) >> 32) * (index + 1)) >> 32
                    pool[index], pool[other] = pool[other], pool[index]
            for index in range(size):
                self.names[209 * way + pool[index]] = pool[(index + way + 1) % size]
        return state

    def turned_up(self, core: Core, card: cython.int) -> None:
        """Take in that a card was just turned up.

        From then on each way has the card where it truly lies, and the one that lay there in its place. What
        the card brings is how the games played on end with that less how they end without. As long as the
        seats do what the ranks say, the games without a card are those with the one before, so that the two
        cancel and neither is played.

        Args:
            core: the game after it, with every card where it truly lies.

        Raises:
            ValueError: the card was seen before.
        """
        way: cython.int
        last: Core = self.last
        ahead: Core = self.ahead
        game: Core = self.game
        if not 0 <= card < NONE or not self.unseen[card]:
            raise ValueError(f"expected a card that nobody has seen, got {card}")
        with cython.nogil:
            if not (self.foreseen and core._same(ahead)):
                if self.begun and not self.valued:
                    self._value(game, last, 1)
                self._value(game, core, -1)
            elif self.valued:
                self._add(-1)
            for way in range(self.count):
                self._show(209 * way, card)
            self.begun, self.valued = True, False
            self.unseen[card] = 0
            last._become(core)
            ahead._become(core)
            self._look_ahead(ahead)

    def brought(self) -> tuple[int, int]:
        """What the cards turned up since this was last asked brought seat 0, added up over all ways: result
        and margin as `Core.worth` has them."""
        result: cython.int
        margin: cython.int
        last: Core = self.last
        game: Core = self.game
        if self.begun and not self.valued:
            with cython.nogil:
                self._value(game, last, 1)
            self.valued = True
        result, margin = self.result, self.margin
        self.result = self.margin = 0
        return result, margin

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _value(self, game: Core, core: Core, sign: cython.int) -> cython.void:
        """Play the game on from `core` in every way, by `game`, and add how it ends."""
        way: cython.int
        if self.times >= self.full and (self.times - self.full) % 8 == 0 and self.active % 2 == 0:
            self.active //= 2
        self.times += 1
        for way in range(self.active):
            game._become(core)
            game._rename(core, self.names, 209 * way)
            self._play_on(game, False)
            self.results[way] = game._result()
            self.margins[way] = game._margin()
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
        """Put a card in its true place in the way whose names begin at `first`, and the card from there where
        it was."""
        place: cython.int = 0
        while self.names[first + place] != card:
            place += 1
        self.names[first + place] = self.names[first + card]
        self.names[first + card] = card

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _look_ahead(self, game: Core) -> cython.void:
        """Play `ahead` on to where the next card is turned up."""
        self.foreseen = self._play_on(game, True)

    @cython.cfunc
    @cython.exceptval(check=False)
    @cython.nogil
    def _play_on(self, game: Core, to_card: cython.int) -> cython.int:
        """Let each seat play as it does to the end of the game, or `to_card` to where the next card is turned
        up; whether one was. It begins where a card was turned up, so no seat is in the middle of a plan."""
        turn: cython.int
        number: cython.int
        length: cython.int
        index: cython.int
        while not game._over:
            turn = game._turn
            length = game._planned(self.nodes[turn], self.plan) if self.nodes[turn] else 0
            if not length:
                self.plan[0] = game._ranked(self.ranks, self.lone)
                length = 1
            number = game._turn_number
            for index in range(length):
                game._apply(self.plan[index])
                if to_card and (
                    self.unseen[game.top[P_DRAWN]]
                    or self.unseen[game.top[P_RESERVE + turn]]
                    or self.unseen[game.top[P_DISCARD + turn]]
                ):
                    return 1
                if game.last == IRREGULAR and game._stoppable():
                    game._stopped()
                if game._over or game._turn_number != number:
                    break
        return 0


# -------------------------------------------------------------------------------------------- uncompiled

if not cython.compiled:

    def _slotted(cls: type) -> type:
        """The class with a slot for each declared field: more than thirty would make a dictionary slow."""
        body = {name: value for name, value in vars(cls).items() if name not in {"__dict__", "__weakref__"}}
        body["__slots__"] = tuple(cls.__annotations__)
        return type(cls)(cls.__name__, cls.__bases__, body)

    def _remember(index: int, word: int) -> tuple[int, ...]:
        """The moves of a word of the set, kept for the next time."""
        known = _EXPANDED[index]
        if len(known) > 1 << 15:
            known.clear()
        found = []
        rest = word
        while rest:
            low = rest & -rest
            found.append(64 * index + low.bit_length() - 1)
            rest ^= low
        known[word] = tuple(found)
        return known[word]

    def _expanded(words: list[int], count: int) -> tuple[int, ...]:
        """The moves of a set of words."""
        moves: tuple[int, ...] = ()
        for index in range(count):
            word = words[index]
            if word:
                found = _EXPANDED[index].get(word)
                moves += _remember(index, word) if found is None else found
        return moves

    def _plain_tops(self: Core) -> None:
        """`_generate_tops` in fewer byte codes, for two seats in play without an order of precedence."""
        at, top, turn, due, build = self.at, self.top, self._turn, self.due, self.build
        empty = at[52]
        room = empty or not self.needs_room
        reserve = top[16 + turn] >> 2
        discard = top[20 + turn] >> 2
        source = discard if self.own_discard else 52
        word = self.fit
        if reserve != 52:
            if due >> reserve & 1:
                word |= 1 << 48
            if room:
                place = build + reserve
                word |= (at[UP1[place]] | at[UP2[place]] | empty) << 24
        if source != 52:
            if due >> source & 1:
                word |= 1 << 51
            place = build + source
            word |= (at[UP1[place]] | at[UP2[place]] | empty) << 32
        kind = top[21 - turn] >> 2
        if kind != 52:
            near = NEAR[kind]
            word |= (at[LOWER[kind]] | at[HIGHER[kind]]) << 8 | (near >> source & 1) << 52
            if room:
                word |= (near >> reserve & 1) << 49
        kind = top[17 - turn] >> 2
        if room and kind != 52:
            near = NEAR[kind]
            word |= (at[LOWER[kind]] | at[HIGHER[kind]]) << 16
            word |= (near >> source & 1) << 53 | (near >> reserve & 1) << 50
        hand = top[24 + turn] != 208
        drawing = self.drawing
        if not hand and discard == 52:
            word |= 1 << 59
        elif not empty or drawing == 0:
            word |= 1 << 58
        elif hand if drawing == 1 else not hand or discard == 52:
            word |= 1 << 58
        words = self.words
        words[1] = word
        words[0] = 0
        if self.idle < 100:
            words[0] = self.link[0] | SPREAD[empty ^ 255] * empty if empty else self.link[0]

    def _plain_generate(self: Core) -> None:
        """`_generate`, with `_plain_tops` where it serves."""
        self.ready = True
        self.best = 5
        if self._over:
            self.words[:] = [0] * 7
        elif self.top[28] != 208:
            self._generate_drawn()
        elif self.wide or self.order:
            self._generate_tops()
        else:
            _plain_tops(self)

    def _plain_step(self: Core, move: int) -> tuple[int, ...]:
        """`step` with what it calls written out."""
        words = self.words
        if not self.ready or move < 0 or move > 447 or not words[move >> 6] >> (move & 63) & 1:
            self._check(move)
        self._apply(move)
        self._generate()
        if self.wide:
            return _expanded(words, 7)
        word = words[0]
        first = _EXPANDED[0].get(word)
        if first is None:
            first = _remember(0, word)
        word = words[1]
        second = _EXPANDED[1].get(word)
        if second is None:
            second = _remember(1, word)
        return first + second

    def _plain_legal(self: Core) -> tuple[int, ...]:
        """`legal` with what it calls written out."""
        if not self.ready:
            self._generate()
        words = self.words
        if self.wide:
            return _expanded(words, 7)
        word = words[0]
        first = _EXPANDED[0].get(word)
        if first is None:
            first = _remember(0, word)
        word = words[1]
        second = _EXPANDED[1].get(word)
        if second is None:
            second = _remember(1, word)
        return first + second

    def _plain_push(self: Core, move: int) -> int:
        """`push` with what it calls written out."""
        if not self.ready or move < 0 or move > 447 or not self.words[move >> 6] >> (move & 63) & 1:
            self._check(move)
        number = self._turn_number
        token = (
            self.idle
            | self.stall << 7
            | self.passes << 15
            | self.mute << 18
            | self.last << 22
            | self.lay << 24
            | self.quota << 27
            | self._turn << 29
            | self.n_emptied << 31
            | self.n_out << 34
            | move << 37
        )
        return token | self._apply(move) << 46 | (self._turn_number - number) << 55

    _EXPANDED: list[dict[int, tuple[int, ...]]] = [{} for _ in range(7)]
    Core, Completions = _slotted(Core), _slotted(Completions)
    Core._generate = _plain_generate
    Core.step, Core.legal, Core.push = _plain_step, _plain_legal, _plain_push
