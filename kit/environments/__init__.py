"""Environments to train bots in: many games at once, Gymnasium, PettingZoo and OpenSpiel.

`VectorEnv` needs NumPy, `SoloEnv` Gymnasium, `TurnEnv` and `TickEnv` PettingZoo; the module `spiel` needs
OpenSpiel. Importing this package registers them where those are installed: ``gymnasium.make`` knows
``crapette/Solo-v0``, and ``pettingzoo.make`` ``crapette/crapette_v0`` and ``crapette/crapette_vitesse_v0``.

In all of them the number ``k`` given as ``reset(seed=k)`` deals ``engine.deal(variant, f"{prefix}{k}")``.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kit.environments.solo_env import SoloEnv
    from kit.environments.tick_env import TickEnv
    from kit.environments.turn_env import TurnEnv
    from kit.environments.vector import VectorEnv

__all__ = ["SoloEnv", "TickEnv", "TurnEnv", "VectorEnv"]

_MODULES = {"SoloEnv": "solo_env", "TickEnv": "tick_env", "TurnEnv": "turn_env", "VectorEnv": "vector"}


def __getattr__(name: str) -> Any:
    """Import an environment when it is first asked for, and so only what it needs."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def register(package: str) -> None:
    """Register the environments of a package: this one, or its copy in the package that authors install."""
    with suppress(ImportError):
        gymnasium: Any = import_module("gymnasium")
        gymnasium.register("crapette/Solo-v0", f"{package}.solo_env:SoloEnv")
    with suppress(ImportError):
        pettingzoo: Any = import_module("pettingzoo")
        if hasattr(pettingzoo, "register"):  # since 1.26
            pettingzoo.register("aec", "crapette/crapette_v0", f"{package}.turn_env:TurnEnv")
            pettingzoo.register("parallel", "crapette/crapette_vitesse_v0", f"{package}.tick_env:TickEnv")


register(__name__)
