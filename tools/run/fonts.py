"""``./crapette fonts``: writes the site's typefaces into arena/static/fonts, and their rules into base.css.

Figtree (text, weights 400 to 700) and Fraunces (headings, one weight) come from npm packages under the SIL
Open Font License. Only the letters and features that pages use are kept. Until a browser has loaded them,
it shows a font of the reader's machine, scaled to the same width and height so that nothing moves.
"""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGES: Final = ROOT / "node_modules" / "@fontsource-variable"
FOLDER: Final = ROOT / "arena" / "static" / "fonts"
STYLES: Final = ROOT / "arena" / "static" / "css" / "base.css"
DRAWN: Final = ROOT / "arena" / "web" / "deck" / "figtree.ttf"
"""Figtree in one weight, in the form that pictures are drawn with (`arena.web.deck.frame`)."""
BEGINS, ENDS = "/* fonts: written by ./crapette fonts */", "/* end of fonts */"

LETTERS: Final = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *map(ord, "‐‑–—‘’‚“”„†•…‹›′″€™↑↓−×½¼¾"),
    *(0x2007, 0x2009, 0x202F),
)
FEATURES: Final = ("kern", "liga", "ccmp", "locl", "mark", "mkmk", "tnum", "lnum")

FREQUENCIES: Final = {
    **{" ": 183, "e": 102, "t": 77, "a": 68, "o": 59, "i": 58, "n": 55, "h": 50, "s": 50, "r": 49, "d": 34},
    **{"l": 33, "u": 23, "m": 21, "c": 21, "w": 17, "f": 18, "g": 16, "y": 14, "p": 15, "b": 11, "v": 8},
    **{"k": 6, "x": 1, "j": 1, "q": 1, "z": 1},
}
"""How often letters occur in English text, per thousand (Lewand, Cryptological Mathematics, 2000)."""

HELVETICA: Final = {
    **dict.fromkeys("abdeghnopqu", 556),
    **dict.fromkeys("ckswvxyz", 500) | {" ": 278, "f": 278, "i": 222, "j": 222, "l": 222, "m": 833},
    **{"r": 333, "t": 278, "w": 722, "s": 500},
}
"""Widths of Helvetica, Arial and Liberation Sans in thousandths of an em (Adobe's font metrics)."""
TIMES_BOLD: Final = {
    **dict.fromkeys("agovwxy", 500),
    **dict.fromkeys("bdhknpqu", 556),
    **dict.fromkeys("cerz", 444),
    **{" ": 250, "f": 333, "i": 278, "j": 333, "l": 278, "m": 833, "s": 389, "t": 333, "w": 722},
}
"""Widths of Times New Roman Bold and Liberation Serif Bold, likewise."""
DEJAVU: Final = {
    **{" ": 318, "a": 613, "b": 635, "c": 550, "d": 635, "e": 615, "f": 352, "g": 635, "h": 634, "i": 278},
    **{"j": 278, "k": 579, "l": 278, "m": 974, "n": 634, "o": 612, "p": 635, "q": 635, "r": 411, "s": 521},
    **{"t": 392, "u": 634, "v": 592, "w": 818, "x": 592, "y": 592, "z": 525},
}
"""Widths of DejaVu Sans, which many Linux desktops have instead."""
DEJAVU_SERIF_BOLD: Final = {
    **{" ": 348, "a": 648, "b": 699, "c": 609, "d": 699, "e": 636, "f": 430, "g": 699, "h": 727, "i": 380},
    **{"j": 362, "k": 693, "l": 380, "m": 1058, "n": 727, "o": 667, "p": 699, "q": 699, "r": 527, "s": 563},
    **{"t": 462, "u": 727, "v": 581, "w": 861, "x": 596, "y": 581, "z": 568},
}


@dataclass(frozen=True, slots=True)
class StandIn:
    """A font of the reader's machine: the names it may have there, and its widths."""

    names: tuple[str, ...]
    widths: dict[str, int]


@dataclass(frozen=True, slots=True)
class Typeface:
    """A typeface of the site: its package's file, the axes that are pinned, and what stands in for it."""

    name: str
    package: str
    file: str
    pinned: dict[str, float]
    weight: str
    stand_ins: tuple[StandIn, ...]

    @property
    def target(self) -> Path:
        """Where the site's copy is."""
        return FOLDER / f"{self.package}.woff2"


