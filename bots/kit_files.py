"""The folder with the package that a site serves to authors, and what is in it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[1] / "build" / "kit"
"""Where ``./crapette build-kit`` puts the files."""
SUFFIXES: Final = (".whl", ".tar.gz")


@dataclass(frozen=True, slots=True)
class Package:
    """A file that pip can install: name, version, hash, size in bytes, and for which machines it is."""

    name: str
    version: str
    sha256: str
    size: int

    @property
    def fits(self) -> str:
        """The machines it is for, in words."""
        if self.name.endswith(".tar.gz"):
            return "sources, for any other machine with a C compiler"
        python, abi, platform = self.name.removesuffix(".whl").split("-")[2:]
        later = " and later" if abi == "abi3" else ""
        return f"{platform.replace('_', ' ')}, Python {python[2]}.{python[3:]}{later}"


def packages(folder: Path = FOLDER) -> list[Package]:
    """The wheels and the sources in a folder, by name; none if it is missing."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))
        return [_described(path, path.stat().st_mtime_ns) for path in paths]
    except OSError:  # exchanged this moment, or not built yet
        return []


@lru_cache(maxsize=64)
def _described(path: Path, _: int) -> Package:
    content = path.read_bytes()
    version = path.name.removesuffix(".tar.gz").split("-")[1]
    return Package(path.name, version, hashlib.sha256(content).hexdigest(), len(content))
