"""What if: a finished game played on from any point, and what is legal there. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import engine
from tournaments.selectors.pages.whynot import why_not

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_MOVES = 400


@dataclass(frozen=True, slots=True)
class Branch:
    """A game left at some event: the events tried since, the legal moves, and why the last try failed."""

    events: list[dict[str, Any]]
    legal: list[dict[str, Any]]
    refused: str
    finished: bool

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "events": self.events,
            "legal": self.legal,
            "refused": self.refused,
            "finished": self.finished,
        }


def branch(start: str, recorded: Sequence[dict[str, Any]], moves: Sequence[str]) -> Branch:
    """Play recorded events from the start, then the moves tried, as far as they are legal."""
    game = engine.Game(engine.Position.parse(start))
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
    events = [
        {**event.as_dict(), "n": number, "ply": number + 1}
        for number, event in enumerate(game.history[known:], start=known)
    ]
    return Branch(events, _legal(game), refused, game.finished)


def _legal(game: engine.Game) -> list[dict[str, Any]]:
    """Each legal move as text and in words."""
    position = game.position
    return [{"move": str(move), "words": move.words(position)} for move in game.legal()]
