"""The whole deck as one SVG file of symbols.

Suits and ranks are paths and no fonts, so that every machine shows the same. Jack, queen and king: a bust
above the middle and the same turned below it, from plain geometry. What tells them apart at a glance is the
head: a cap with a feather, a tiara over long hair, a crown and a beard. Black suits wear blue, red suits
red; each suit has its own weave on the robe.
"""

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
LINE = "#1b1b1b"


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


def _shape(path: str, fill: str, width: float = 2) -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{LINE}" stroke-width="{width}" stroke-linejoin="round"/>'


def _lines(path: str, colour: str, width: float = 3) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _weave(suit: str) -> str:
    """Gold on the robe: waves, lozenges, chevrons, or rings."""
    if suit == "S":
        return _lines("M78 172L98 150M96 172L110 156M172 172L152 150M154 172L140 156", GOLD)
    if suit == "H":
        return _lines("M76 164q8-10 16 0t16 0M142 164q8-10 16 0t16 0M84 174q6-7 12 0M154 174q6-7 12 0", GOLD)
    if suit == "D":
        return _lines("M88 150l8 9-8 9-8-9zM162 150l8 9-8 9-8-9zM108 162l6 7-6 7M142 162l-6 7 6 7", GOLD)
    return _lines("M94 160a8 8 0 1 0-.1 0zM172 160a8 8 0 1 0-.1 0zM80 174h12M158 174h12", GOLD)


def _face(*, beard: bool, hair: str) -> str:
    eyes = (
        '<circle cx="115" cy="102" r="2.6" fill="#1b1b1b"/><circle cx="135" cy="102" r="2.6" fill="#1b1b1b"/>'
    )
    brows = _lines("M110 95q5-4 9-1M140 95q-5-4-9-1M125 103l-3 10h5", LINE, 1.8)
    head = _shape("M104 84h42v26q0 24-21 24t-21-24z", SKIN)
    if beard:
        whiskers = _shape("M104 106q4 8 11 8q10-4 20 0q7 0 11-8v14q-4 30-21 32q-17-2-21-32z", hair)
        return head + eyes + brows + whiskers + _lines("M119 121q6 3 12 0", "#f6e7cf", 2.4)
    return head + eyes + brows + _lines("M119 121q6 4 12 0", RED, 2.8)


def _robe(cloth: str, suit: str) -> str:
    body = _shape("M66 176v-12q6-24 40-30l19 14l19-14q34 6 40 30v12z", cloth)
    collar = _shape("M106 132l19 44l19-44l-8-6h-22z", "#fbf3df")
    return body + _weave(suit) + collar + _lines("M125 152v22", GOLD, 4)


def king(suit: str, cloth: str, hair: str) -> str:
    """Crown, beard, and a sceptre at the right shoulder."""
    locks = _shape("M99 84q-9 20 0 46q8 4 12-6V84zM151 84q9 20 0 46q-8 4-12-6V84z", hair)
    crown = _shape("M98 86L92 52l17 14L125 46l16 20l17-14l-6 34z", GOLD)
    band = _shape("M98 86h54v-9H98z", cloth)
    balls = "".join(
        f'<circle cx="{x}" cy="{y}" r="4" fill="{RED}" stroke="{LINE}" stroke-width="1.5"/>'
        for x, y in ((92, 50), (125, 43), (158, 50))
    )
    sceptre = _lines("M176 172V84", LINE, 7) + _lines("M176 172V84", GOLD, 4)
    orb = f'<circle cx="176" cy="78" r="8" fill="{GOLD}" stroke="{LINE}" stroke-width="2"/>'
    return sceptre + orb + _robe(cloth, suit) + locks + _face(beard=True, hair=hair) + crown + band + balls


