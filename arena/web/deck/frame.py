"""A frame of a passage: a position as `arena.web.deck.picture` draws it, with names and the last move.

Its words are the bots' names and a caption, in the language of whoever asks for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.web.deck.picture import HEIGHT, MARGIN, WIDTH, Felt, draw_piles
from arena.web.deck.sprite import BACK_COLOURS, GOLD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.web.deck.piles import Piles

TYPEFACE: Final = Path(__file__).with_name("figtree.ttf")
"""The letters of the site, in the form that can be drawn (``./crapette fonts``)."""
BAND: Final = 58
STRIP: Final = 164
"""Above the felt, for names and numbers; and below it, for the piles of three or four seats."""
SMALL: Final = 58
"""The width of a card in the strip."""
LETTER: Final = 0.54
"""The mean width of a letter, in heights of the type."""
CREAM: Final = "#f5edd6"
DRAWABLE: Final = re.compile("[\\x20-\\x7e\\xa0-\\u017f‐-”†•…]+")
"""Names in the letters of the typeface."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a frame tells: who plays, who moved and from which piles to which, and what that was in words."""

    names: Sequence[str]
    movers: frozenset[int]
    sources: Sequence[str]
    targets: Sequence[str]
    caption: str


def can_be_drawn(name: str) -> bool:
    """Whether the typeface has all letters of a name."""
    return DRAWABLE.fullmatch(name) is not None


def frame(piles: Piles, scene: Scene) -> str:
    """The frame as SVG."""
    drawing = draw_piles(piles, len(scene.names))
    drawing.above = BAND
    if "s0.1" in piles:
        drawing.below = BAND
        _name(drawing, scene, 1, (MARGIN, 4 - BAND, 410))
        _name(drawing, scene, 0, (MARGIN, HEIGHT - 8, 410))
        _caption(drawing, scene, WIDTH - MARGIN, 40 - BAND, room=WIDTH - 2 * MARGIN - 420, anchor="end")
    elif len(scene.names) == 2:
        drawing.below = BAND
        _caption(drawing, scene, WIDTH / 2, HEIGHT + 32)
        for seat, left in enumerate((MARGIN, WIDTH / 2 + MARGIN)):
            _name(drawing, scene, seat, (left, 4 - BAND, WIDTH / 2 - 2 * MARGIN))
        for seat in scene.movers:
            x, y, _ = drawing.places[f"r{seat}"]
            _drawn_card(drawing, piles, x, y - drawing.height - 9)
    else:
        _caption(drawing, scene, WIDTH / 2, 40 - BAND)
        drawing.below = STRIP
        _strip(drawing, piles, scene)
    _mark(drawing, scene.sources, 'stroke="#fff" stroke-width="5" stroke-dasharray="12 9"')
    _mark(drawing, scene.targets, 'stroke="#ffd23f" stroke-width="9"')
    _badges(drawing, piles)
    return drawing.text()


def _drawn_card(drawing: Felt, piles: Piles, x: float, y: float) -> None:
    """The card that a seat has drawn and not yet played."""
    if piles["x"]:
        drawing.pile("x", piles["x"], x, y)


def _strip(drawing: Felt, piles: Piles, scene: Scene) -> None:
    """The seats side by side below the houses, each with its piles."""
    room = (WIDTH - 2 * MARGIN) / len(scene.names)
    small = Felt(SMALL, drawing.parts, drawing.used, drawing.places)
    for seat in range(len(scene.names)):
        left, y = MARGIN + seat * room, HEIGHT + 52.0
        _name(drawing, scene, seat, (left, HEIGHT - 2, room - 12))
        for at, name in enumerate((f"r{seat}", f"d{seat}", f"h{seat}")):
            if name in piles:
                hidden = seat if name[0] == "h" else None
                small.pile(name, piles[name], left + at * (SMALL + 8), y, hidden=hidden)
        if seat in scene.movers:
            _drawn_card(small, piles, left + 3 * (SMALL + 8), y)


def _name(drawing: Felt, scene: Scene, seat: int, place: tuple[float, float, float]) -> None:
    """A seat's name in so much room, with the colour of its pack; gold if it moved."""
    x, y, room = place
    size = 34 if room >= 400 else 27
    most = int((room - 44) / (size * LETTER))
    name = scene.names[seat]
    shown = name if len(name) <= most else f"{name[: most - 1]}…"
    drawing.parts.append(
        f'<circle cx="{x + 14:.1f}" cy="{y + 26:.1f}" r="13" fill="{BACK_COLOURS[seat % 4]}" '
        f'stroke="{CREAM}" stroke-width="3"/>'
    )
    colour = GOLD if seat in scene.movers else CREAM
    _words(drawing, shown, x + 38, y + 36, size=size, colour=colour)


def _caption(
    drawing: Felt,
    scene: Scene,
    x: float,
    y: float,
    *,
    room: float = WIDTH - 2 * MARGIN,
    anchor: str = "middle",
) -> None:
    """What happened, in so much room."""
    most = int(room / (34 * LETTER))
    text = scene.caption
    _words(drawing, text if len(text) <= most else f"{text[: most - 1]}…", x, y, anchor=anchor)


def _words(
    drawing: Felt,
    text: str,
    x: float,
    y: float,
    *,
    anchor: str = "start",
    size: int = 34,
    colour: str = CREAM,
) -> None:
    drawing.parts.append(
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="Figtree" font-weight="600" font-size="{size}" '
        f'text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
    )


def _badges(drawing: Felt, piles: Piles) -> None:
    """How many cards lie in the piles of which only the top one shows."""
    for name, (x, y, card) in drawing.places.items():
        if name[0] in "rhd" and piles[name]:
            across, down, radius = x + card / 2, y + card * 1.4 - 6, max(15.0, card * 0.19)
            drawing.parts.append(
                f'<circle cx="{across:.1f}" cy="{down:.1f}" r="{radius:.1f}" fill="#10251c" stroke="#fff"/>'
            )
            _words(
                drawing,
                str(len(piles[name])),
                across,
                down + radius * 0.42,
                anchor="middle",
                size=round(radius * 1.2),
            )


def _mark(drawing: Felt, names: Iterable[str], stroke: str) -> None:
    for name in names:
        if name in drawing.places:
            x, y, card = drawing.places[name]
            drawing.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{card:.1f}" height="{card * 1.4:.1f}" rx="8" '
                f'fill="none" {stroke}/>'
            )
