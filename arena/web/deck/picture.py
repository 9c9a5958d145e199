"""A position drawn as SVG: a picture for link previews, or a miniature of some 100 pixels.

`arena.web.deck.png` makes a PNG of a picture. A miniature shows where cards lie and which are red, not their
ranks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.web.deck.piles import SUITS
from arena.web.deck.sprite import SUIT_PATHS, definitions, large_face, plain_back

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arena.web.deck.piles import Piles

WIDTH: Final = 1200
HEIGHT: Final = 630
"""What is drawn on: previews are cut to this shape."""
FELT: Final = "#1f6247"
EDGE: Final = "#164a36"
MARGIN: Final = 26
RATIO: Final = 350 / 250
HIDDEN: Final = "??"
FAN: Final = 0.3
"""How much of each covered card of a house shows, in widths of a card."""
FACE: Final = "#fbf7ec"
BACKS: Final = ("#3d5a80", "#a4453a", "#6b5b95", "#8a6d3b")
RED, BLACK = "#c0392b", "#2b2b2b"
LINE: Final = 4
"""Of the edge round a card, in units of the picture: cards of a fan are told apart by it."""


@dataclass
class Felt:
    """A felt with cards of one width on it.

    `places` is where the top card of each pile lies, and how wide it is. `above` and `below` are what the
    felt has besides, for words.
    """

    card: float
    parts: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    places: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    above: float = 0
    below: float = 0

    @staticmethod
    def _symbol(name: str) -> str:
        return name if name.startswith("back") else f"L{name}"

    @property
    def height(self) -> float:
        """The height of a card."""
        return self.card * RATIO

    def lay(self, card: str, x: float, y: float, pack: int = 0) -> None:
        """Draw a card; a hidden one shows its back."""
        symbol = f"back{pack % 4}" if card == HIDDEN else card
        self.used.add(symbol)
        box = f'x="{x:.1f}" y="{y:.1f}" width="{self.card:.1f}" height="{self.height:.1f}"'
        self.parts.append(f'<use href="#{self._symbol(symbol)}" {box}/>')

    def pile(self, name: str, cards: Sequence[str], x: float, y: float, *, hidden: int | None = None) -> None:
        """Draw the top of a pile, or its place; `hidden` is the pack of a pile that lies face down."""
        self.places[name] = x, y, self.card
        if not cards:
            self.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{self.card:.1f}" height="{self.height:.1f}" rx="7" '
                'fill="#000" fill-opacity=".1" stroke="#fff" stroke-opacity=".25" stroke-width="2"/>'
            )
            return
        self.lay(HIDDEN if hidden is not None else cards[-1], x, y, hidden or 0)

    def fan(self, name: str, cards: Sequence[str], x: float, y: float, *, step: float) -> None:
        """Draw a house whose cards lie one beside the other."""
        if not cards:
            self.pile(name, cards, x, y)
        for index, card in enumerate(cards):
            self.places[name] = x + index * step, y, self.card
            self.lay(card, x + index * step, y)

    def text(self) -> str:
        """The whole picture as SVG."""
        # Cards without pictures: they are read in a small preview, and drawn in a third of the time.
        backs = {name for name in self.used if name.startswith("back")}
        symbols = "".join(
            [plain_back(int(name[-1])) for name in sorted(backs)]
            + [large_face(*name) for name in sorted(self.used - backs)]
        )
        tall = HEIGHT + self.above + self.below
        top, frame = -self.above, (WIDTH - 16, tall - 16)
        return re.sub(
            r"var\(--[\w-]+,(#\w+)\)",
            r"\1",
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top:g} {WIDTH} {tall:g}">'
            f"<defs>{definitions()}{symbols}</defs>"
            f'<rect y="{top:g}" width="{WIDTH}" height="{tall:g}" fill="{EDGE}"/>'
            f'<rect x="8" y="{top + 8:g}" width="{frame[0]}" height="{frame[1]:g}" rx="16" fill="{FELT}" '
            'stroke="#b08d44" stroke-width="3"/>'
            f"{''.join(self.parts)}</svg>",
        )


def _suit_place(drawing: Felt, suit: str, x: float, y: float) -> None:
    size = drawing.card * 0.5 / 100
    place = f"translate({x + drawing.card / 2:.1f} {y + drawing.height / 2:.1f}) scale({size:.3f})"
    drawing.parts.append(f'<path d="{SUIT_PATHS[suit]}" fill="#fff" fill-opacity=".2" transform="{place}"/>')


def _foundations(drawing: Felt, piles: Piles, place: Mapping[str, tuple[float, float]]) -> None:
    for name, (x, y) in place.items():
        drawing.pile(name, piles[name], x, y)
        if not piles[name]:
            _suit_place(drawing, name[1], x, y)


def _turns(piles: Piles, players: int, felt: type[Felt]) -> Felt:
    """Foundations in the middle, houses fanned outwards, and the piles of two seats at the ends."""
    drawing = felt((HEIGHT - 2 * MARGIN - 3 * 9) / 4 / RATIO)
    card, pitch = drawing.card, drawing.height + 9
    gap = card * 0.1
    left = (WIDTH - players * card - (players - 1) * gap) / 2
    place = {
        f"f{suit}{index}": (left + index * (card + gap), MARGIN + row * pitch)
        for row, suit in enumerate(SUITS)
        for index in range(players)
    }
    _foundations(drawing, piles, place)
    ends = card * 1.25 if players == 2 else 0
    room = left - card * 0.25 - MARGIN - ends
    houses = sum(name[0] == "t" for name in piles)
    lanes = -(-houses // 8)
    lane = room / lanes
    for index in range(houses):
        name = f"t{index + 1}"
        cards = piles[name]
        on_right, within = index >= houses // 2, index % (houses // 2)
        row, outwards = within % 4, within // 4
        step = min(card * FAN, (lane - card - gap) / max(1, len(cards) - 1))
        y = MARGIN + row * pitch
        near = card * 0.25 + outwards * lane
        if on_right:
            drawing.fan(name, cards, WIDTH - left + near, y, step=step)
        else:
            drawing.fan(name, cards, left - near - card, y, step=-step)
    for seat in range(players) if players == 2 else ():
        x = MARGIN if seat == 0 else WIDTH - MARGIN - card
        for row, name in enumerate((f"r{seat}", f"d{seat}", f"h{seat}")):
            if name in piles:
                y = MARGIN + (row + 1) * pitch
                drawing.pile(name, piles[name], x, y, hidden=seat if name[0] == "h" else None)
    return drawing


def _ticks(piles: Piles, felt: type[Felt]) -> Felt:
    """Foundations in a row, and the piles of a seat above and below."""
    drawing = felt(130)
    card = drawing.card
    pitch = (WIDTH - 2 * MARGIN - card) / 7
    names = [f"f{suit}{index}" for suit in SUITS for index in (0, 1)]
    middle = (HEIGHT - drawing.height) / 2
    _foundations(drawing, piles, {name: (MARGIN + at * pitch, middle) for at, name in enumerate(names)})
    for seat, y in ((1, MARGIN), (0, HEIGHT - MARGIN - drawing.height)):
        row = [f"r{seat}", *(f"s{seat}.{slot}" for slot in (1, 2, 3, 4)), f"d{seat}", f"h{seat}"]
        for at, name in enumerate(row):
            x = MARGIN + (at + 0.5) * pitch
            drawing.pile(name, piles[name], x, y, hidden=seat if name[0] == "h" else None)
    return drawing


def draw_piles(piles: Piles, players: int, felt: type[Felt] = Felt) -> Felt:
    """The piles on a felt: names as in records (``t1``, ``r0``, ``fS1``), cards bottom first."""
    return _ticks(piles, felt) if "s0.1" in piles else _turns(piles, players, felt)


def svg(piles: Piles, players: int) -> str:
    """A picture of the piles."""
    return draw_piles(piles, players).text()


@dataclass
class Miniature(Felt):
    """A felt whose cards are rectangles with a mark of their colour."""

    shapes: list[str] = field(default_factory=list)

    def lay(self, card: str, x: float, y: float, pack: int = 0) -> None:
        """Draw a card; a hidden one in the colour of its back."""
        fill = BACKS[pack % len(BACKS)] if card == HIDDEN else FACE
        self.shapes.append(self._box(x, y, self.card, self.height, fill, edge=True))
        if card != HIDDEN:
            colour = RED if card[1] in "HD" else BLACK
            self.shapes.append(self._box(x + self.card * 0.15, y + 12, self.card * 0.3, 34, colour))

    def pile(self, name: str, cards: Sequence[str], x: float, y: float, *, hidden: int | None = None) -> None:
        """Draw the top of a pile, or its place."""
        if cards:
            self.lay(HIDDEN if hidden is not None else cards[-1], x, y, hidden or 0)
        else:
            self.shapes.append(self._box(x, y, self.card, self.height, EDGE))

    @staticmethod
    def _box(x: float, y: float, width: float, height: float, fill: str, *, edge: bool = False) -> str:
        line = f' stroke="{EDGE}" stroke-width="{LINE}"' if edge else ""
        return (
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{fill}"{line}/>'
        )

    def text(self) -> str:
        """The whole picture as SVG."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f'<rect width="{WIDTH}" height="{HEIGHT}" rx="40" fill="{FELT}"/>{"".join(self.shapes)}</svg>'
        )


def miniature(piles: Piles, players: int) -> str:
    """A picture of the piles."""
    return draw_piles(piles, players, Miniature).text()