def queen(suit: str, cloth: str, hair: str) -> str:
    """Tiara, long hair, a necklace, and a rose."""
    locks = _shape("M125 62q-40 0-38 46q1 26-6 40q16 6 30-6q-6-10-5-24l2-34h34l2 34q1 14-5 24"
                   "q14 12 30 6q-7-14-6-40q2-46-38-46z", hair)  # fmt: skip
    fringe = _shape("M103 92q2-22 22-22t22 22q-12-2-22-10q-10 8-22 10z", hair)
    tiara = _shape("M97 76q2-16 8-24l7 12l13-20l13 20l7-12q6 8 8 24q-28-12-56 0z", GOLD)
    jewel = f'<circle cx="125" cy="60" r="4.500" fill="{RED}" stroke="{LINE}" stroke-width="1.5"/>'
    around = ((108, 137), (113, 143), (119, 147), (125, 148), (131, 147), (137, 143), (142, 137))
    beads = "".join(f'<circle cx="{x}" cy="{y}" r="2.6" fill="{GOLD}"/>' for x, y in around)
    stem = _lines("M74 172Q70 140 78 122", "#3c7a45", 4)
    rose = f'<circle cx="79" cy="114" r="11" fill="{RED}" stroke="{LINE}" stroke-width="2"/>' + _lines(
        "M75 114q4-7 8-1q-1 6-6 5", "#fbe9d4", 2
    )
    return (
        locks
        + _robe(cloth, suit)
        + _face(beard=False, hair=hair)
        + fringe
        + tiara
        + jewel
        + beads
        + stem
        + rose
    )


def jack(suit: str, cloth: str, hair: str) -> str:
    """Soft cap with a feather, bobbed hair, and a halberd at the left shoulder."""
    bob = _shape("M101 80q-14 26-8 44q8 8 16 0V82zM149 80q14 26 8 44q-8 8-16 0V82z", hair)
    cap = _shape("M94 84q-8-26 22-34q34-8 44 16q2 10-4 18z", cloth)
    band = _shape("M96 88q29-12 58 0l2-9q-31-12-62 0z", GOLD)
    feather = _shape("M146 58q24-22 36-10q-6 20-34 20q14-8 24-12q-14 0-26 2z", "#fbf3df")
    shaft = _lines("M74 172V78", LINE, 7) + _lines("M74 172V78", GOLD, 4)
    blade = _shape("M74 54l7 22l-7 8l-7-8zM78 84q14-4 14 10q-8 8-14 4z", "#d9dde0")
    return shaft + blade + _robe(cloth, suit) + bob + _face(beard=False, hair=hair) + cap + band + feather


HAIR = {"S": "#4a3420", "H": "#c98f3d", "D": "#9a4a22", "C": "#2a2320"}
# Where the small suit stands clear of the figure.
PIP_PLACES = {"J": (171, 116), "Q": (174, 62), "K": (79, 108)}
FIGURES = {"J": jack, "Q": queen, "K": king}


def court(rank: str, suit: str) -> str:
    """The picture of a court card: frame, figure, and the figure turned round."""
    cloth = INK if suit in "SC" else RED
    half = FIGURES[rank](suit, cloth, HAIR[suit])
    # Each half ends at the card's middle line by construction: nothing needs clipping.
    figure = half + pip(suit, *PIP_PLACES[rank], 32)
    frame = (
        '<rect x="60" y="34" width="130" height="282" rx="6" fill="none" stroke="#b08d44" stroke-width="2"/>'
    )
    middle = f'<path d="M60 175H190" stroke="{GOLD}" stroke-width="4"/>'
    return frame + figure + add_turned(figure) + middle


SHEET = '<use href="#sheet"/>'
# Blue, red, ochre, violet: told apart also without colour by the figure in the middle.
BACK_COLOURS = ("#27508c", "#8f2f2c", "#8a6414", "#5d3c86")


