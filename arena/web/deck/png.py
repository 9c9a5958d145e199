"""``python -m arena.web.deck.png``: makes a PNG of the SVG it reads, for a process that serves pages.

Felt holds the interpreter for about 70 ms, in which that process would answer nobody.
"""

from __future__ import annotations

import sys
from typing import Final

import resvg_py

PIXELS: Final = (800, 420)
"""The size of the picture: what sites show of it at most."""


def png(svg: str) -> bytes:
    """The picture as PNG."""
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=PIXELS[0], skip_system_fonts=True))


if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode()))
