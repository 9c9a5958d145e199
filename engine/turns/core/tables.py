"""The numbers of the core: piles, moves, and tables of what builds and loads (RULES 1, 4, 5, 6)."""

from __future__ import annotations

import cython

from engine.bits import ALL64, ONE
from engine.turns.moves import texts

# Pile numbers; a seat's own are HAND + seat and so on.
HOUSE = 0
RESERVE = 16
DISCARD = 20
HAND = 24
DRAWN = 28
NOBODY = 208  # the id of no card
COMPILED = bool(cython.compiled)
"""Whether this is the compiled core; the same source as it stands is some hundred times slower."""

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

COLUMN = cython.declare(cython.ulonglong, 0x0001000100010001)
LAST = cython.declare(cython.ulonglong, 0x8000000000000000)
ROW16 = cython.declare(cython.ulonglong, 0xFFFF)

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
def lowest(word: cython.ulonglong) -> cython.int:
    """The index of the lowest bit of a set that is not empty."""
    if not cython.compiled:
        return (word & -word).bit_length() - 1
    return core_lowest(word)
