"""Compiles the house bots written in C: ``python -m bots.house.build``. Set-up runs it; up-to-date bots are
skipped."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import Final

from bots.house import HERE

SOURCES: Final = (HERE / "random_c" / "bot.c", HERE / "greedy_c" / "bot.c")


def build() -> list[str]:
    """Compile executables older than their source, and return a line about each.

    Raises OSError, CalledProcessError.
    """
    made = []
    for source in SOURCES:
        target = source.with_suffix("")
        if target.is_file() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        fresh = target.with_suffix(".new")  # replaced in one step: another set-up may be at it, too
        subprocess.run(
            ["gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-o", str(fresh), str(source)],
            check=True,
        )
        fresh.replace(target)
        made.append(f"compiled {source.relative_to(HERE.parent.parent)}")
    return made


def main() -> int:
    """Build all and print what was done; return 1 if there is no compiler."""
    if shutil.which("gcc") is None:
        print(
            "bots.house.build: expected gcc on the path, found none: those in C are not built",
            file=sys.stderr,
        )
        return 1
    for line in build():
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
