"""The shapes cards are made of: suits and ranks as paths, no fonts, so that every machine shows the same."""

SUITS = "SHDC"
RANKS = "A23456789TJQK"

# A CSS variable and what it is where no page sets it.
SUIT_COLOURS = {
    "S": "var(--suit-s,#17211c)",
    "H": "var(--suit-h,#b3261f)",
    "D": "var(--suit-d,#b3261f)",
    "C": "var(--suit-c,#17211c)",
}
CARD_FILL = "var(--card,#fffdf7)"
CARD_EDGE = "var(--card-edge,#b9ae95)"
GOLD = "#d9a93f"
INK = "#1d2a44"
RED = "#a92b25"
SKIN = "#f3dcc0"

# Each in a box from -50 to 50 both ways.
SUIT_PATHS = {
    "S": "M0-47C12-23 44-7 44 18C44 34 32 43 20 42C12 41 6 37 3 30C4 39 8 46 15 49H-15C-8 46-4 39-3 30"
    "C-6 37-12 41-20 42C-32 43-44 34-44 18C-44-7-12-23 0-47Z",
    "H": "M0 47C-10 27-46 7-46-18C-46-35-35-44-23-44C-11-44-3-36 0-25C3-36 11-44 23-44C35-44 46-35 46-18"
    "C46 7 10 27 0 47Z",
    "D": "M0-49Q15-20 38 0Q15 20 0 49Q-15 20-38 0Q-15-20 0-49Z",
    "C": "M0-47A21 21 0 0 1 15-11A21 21 0 1 1 4 25C5 38 8 45 15 49H-15C-8 45-5 38-4 25A21 21 0 1 1-15-11"
    "A21 21 0 0 1 0-47Z",
}

# Strokes in a box of 60 × 100, drawn with round ends; the ten is wider.
RANK_STROKES = {
    "A": "M5 95L30 6L55 95M14 65H46",
    "2": "M7 30A23 23 0 1 1 49 44L7 94H55",
    "3": "M9 7H51L29 40A27 27 0 1 1 6 79",
    "4": "M43 95V6L5 70H57",
    "5": "M51 7H16L12 44A27 27 0 1 1 7 82",
    "6": "M43 6L13 52M54 69A24 24 0 1 1 6 69A24 24 0 1 1 54 69Z",
    "7": "M6 7H54L23 95",
    "8": "M50 27A20 20 0 1 1 10 27A20 20 0 1 1 50 27ZM55 71A25 24 0 1 1 5 71A25 24 0 1 1 55 71Z",
    "9": "M17 95L47 49M6 32A24 24 0 1 1 54 32A24 24 0 1 1 6 32Z",
    "T": "M-1 18L14 6V95M70 50A19 44 0 1 1 32 50A19 44 0 1 1 70 50Z",
    "J": "M22 6H48M38 6V70A17 24 0 0 1 5 74",
    "Q": "M55 50A25 44 0 1 1 5 50A25 44 0 1 1 55 50ZM35 70L57 97",
    "K": "M10 6V95M54 6L12 58M26 43L56 95",
}
RANK_WIDTH = {rank: 72 if rank == "T" else 60 for rank in RANKS}

# Where the pips of a number lie: (column -1 … 1, row -1 … 1); those below the middle are turned round.
_LEFT_RIGHT = {
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
    8: tuple((x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (-1, 1)),
}
PIPS: dict[str, tuple[tuple[float, float], ...]] = {
    "2": ((0, -1), (0, 1)),
    "3": ((0, -1), (0, 0), (0, 1)),
    "4": _LEFT_RIGHT[4],
    "5": (*_LEFT_RIGHT[4], (0, 0)),
    "6": _LEFT_RIGHT[6],
    "7": (*_LEFT_RIGHT[6], (0, -0.5)),
    "8": (*_LEFT_RIGHT[6], (0, -0.5), (0, 0.5)),
    "9": (*_LEFT_RIGHT[8], (0, 0)),
    "T": (*_LEFT_RIGHT[8], (0, -2 / 3), (0, 2 / 3)),
}


def number(value: float) -> str:
    """A coordinate, short."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def pip(suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """A suit centred at (x, y), ``size`` high, upside down if turned."""
    scale = number(size / 100)
    turn = f"scale({scale} -{scale})" if turned else f"scale({scale})"
    return f'<use href="#s{suit}" transform="translate({number(x)} {number(y)}){turn}"/>'


def rank_glyph(rank: str, x: float, y: float, height: float) -> str:
    """A rank whose box is centred on x and has its top at y."""
    scale = height / 100
    left = x - RANK_WIDTH[rank] * scale / 2
    return f'<use href="#r{rank}" transform="translate({number(left)} {number(y)})scale({number(scale)})"/>'


def add_turned(body: str) -> str:
    """The same again, turned round the middle of the card."""
    return f'<g transform="rotate(180 125 175)">{body}</g>'
