"""Which version of the kit this is, and whether its engine is compiled."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
"""The folder of our packages: the clone, or a folder of the installed package."""
SLOW: Final = (
    "The engine is not compiled here, so bots that search are about 100 times slower than on the site."
)


def is_installed() -> bool:
    """Whether this is the installed package and not a clone of the arena."""
    return (ROOT / "VERSION").is_file()


def own_version() -> str:
    """The version of the installed package; in a clone, the word "clone"."""
    return (ROOT / "VERSION").read_text(encoding="utf-8").strip() if is_installed() else "clone"


def wheel_python() -> str:
    """The version of Python, such as "3.11", for which the site that built this has a compiled engine."""
    if is_installed():
        return (ROOT / "PYTHON").read_text(encoding="utf-8").strip()
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def home_site() -> str | None:
    """The address of the site that built this package; None in a clone, and if the site did not know it."""
    try:
        return (ROOT / "SITE").read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def cure() -> str:
    """What to do if the engine of the installed package is uncompiled: pip found no C compiler."""
    return (
        f"{SLOW} Install a C compiler and Python's headers (on Debian gcc and python3-dev), then: pip install"
        " --force-reinstall --no-deps --no-cache-dir --no-binary crapette"
        f" --find-links {home_site() or 'https://SITE'}/kit/"
        " crapette"
    )


def warn_uncompiled() -> str:
    """One line for an author whose engine runs uncompiled, with the cure; empty if it is compiled."""
    from engine.turns.core import COMPILED  # noqa: PLC0415 (whoever asks for the version need not wait for it)

    if COMPILED:
        return ""
    if is_installed():
        return cure()
    return f"{SLOW} Install gcc and python3-dev, then run ./crapette again."
