"""How the engine is compiled where authors install it."""

import re

from kit.package.tree import SOURCE, TEMPLATE

EXACT = re.compile(r"^(?:FLAGS|EXACT) = .*\"-ffp-contract=off\"", re.MULTILINE)


def test_the_package_rounds_as_the_arena_does() -> None:
    for folder in (SOURCE, TEMPLATE):
        assert EXACT.search((folder / "setup.py").read_text(encoding="utf-8")), folder
