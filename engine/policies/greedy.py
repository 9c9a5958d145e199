"""The greedy bot of the games of turns: the best-looking single move, with no look ahead.

It looks at nothing that its seat may not know.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError
from engine.turns.moves import texts

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.turns.core import Core

    Policy = Callable[[Core], tuple[int, ...]]
    """A way to play: the numbers of the next moves, as far as no card is turned up before the last."""

TARGETS: Final = "frdt"
"""Where the greedy bot likes a card to go, best first: foundation, reserve, discard, house."""
SOURCES: Final = "rdht"
"""Which card it likes to get rid of, best first: reserve, discard, drawn card, house."""
EMPTIES_HOUSE: Final = 34
"""The rank of a house's last card going onto another house."""
DRAW, DISCARD, NEVER = 40, 50, 99


@cache
def ranks(players: int, turn: int, targets: str = TARGETS) -> bytes:
    """The greedy rank of each move number for the seat to move; the lowest is the best.

    `targets` are where a card goes, best first. Moves from house to house rank last here: `EMPTIES_HOUSE`
    takes their place where one empties a house.

    >>> table = ranks(2, 0)
    >>> [table[texts(2, 0).index(move)] for move in ("r-f", "d-r1", "t1-d1", "r-t4", "draw", "h-d", "t1-t2")]
    [0, 11, 23, 30, 40, 50, 99]
    """
    found = []
    for text in texts(players, turn):
        source, _, target = (text or "").partition("-")
        if not text or (source[0] == "t" and target[:1] == "t"):
            found.append(NEVER)
        elif not target:
            found.append(DRAW)
        elif text == "h-d":
            found.append(DISCARD)
        else:
            found.append(10 * targets.index(target[0]) + SOURCES.index(source[0]))
    return bytes(found)


@cache
def rank_table(targets: tuple[str, ...] = (TARGETS, TARGETS)) -> bytes:
    """The ranks of all seats as `Core.play_ranked` takes them, each with its targets."""
    return b"".join(ranks(len(targets), turn, liked) for turn, liked in enumerate(targets))


def greedy(core: Core) -> int:
    """The number of the move that the house's greedy bot makes.

    To a foundation, else onto an opponent's reserve, its discard, a house, else draw; of equal ones that of
    the lowest number. Between houses only a last card moves, and only onto another card: so play has an end.

    Raises:
        EngineError: the game is over.

    >>> from engine.protocol import Game
    >>> game = Game.deal("crapaud", "00" * 32)
    >>> texts(2, game.turn)[greedy(game.core)]
    't6-f'
    """
    if core.over:
        raise EngineError("expected a game that goes on, got one that is over")
    return int(core.ranked(rank_table((TARGETS,) * core.players), EMPTIES_HOUSE))


def greedily(core: Core) -> tuple[int, ...]:
    """`greedy` as a policy."""
    return (greedy(core),)


def perturbed(rng: Random, share: float) -> Policy:
    """The greedy bot that takes any legal move at random in a `share` of its decisions."""
    return partial(_perturbed, rng, share)


def _perturbed(rng: Random, share: float, core: Core) -> tuple[int, ...]:
    """`perturbed` itself, a function of the module so that it can be pickled."""
    if rng.random() < share:
        return (rng.choice(core.legal()),)
    return (greedy(core),)


def playout(core: Core) -> Core:
    """A copy of the core, played to the end by greedy seats; the core itself stays as it is.

    It plays the cards as they lie, so sample what is hidden first (`turns.knowledge.sampling.cores`). Two
    seats take 15 microseconds from the deal on, three 34 and four 47; a seat that may call stop does so at
    each irregular action (RULES 6).

    >>> from engine.protocol import Game
    >>> core = Game.deal("crapette", "00" * 32, 3).core
    >>> playout(core).over > 0, core.over
    (True, 0)
    """
    copy = core.clone()
    copy.play_ranked(rank_table((TARGETS,) * copy.players), EMPTIES_HOUSE)
    return copy
