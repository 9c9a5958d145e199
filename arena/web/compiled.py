"""Which modules of the engine are compiled. A first start does not wait for them."""

import contextlib
from pathlib import Path

import engine

FOLDER = Path(engine.__file__).parent


def engine_modules(folder: Path = FOLDER) -> frozenset[str]:
    """Names of the compiled modules that a process started now would import, with the time they were made."""
    found = set()
    for path in folder.rglob("*.so"):
        with contextlib.suppress(FileNotFoundError):  # removed since, being of older sources
            found.add(f"{path.relative_to(folder)} {path.stat().st_mtime_ns}")
    return frozenset(found)
