"""A small picture for each bot, drawn from the SHA-256 of its address, so that it never changes."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

SIZE: Final = 5
"""Cells in each direction; the left half is mirrored, as on a playing card's back."""
COLOURS: Final = (
    ("#17613f", "#f4e6c4"),
    ("#7d2e2b", "#f7ddd6"),
    ("#24437f", "#dfe8f8"),
    ("#5b3a86", "#eee3fa"),
    ("#7d5712", "#fbf0d4"),
    ("#1f6b73", "#dcf1f0"),
    ("#36402f", "#e5ecd2"),
    ("#8a3a68", "#f9e0ee"),
)
SHAPES: Final = (
    "M0-3.4 3.4 0 0 3.4-3.4 0Z",
    "M-2.8-2.8H2.8V2.8H-2.8Z",
    "M0-3.2 3.2 2.6H-3.2Z",
    "M-3.2 0A3.2 3.2 0 1 1 3.2 0 3.2 3.2 0 1 1-3.2 0Z",
)


@lru_cache(maxsize=2048)
def drawn(seed: str) -> SafeString:
    """The picture for this text as an SVG element, as decoration beside a name."""
    digest = hashlib.sha256(seed.encode()).digest()
    ground, ink = COLOURS[digest[0] % len(COLOURS)]
    shapes = (SHAPES[digest[1] % len(SHAPES)], SHAPES[digest[2] % len(SHAPES)])
    bits = int.from_bytes(digest[3:7], "big")
    half = -(-SIZE // 2)
    cells = []
    for cell in range(SIZE * half):
        row, column = divmod(cell, half)
        if bits >> cell & 1 or cell == SIZE * half // 2:
            shape = shapes[bits >> (cell + SIZE * half) & 1]
            cells += [
                f'<path transform="translate({8 + 8 * across} {8 + 8 * row})" d="{shape}"/>'
                for across in sorted({column, SIZE - 1 - column})
            ]
    return format_html(
        '<svg class="avatar" viewBox="0 0 48 48" aria-hidden="true" focusable="false">'
        '<rect width="48" height="48" rx="9" fill="{}"/><g fill="{}">{}</g></svg>',
        ground,
        ink,
        # Made of numbers and the constants above alone.
        mark_safe("".join(cells)),  # noqa: S308
    )
