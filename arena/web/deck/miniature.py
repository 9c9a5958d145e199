"""A position as a picture of some 100 pixels, as SVG: where cards lie and which are red, not their ranks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from arena.web.deck.picture import EDGE, FELT, HEIGHT, HIDDEN, WIDTH, Felt, draw_piles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.web.deck.piles import Piles

FACE: Final = "#fbf7ec"
BACKS: Final = ("#3d5a80", "#a4453a", "#6b5b95", "#8a6d3b")
RED, BLACK = "#c0392b", "#2b2b2b"
LINE: Final = 4
"""Of the edge round a card, in units of the picture: cards of a fan are told apart by it."""


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
