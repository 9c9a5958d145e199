"""Makes the environments known by name to Gymnasium and PettingZoo, where they are installed."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from typing import Any


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
