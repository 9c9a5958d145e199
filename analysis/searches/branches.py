"""What if: a finished game played on from any point, and what is legal there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import engine
from analysis.questions.whatif import MOST_MOVES, SPANS
from analysis.questions.whynot import why_not
from analysis.searches.continuation import bots_for, play_on
from analysis.searches.lines import worths
from analysis.serving_guard import thinks
from analysis.values import covers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.questions.whatif import Asked
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
