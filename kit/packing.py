"""Which files of an author's folder belong to the bot: the same for `check-bot`, `play` and `upload`."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS_LEFT_OUT: Final = frozenset({"__pycache__", "node_modules", "target", "tests"})
SUFFIXES_LEFT_OUT: Final = frozenset({".c", ".h", ".rs", ".go", ".wat", ".md", ".toml", ".lock"})
NAMES_LEFT_OUT: Final = frozenset({"Makefile", "LICENSE", "build.sh"})
"""Besides these, hidden files and folders stay at home: the sources of executables, tests and caches."""


def to_pack(folder: Path) -> Iterator[Path]:
    """Yield the files of a bot's folder. Raises OSError."""
    for top, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in FOLDERS_LEFT_OUT
        )
        for name in sorted(names):
            path = Path(top, name)
            wanted = not name.startswith(".") and name not in NAMES_LEFT_OUT
            if wanted and path.suffix not in SUFFIXES_LEFT_OUT and path.is_file():
                yield path


def zipped(folder: Path) -> bytes:
    """The folder's bot as a zip archive. The same files give the same bytes. Raises OSError."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(to_pack(folder)):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return data.getvalue()


def _raise(error: OSError) -> None:
    raise error
