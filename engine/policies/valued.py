"""A learned value of lines for each game of turns of two seats: the nets for the core's `Valuer`.

The nets lie in `nets/`. They learned from games against themselves and planner
(`analysis.training.train_valuers`), without any rule of thumb.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError
from engine.turns.core import Valuer

if TYPE_CHECKING:
    from engine.turns.core import Core
    from engine.variants import Variant

NETS: Final = Path(__file__).parent / "nets"
SAME_GAME: Final = {"crapaud-kjq": "crapaud", "crapette-it-strict": "crapette-it"}
"""Whose net plays a variant that differs from another in nothing that a net sees: in the names of the court
cards, or in moves that are illegal instead of irregular."""
MOST_NODES: Final = 512
"""So many positions a valuer looks at for a line, at most."""


def valuer(core: Core, rules: Variant, nodes: int = MOST_NODES) -> Valuer:
    """Return a valuer for games like that of `core`, of two seats.

    Raises:
        EngineError: there is no net for such games.

    >>> from engine import VARIANTS
    >>> from engine.protocol import Game
    >>> core = Game.deal("crapaud", "00" * 32).core
    >>> valuer(core, VARIANTS["crapaud"]).planned(core)[-1] in range(128)
    True
    """
    if core.players != 2:
        raise EngineError(f"expected a game of two seats, got {core.players}")
    return Valuer(core, rules.one_pack, nodes, weights_of(rules.name))


def likely(worth: float) -> float:
    """How likely log odds are, from 0 to 1.

    >>> likely(0.0), round(likely(1.0), 3)
    (0.5, 0.731)
    """
    return 1 / (1 + math.exp(-max(-700.0, worth)))


@cache
def weights_of(variant: str) -> tuple[float, ...]:
    """The numbers of a variant's net as `Valuer` takes them."""
    path = NETS / f"{SAME_GAME.get(variant, variant)}.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    first = [number for row in found["first"] for number in row]
    return tuple(map(float, [*first, *found["bias"], *found["second"], found["last"]]))
