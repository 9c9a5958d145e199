"""Runs anything with what is compiled as plain Python, though extensions lie beside their sources.

    python -m tests.uncompiled pytest tests/property
    python -m tests.uncompiled engine legal

As the user of a machine without a C compiler has it. Importing this module is enough: it puts an importer for
them before all others, so it must come before the engine's first import.
"""

from __future__ import annotations

import runpy
import sys
from importlib.abc import MetaPathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

COMPILED = ("engine.turns.core.whole", "engine.ticks.core.whole", "referee.turns.whole", "sandbox.exchange")
SOURCES = {name: Path(__file__).parents[1].joinpath(*name.split(".")).with_suffix(".py") for name in COMPILED}


class SourceOfCore(MetaPathFinder):
    """Finds a module's source where Python would prefer the extension."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The source of what is compiled, nothing for any other name."""
        return spec_from_file_location(fullname, SOURCES[fullname]) if fullname in SOURCES else None


if sys.modules.keys() & SOURCES.keys():
    raise ImportError("expected to come before the engine's first import")
sys.meta_path.insert(0, SourceOfCore())


if __name__ == "__main__":
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
