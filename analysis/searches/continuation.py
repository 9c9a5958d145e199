"""A chosen house bot plays a game on from where it stands: "what if the planner had sat there?"

The bots are the house's own policies in this process. They look at no card that their seat may not know.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from analysis.questions.whatif import BOTS
from analysis.serving_guard import thinks
from analysis.values import covers
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily
from engine.turns.moves import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import engine
    from engine.policies.greedy import Policy

NODES: Final = 300
POLICIES: Final[Mapping[str, Callable[[int], Policy]]] = {
    "planner": lambda _seed: planner(NODES),
    "greedy": lambda _seed: greedily,
    "random": lambda seed: perturbed(Random(seed), 1.0),  # noqa: S311 - dice, no secrets
}
"""The policy of each bot, given a seed that only those use that throw dice."""


def bots_for(variant: str, players: int) -> tuple[str, ...]:
    """The bots that can play such a game on: all where value functions are learned from their games."""
    return BOTS if covers(variant, players) else ()


@thinks
def play_on(game: engine.TurnGame, bot: str, span: str, most: int) -> None:
    """Let a bot play all seats on to the end of the ``turn`` or of the game (``end``), at most so many plies.

    The same game is always played on alike.
    """
    policy = POLICIES[bot](game.ply)
    turn, last = game.turn_number, game.ply + most
    while not game.finished and game.ply < last and (span == "end" or game.turn_number == turn):
        names = texts(game.players, game.turn)
        for number in policy(game.core)[: last - game.ply]:
            game.push(str(names[number]))
