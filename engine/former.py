"""Names of earlier releases: bots that were uploaded long ago go on importing them.

Nothing in this repository does. `Finder` finds a module that moved by its old name, `attribute` does so for
an attribute of `engine`.
"""

from __future__ import annotations

import sys
from functools import cached_property
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MODULES: Mapping[str, tuple[str, Mapping[str, str]]] = MappingProxyType(
    {
        "board": ("turns.board", {}),
        "checks": ("turns.checks", {}),
        "core": ("turns.core", {}),
        "deal": ("turns.deal", {}),
        "events": ("turns.events", {}),
        "game": ("turns.game", {"Game": "protocol.Game", "Replay": "protocol.Replay"}),
        "moves": ("turns.moves", {}),
        "parts": ("turns.parts", {"covered": "cards.covered"}),
        "position": ("turns.position", {"Position": "protocol.Position"}),
        "race": (
            "ticks.game",
            {"RaceGame": "former.RaceGame", "Tick": "ticks.Tick", "Done": "ticks.ActionOutcome"},
        ),
        "racecore": (
            "ticks.core",
            {"RaceCore": "ticks.core.TickCore", "RaceCompletions": "ticks.core.TickCompletions"},
        ),
        "racetable": (
            "ticks.conversion",
            {"to_race_core": "ticks.conversion.to_core", "to_race": "ticks.conversion.to_position"},
        ),
        "rewind": ("turns.knowledge.rewind", {}),
        "sampling": ("turns.knowledge.sampling", {}),
        "score": ("points.outcome", {"score": "protocol.score", "outcome": "protocol.outcome"}),
        "sheet": ("points.sheet", {"race_parts": "points.sheet.tick_parts"}),
        "stacks": ("turns.search.stacks", {}),
        "starts": ("protocol", {"any_deal": "protocol.deal", "any_position": "former.any_position"}),
        "table": ("turns.conversion", {}),
        "tracker": ("turns.knowledge.tracker", {}),
        "vitesse": (
            "ticks.position",
            {"Race": "ticks.TickPosition", "RaceSeat": "ticks.TickSeat", "deal": "former.tick_deal"},
        ),
        "words": ("turns.words", {}),
    }
)
"""For each module that moved, where it is now, and which of its names changed."""

ATTRIBUTES: Mapping[str, str] = MappingProxyType(
    {
        "ALL_VARIANTS": "variants.VARIANTS",
        "VITESSE": "former.VITESSE",
        "Race": "ticks.TickPosition",
        "RaceGame": "former.RaceGame",
        "any_deal": "protocol.deal",
        "any_position": "former.any_position",
        "any_variant": "variants.variant",
    }
)
"""For each name that `engine` had, where it is now."""


ATTRIBUTES_TOO = frozenset({"deal", "score"})
"""Modules with the name of a function of `engine`: once imported, they stand where it stood."""


class _Callable(ModuleType):
    """A module that can be called as the function of its name."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return _found(f"protocol.{self.__name__.rpartition('.')[2]}")(*arguments, **named)


class Finder(MetaPathFinder, Loader):
    """Finds `engine.core` and the like where they are now."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A module by its former name, nothing for any other."""
        package, _, name = fullname.rpartition(".")
        return ModuleSpec(fullname, self) if package == __package__ and name in MODULES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module with all that the one of today has, and the names that have changed."""
        name = spec.name.rpartition(".")[2]
        where, renamed = MODULES[name]
        made = _Callable(spec.name) if name in ATTRIBUTES_TOO else ModuleType(spec.name)
        now = import_module(f".{where}", __package__)
        for key, value in vars(now).items():
            if not key.startswith("__"):
                setattr(made, key, value)
        for key, path in renamed.items():
            setattr(made, key, _found(path))
        return made

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing left to do."""


def attribute(name: str) -> Any:
    """What `engine.name` was.

    Raises:
        AttributeError: it was nothing.

    >>> attribute("any_variant")("vitesse").in_ticks
    True
    """
    if name in ATTRIBUTES:
        return _found(ATTRIBUTES[name])
    if name in MODULES:
        return import_module(f".{name}", __package__)
    raise AttributeError(f"module 'engine' has no attribute {name!r}")


def _found(path: str) -> Any:
    """The value at a path below `engine`."""
    module, _, name = path.rpartition(".")
    return getattr(_OWN if module == "former" else import_module(f".{module}", __package__), name)


class _Own:
    """What only earlier releases had; made when asked for, since it needs modules that import this one."""

    @property
    def any_position(self) -> Any:
        """Read the line of any game."""
        return import_module(".protocol", __package__).Position.parse

    @property
    def tick_deal(self) -> Any:
        """The deal of `vitesse` by its seed alone."""
        deal = import_module(".protocol", __package__).deal
        return lambda seed: deal("vitesse", seed)

    @property
    def VITESSE(self) -> Any:  # noqa: N802 (its name was that)
        """The variant."""
        return import_module(".variants", __package__).VARIANTS["vitesse"]

    @cached_property
    def RaceGame(self) -> Any:  # noqa: N802 (its name was that)
        """A game of ticks that is dealt by its seed alone."""
        ticks = import_module(".ticks", __package__)
        dealt = classmethod(lambda cls, seed: cls(self.tick_deal(seed)))
        return type("RaceGame", (ticks.TickGame,), {"deal": dealt})


_OWN = _Own()
sys.meta_path.append(Finder())
