"""What if: a finished game played on from any point, by a person or a house bot, and what is legal there.

The bots are the house's own policies in this process. They look at no card that their seat may not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.questions.whatif import BOTS, MOST_MOVES, SPANS
from analysis.questions.whynot import why_not
from analysis.searches.win_chances import worths
from analysis.serving_guard import thinks
from analysis.values import covers
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily
from engine.turns.moves import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from analysis.questions.whatif import Asked
    from engine.policies.greedy import Policy
    from referee.messages import RecordEvent


@dataclass(frozen=True, slots=True)
class Branch:
    """A game left at some event: the events tried since, the legal moves, and why the last try failed."""

    events: list[dict[str, Any]]
    legal: list[dict[str, Any]]
    refused: str
    finished: bool
    bots: tuple[str, ...]
    """Who could play on."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "events": self.events,
            "legal": self.legal,
            "refused": self.refused,
            "finished": self.finished,
            "bots": self.bots,
        }


def answer(start: str, recorded: Sequence[RecordEvent], asked: Asked) -> Branch:
    """What became of a question about a recorded game."""
    return branch(start, recorded[: asked.at], asked.moves, asked.bot, asked.span)


@thinks
def branch(
    start: str,
    recorded: Sequence[RecordEvent],
    moves: Sequence[str],
    bot: str = "",
    span: str = SPANS[0],
) -> Branch:
    """Play recorded events from the start, then the moves tried, as far as they are legal; then lets a bot
    play on if it is named and can play the game."""
    game = engine.TurnGame(engine.TurnPosition.parse(start))
    words = [event["move"] for event in recorded if event["type"] in ("move", "stop")]
    game.play(words)
    known = len(game.history)
    refused = ""
    for move in moves[:MOST_MOVES]:
        tried = game.play([move])
        if tried.error is not None:
            over = "The game is over."
            refused = over if game.finished else why_not(game.position, move)
            break
    bots = bots_for(game.position.variant, game.players)
    if bot in bots and not refused:
        play_on(game, bot, span, MOST_MOVES - len(game.history) + known)
    events = [
        {**event.as_dict(), "n": number, "ply": number + 1}
        for number, event in enumerate(game.history[known:], start=known)
    ]
    return Branch(events, _legal(game, start), refused, game.finished, bots)


def _legal(game: engine.TurnGame, start: str) -> list[dict[str, Any]]:
    """Each legal move as text and in words, best first where there is a value function: `win` is the chance
    of the seat to move after it, as the mean over the cards that it could turn up."""
    position = game.position
    moves = [{"move": str(move), "words": move.words(position)} for move in game.legal()]
    if game.finished or position.phase != "play" or not covers(position.variant, game.players):
        return moves
    played = [event.move for event in game.history]
    (found,) = worths(
        engine.TurnPosition.parse(start), played, {len(played): [[one["move"]] for one in moves]}
    ).values()
    valued = [{**one, "win": round(worth, 3)} for one, worth in zip(moves, found, strict=True)]
    return sorted(valued, key=lambda one: -float(one["win"]))


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
