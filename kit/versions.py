"""Which version of the kit this is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of our packages: the clone, or a folder of the installed package."""


def installed() -> bool:
    """Whether this is the installed package and not a clone of the arena."""
    return (ROOT / "VERSION").is_file()


def own_version() -> str:
    """The version of the installed package; in a clone, the word "clone"."""
    return (ROOT / "VERSION").read_text(encoding="utf-8").strip() if installed() else "clone"
