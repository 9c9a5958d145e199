"""``crapette.engine``: the engine by the name that it has where the package is installed.

In the arena and its sandbox the engine is the package ``engine``. There, this module makes both names mean
the same modules, so that ``crapette.engine.turns.Tracker`` is ``engine.turns.Tracker``. The installed package
has the engine itself in this place.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

import engine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType


class _SameModule(MetaPathFinder, Loader):
    """Finds ``crapette.engine.x`` where ``engine.x`` is."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A module below this name, nothing for any other."""
        return ModuleSpec(fullname, self) if fullname.startswith(f"{__name__}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The engine's own module. Raises ModuleNotFoundError."""
        module = import_module(f"engine{spec.name.removeprefix(__name__)}")
        self._specs[spec.name] = module.__spec__
        _give_both_names()
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Undo what the import system has just written over: the module keeps its own name."""
        assert module.__spec__ is not None  # noqa: S101
        module.__spec__ = self._specs.pop(module.__spec__.name)


def _give_both_names() -> None:
    """Let the import system find what is loaded by its second name, too.

    To import a module anew would put it in its package in place of what has its name there: the function
    ``engine.policies.planner`` comes from a module of that name.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("engine."):
            sys.modules.setdefault(f"{__name__}{name.removeprefix('engine')}", module)


sys.meta_path.insert(0, _SameModule())
sys.modules[__name__] = engine
_give_both_names()