def _symbol(name: str, body: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 250 350">{body}</symbol>\n'


def _coloured(suit: str, body: str) -> str:
    # The ranks are strokes, the suits fills: one colour serves both through currentColor.
    return f'<g color="{SUIT_COLOURS[suit]}">{body}</g>'


def _corner(rank: str, suit: str, x: float) -> str:
    return rank_glyph(rank, x, 15, 44) + pip(suit, x, 82, 34)


def _middle(rank: str, suit: str) -> str:
    if rank == "A":
        return pip(suit, 125, 175, 128)
    if rank in PIPS:
        return "".join(
            pip(suit, 125 + 35 * column, 175 + 92 * row, 54 if rank not in "9T" else 46, turned=row > 0)
            for column, row in PIPS[rank]
        )
    return court(rank, suit)


def face(rank: str, suit: str) -> str:
    """A card as it is held in the hand: an index in each corner, for fans to either side."""
    corners = _corner(rank, suit, 30) + _corner(rank, suit, 220)
    return _symbol(rank + suit, SHEET + _coloured(suit, corners + add_turned(corners) + _middle(rank, suit)))


def large_face(rank: str, suit: str) -> str:
    """Large indices in both upper corners and one suit below: legible when a card is as wide as a thumb."""
    corners = "".join(rank_glyph(rank, x, 20, 96) + pip(suit, x, 160, 62) for x in (50, 200))
    return _symbol(f"L{rank}{suit}", SHEET + _coloured(suit, corners + pip(suit, 125, 265, 118)))


def column_face(rank: str, suit: str) -> str:
    """Rank and suit side by side on the upper edge, for columns that overlap downwards."""
    top = rank_glyph(rank, 66, 22, 98) + pip(suit, 178, 71, 96)
    return _symbol(f"T{rank}{suit}", SHEET + _coloured(suit, top + pip(suit, 125, 240, 160)))


def _lattice() -> str:
    """Diagonals both ways over the field from (22, 22) to (228, 328), each cut off at the field's edge."""
    lines = []
    for x in range(22, 228, 18):
        run = 228 - x
        lines.append(f"M{x} 22l{run} {run}M{250 - x} 22l-{run} {run}")
    for y in range(40, 328, 18):
        run = min(206, 328 - y)
        lines.append(f"M22 {y}l{run} {run}M228 {y}l-{run} {run}")
    return "".join(lines)


def back(number: int) -> str:
    """A card's back: a lattice in the pack's colour round a medallion."""
    colour = BACK_COLOURS[number]
    body = (
        f'{SHEET}<rect x="16" y="16" width="218" height="318" rx="10" fill="{colour}"/>'
        f'<path d="{_lattice()}" stroke="#fff" stroke-opacity=".26" stroke-width="2" '
        'fill="none"/>'
        '<rect x="22" y="22" width="206" height="306" rx="7" fill="none" '
        'stroke="#fff" stroke-opacity=".7" stroke-width="2"/>'
        f'<circle cx="125" cy="175" r="54" fill="{colour}" stroke="#fff" '
        'stroke-opacity=".8" stroke-width="3"/>'
        f'<g color="#fff7e2">{pip(SUITS[(number * 2 + number // 2) % 4], 125, 175, 62)}</g>'
    )
    return _symbol(f"back{number}", body)


def plain_back(number: int) -> str:
    """A card's back without its lattice."""
    colour = BACK_COLOURS[number]
    body = (
        f'{SHEET}<rect x="16" y="16" width="218" height="318" rx="10" fill="{colour}"/>'
        f'<g color="#fff7e2">{pip(SUITS[(number * 2 + number // 2) % 4], 125, 175, 90)}</g>'
    )
    return _symbol(f"back{number}", body)


def definitions() -> str:
    """What the symbols are made of: the sheet of a card, the suits, the ranks."""
    parts = [
        f'<rect id="sheet" x="1.500" y="1.500" width="247" height="347" rx="17" fill="{CARD_FILL}" '
        f'stroke="{CARD_EDGE}" stroke-width="3"/>\n'
    ]
    parts += [f'<path id="s{suit}" d="{path}" fill="currentColor"/>\n' for suit, path in SUIT_PATHS.items()]
    parts += [
        f'<path id="r{rank}" d="{path}" fill="none" stroke="currentColor" stroke-width="13" '
        'stroke-linecap="round" stroke-linejoin="round"/>\n'
        for rank, path in RANK_STROKES.items()
    ]
    return "".join(parts)


def sprite() -> str:
    """The file's text."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg">\n<defs>\n', definitions(), "</defs>\n"]
    for draw in (face, large_face, column_face):
        parts += [draw(rank, suit) for suit in SUITS for rank in RANKS]
    parts += [back(number) for number in range(4)]
    parts += [
        f'<symbol id="pip{suit}" viewBox="-50 -50 100 100"><use href="#s{suit}"/></symbol>\n'
        for suit in SUITS
    ]
    parts.append("</svg>\n")
    return "".join(parts)
