"""Frames as an animated GIF. Never imported where pages are served: a frame takes about 50 ms."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import resvg_py
from PIL import Image

from arena.web.deck.frame import TYPEFACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDE: Final = 640
"""Pixels: what is shared is looked at on phones."""
COLOURS: Final = 255
"""One fewer than a GIF may have: the last one says that nothing has changed."""
LEAST_MS: Final = 20
"""Browsers play anything faster at 100 ms."""


def gif(frames: Sequence[str], seconds: Sequence[float]) -> bytes:
    """The frames, as SVG and all of one size, as a GIF that repeats; each stays for so many seconds."""
    colours = _palette([frames[0], frames[len(frames) // 2], frames[-1]])
    pictures = [_picture(one).quantize(palette=colours, dither=Image.Dither.NONE) for one in frames]
    packed = io.BytesIO()
    pictures[0].save(
        packed,
        format="GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=[max(LEAST_MS, round(1000 * one)) for one in seconds],
        loop=0,
        disposal=1,
    )
    return packed.getvalue()


def _picture(svg: str) -> Image.Image:
    png = resvg_py.svg_to_bytes(
        svg_string=svg, width=WIDE, skip_system_fonts=True, font_files=[str(TYPEFACE)]
    )
    return Image.open(io.BytesIO(bytes(png))).convert("RGB")


def _palette(frames: Iterable[str]) -> Image.Image:
    """The colours of all frames: they show the same deck, so a few of them have nearly all."""
    samples = [_picture(one) for one in frames]
    wide, tall = samples[0].size
    sheet = Image.new("RGB", (wide, tall * len(samples)))
    for number, one in enumerate(samples):
        sheet.paste(one, (0, tall * number))
    return sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
