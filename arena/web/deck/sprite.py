"""The whole deck as one SVG file of symbols."""

from arena.web.deck.courts import court
from arena.web.deck.shapes import (
    CARD_EDGE,
    CARD_FILL,
    PIPS,
    RANK_STROKES,
    RANKS,
    SUIT_COLOURS,
    SUIT_PATHS,
    SUITS,
    add_turned,
    pip,
    rank_glyph,
)

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