TYPEFACES: Final = (
    Typeface(
        "Figtree",
        "figtree",
        "figtree-latin-wght-normal.woff2",
        {},
        "400 700",
        (
            StandIn(("Arial", "Liberation Sans", "Arimo", "Helvetica", "Roboto"), HELVETICA),
            StandIn(("DejaVu Sans",), DEJAVU),
        ),
    ),
    Typeface(
        "Fraunces",
        "fraunces",
        "fraunces-latin-full-normal.woff2",
        {"opsz": 40, "SOFT": 20, "WONK": 0, "wght": 600},
        "600",
        (
            StandIn(("Times New Roman Bold", "Liberation Serif Bold", "Tinos Bold"), TIMES_BOLD),
            StandIn(("DejaVu Serif Bold",), DEJAVU_SERIF_BOLD),
        ),
    ),
)


def subset(face: Typeface) -> bytes:
    """The typeface as a WOFF2 file with only what pages use; the same bytes every time."""
    font = TTFont(PACKAGES / face.package / "files" / face.file, recalcTimestamp=False)
    if face.pinned:
        font = instantiateVariableFont(font, face.pinned)
    options = Options(layout_features=list(FEATURES), hinting=False, name_IDs=[0, 1, 2, 13, 14])
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    packed = io.BytesIO()
    font.save(packed)
    return packed.getvalue()


def drawn() -> bytes:
    """The letters of pictures as a TrueType file; the same bytes every time."""
    font = TTFont(PACKAGES / "figtree" / "files" / TYPEFACES[0].file, recalcTimestamp=False)
    font = instantiateVariableFont(font, {"wght": 600})
    subsetter = Subsetter(Options(layout_features=["kern"], hinting=False, name_IDs=[0, 1, 2, 6, 13, 14]))
    subsetter.populate(unicodes=LETTERS)
    subsetter.subset(font)
    # Its file is named after its lightest weight.
    font["name"].setName(TYPEFACES[0].name, 1, 3, 1, 0x409)
    font.flavor = None
    packed = io.BytesIO()
    font.save(packed)
    return packed.getvalue()


def mean_width(widths: dict[str, int], units: int) -> float:
    """The mean width of a letter of English text, in ems."""
    total = sum(FREQUENCIES.values())
    return sum(widths[letter] * often for letter, often in FREQUENCIES.items()) / total / units


def styles(face: Typeface) -> str:
    """The CSS that declares a typeface and its stand-ins."""
    font = TTFont(face.target)
    cmap, units = font.getBestCmap(), font["head"].unitsPerEm
    widths = {letter: font["hmtx"][cmap[ord(letter)]][0] for letter in FREQUENCIES}
    lines, own = font["hhea"], mean_width(widths, units)
    rules = [
        f'@font-face {{ font-family: "{face.name}"; '
        f'src: url("../fonts/{face.package}.woff2") format("woff2"); '
        f"font-weight: {face.weight}; font-display: swap; }}"
    ]
    for number, stand_in in enumerate(face.stand_ins, start=1):
        scale = own / mean_width(stand_in.widths, 1000)
        sources = ", ".join(f'local("{name}")' for name in stand_in.names)
        up, down, gap = (value / units / scale for value in (lines.ascent, -lines.descent, lines.lineGap))
        rules.append(
            f'@font-face {{ font-family: "{face.name} stand-in {number}"; src: {sources}; '
            f"size-adjust: {scale:.2%}; ascent-override: {up:.2%}; descent-override: {down:.2%}; "
            f"line-gap-override: {gap:.2%}; }}"
        )
    return "\n".join(rules)


def write() -> None:
    """Write the fonts, their licences, and their part of the style sheet."""
    FOLDER.mkdir(exist_ok=True)
    for face in TYPEFACES:
        face.target.write_bytes(subset(face))
        shutil.copy(PACKAGES / face.package / "LICENSE", FOLDER / f"{face.package}-OFL.txt")
        print(f"{face.target.relative_to(ROOT)}: {face.target.stat().st_size:,} bytes")
    DRAWN.write_bytes(drawn())
    STYLES.write_text(with_fonts(STYLES.read_text()))


def with_fonts(text: str) -> str:
    """A style sheet with the fonts' part as it should be."""
    rules = "\n".join(styles(face) for face in TYPEFACES)
    part = re.compile(re.escape(BEGINS) + ".*?" + re.escape(ENDS), re.DOTALL)
    return part.sub(lambda _: f"{BEGINS}\n{rules}\n{ENDS}", text)


if __name__ == "__main__":
    write()
