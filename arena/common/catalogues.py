"""Compiles the catalogues of translations in ``locale/``: ``python -m arena.common.catalogues``.

``./crapette`` does so when it sets the site up. What is served reads the compiled ones and never compiles.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import polib

FOLDER: Final = Path(__file__).resolve().parent.parent.parent / "locale"


def compile_catalogues(folder: Path = FOLDER) -> list[Path]:
    """Compile each catalogue that is newer than what was compiled of it; those that were."""
    return [source for source in sorted(folder.glob("*/LC_MESSAGES/*.po")) if _compiled(source)]


def _compiled(source: Path) -> bool:
    target = source.with_suffix(".mo")
    written = source.stat().st_mtime_ns
    if target.exists() and target.stat().st_mtime_ns == written:
        return False
    # Written elsewhere, then renamed: a process that starts meanwhile sees a complete one. Its time is that
    # of its source, as an older source may take the place of a newer one.
    half = target.with_suffix(f".{os.getpid()}.new")
    half.write_bytes(polib.pofile(str(source)).to_binary())
    os.utime(half, ns=(written, written))
    half.replace(target)
    return True


if __name__ == "__main__":
    compile_catalogues()
