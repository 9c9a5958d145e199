"""Compiles the catalogues of translations in ``locale/``: ``python -m arena.web.i18n.catalogues``.

``./crapette`` does so when it sets the site up. What is served reads the compiled ones and never compiles;
``manage.py check`` and ``migrate`` warn if some are missing or older than their sources.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import polib

FOLDER: Final = Path(__file__).resolve().parents[3] / "locale"


def compile_catalogues(folder: Path = FOLDER) -> list[Path]:
    """Compile each catalogue that changed since it was last compiled, and return those."""
    return [source for source in sorted(folder.glob("*/LC_MESSAGES/*.po")) if _compiled(source)]


def not_compiled(folder: Path = FOLDER) -> list[Path]:
    """The catalogues that were never compiled, or have changed since."""
    return [source for source in sorted(folder.glob("*/LC_MESSAGES/*.po")) if _is_newer(source)]


def _is_newer(source: Path) -> bool:
    """Whether a catalogue is newer than what was compiled of it. Images of containers keep whole seconds."""
    target = source.with_suffix(".mo")
    return not target.exists() or int(target.stat().st_mtime) < int(source.stat().st_mtime)


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
