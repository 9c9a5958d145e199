"""``./crapette build-kit``: builds the package `crapette` that this site's authors install."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kit.package.tree import SOURCE
from kit.package.wheel_build import BuildFailed, build, has_compiler, is_built

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Build and list the files; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="crapette build-kit",
        description="Build the package that authors install with pip: its sources, and with a C compiler"
        " two wheels for this kind of machine, one for this Python and one for every later Python.",
        epilog="A site serves what is in build/kit at /kit/. If CRAPETTE_URL says the site's address, the"
        " commands of the package talk to that site unless told otherwise. Where no wheel fits, pip compiles"
        " the sources. For wheels of other platforms, run cibuildwheel there on the sources, and put the"
        " wheels into build/kit.",
    )
    parser.add_argument(
        "--to", type=Path, default=SOURCE / "build" / "kit", metavar="DIR", help="default: %(default)s"
    )
    parser.add_argument("--again", action="store_true", help="build even if nothing has changed")
    given = parser.parse_args(arguments)
    try:
        if given.again or not is_built(given.to):
            build(given.to, project_version())
    except (BuildFailed, OSError) as error:
        print(f"crapette build-kit: {error}", file=sys.stderr)
        return 1
    if not has_compiler():
        print("No C compiler found, so there are no wheels: authors compile the sources. Install gcc.")
    for path in sorted(given.to.glob("crapette-*")):
        print(f"{path}  {path.stat().st_size / 1024:.0f} kB")
    return 0


def project_version() -> str:
    """The version of the project."""
    text = (SOURCE / "arena" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"', text, re.MULTILINE)
    assert found is not None  # noqa: S101
    return found[1]


if __name__ == "__main__":
    sys.exit(main())
