"""A learned value of lines for each board of turns: the nets for the core's `Valuer`.

The nets lie in `nets/`. They learned from games against themselves and planner
(`analysis.training.train_valuers`), without any rule of thumb.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.boards import board_name
from engine.errors import EngineError
from engine.policies.greedy import EMPTIES_HOUSE, TARGETS, rank_table
from engine.policies.halving import Tried
from engine.turns.core import Valuer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.turns.core import Core
    from engine.variants import Variant

NETS: Final = Path(__file__).parent / "nets"
SAME_GAME: Final = {"crapaud-kjq": "crapaud", "crapette-it-strict": "crapette-it"}
"""Whose net plays a variant that differs from another in nothing that a net sees: in the names of the court
cards, or in moves that are illegal instead of irregular."""
MOST_NODES: Final = 512
"""So many positions a valuer looks at for a line, at most."""
AHEAD: Final = 12
"""Lines until the net is asked who wins: planner's, and then the next one of the seat itself. The more of a
game is played well, the less depends on greedy players, and the fewer the samples."""
BEFORE: Final = 0.5
"""What the net's own opinion of a line counts beside all that is tried."""


def valuer(core: Core, rules: Variant, nodes: int = MOST_NODES) -> Valuer:
    """Return a valuer for games like that of `core`.

    Raises:
        EngineError: there is no net for such games.

    >>> from engine import VARIANTS
    >>> from engine.protocol import Game
    >>> core = Game.deal("crapaud", "00" * 32).core
    >>> valuer(core, VARIANTS["crapaud"]).planned(core)[-1] in range(128)
    True
    """
    return Valuer(core, rules.one_pack, nodes, weights_of(rules.name, core.players))


def lines(net: Valuer, core: Core, most: int) -> list[Tried]:
    """Return up to `most` lines that the net thinks best, best first; empty if every move is irregular, or if
    it is decided who goes out first."""
    return [Tried(BEFORE * likely(worth), moves) for worth, moves in net.lines(core, most)]


class Prospect(NamedTuple):
    """What a line leads to where all cards are known."""

    chance: float
    """How likely the seat that plays the line is to win, from 0 to 1."""
    worth: float
    """What lines are compared by, from 0 to 1."""
    first: int
    """The seat that goes out first in the game that was played on, -1 if none does."""


def tried(net: Valuer, world: Core, moves: Sequence[int]) -> Prospect:
    """Return what a line of the seat to move leads to if the cards lie as in `world`.

    Chance and worth are each a mean of two: what `net` says after a few more lines of all, which knows what
    wins in general, and how the game ends that greedy players play on from there, which shows what these
    cards make of it. For comparing, the cards left at its end count, too (`Valuer.tried`).

    >>> from engine import VARIANTS
    >>> from engine.protocol import Game
    >>> core, rules = Game.deal("crapaud", "00" * 32).core, VARIANTS["crapaud"]
    >>> net = valuer(core, rules, 64)
    >>> prospect = tried(net, core, net.planned(core))
    >>> 0 < prospect.chance < 1, 0 < prospect.worth < 1, prospect.first in (-1, 0, 1)
    (True, True, True)
    """
    players = world.players
    ranks = rank_table((TARGETS,) * players)
    chance, share, first = net.tried(world, moves, AHEAD, ranks, EMPTIES_HOUSE)
    won = 1 / players if first < 0 else float(first == world.turn)
    return Prospect((chance + won) / 2, (chance + share) / 2, first)


def likely(worth: float) -> float:
    """How likely log odds are, from 0 to 1.

    >>> likely(0.0), round(likely(1.0), 3)
    (0.5, 0.731)
    """
    return 1 / (1 + math.exp(-max(-700.0, worth)))


@cache
def weights_of(variant: str, players: int) -> tuple[float, ...]:
    """The numbers of a board's net as `Valuer` takes them."""
    path = net_file(variant, players)
    if not path.exists():
        raise EngineError(f"expected a board of turns, got {board_name(variant, players)}")
    found = json.loads(path.read_text(encoding="utf-8"))
    first = [number for row in found["first"] for number in row]
    return tuple(map(float, [*first, *found["bias"], *found["second"], found["last"]]))


def net_file(variant: str, players: int = 2) -> Path:
    """Return where the net of a board lies.

    >>> net_file("crapette-it-strict").name, net_file("crapette", 3).name
    ('crapette-it.json', 'crapette-3.json')
    """
    name = board_name(SAME_GAME.get(variant, variant), players)
    return NETS / f"{name.replace('/', '-')}.json"
