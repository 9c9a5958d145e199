"""What if: a finished game played on from any point, and what is legal there. Nothing is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import engine
from tournaments.selectors.pages.playing_on import BOTS, SPANS, bots_for, play_on
from tournaments.selectors.pages.whynot import why_not

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_MOVES = 800
"""So many moves are tried at most; their address stays shorter than any server's limit."""


class NotAsked(ValueError):
    """What was asked is no question about a game; the text says what was expected."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Play on after ``at`` events by ``moves``; then a ``bot`` goes on to the end of a ``span``, if one is
    named."""

    at: int
    moves: tuple[str, ...] = ()
    bot: str = ""
    span: str = SPANS[0]

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> Asked:
        """Read a query: ``at``, ``moves`` joined by commas, ``bot``, ``span``. Raises NotAsked."""
        at, bot, span = query.get("at", ""), query.get("bot", ""), query.get("span", SPANS[0])
        if not (at.isascii() and at.isdigit() and len(at) < 7):
            raise NotAsked(f"Expected a number of events in 'at', got {at!r}.")
        if bot and bot not in BOTS:
            raise NotAsked(f"Expected one of {', '.join(BOTS)} in 'bot', got {bot!r}.")
        if span not in SPANS:
            raise NotAsked(f"Expected one of {', '.join(SPANS)} in 'span', got {span!r}.")
        moves = tuple(word for word in query.get("moves", "").split(",") if word)
        return cls(int(at), moves, bot, span)


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


def answer(start: str, recorded: Sequence[dict[str, Any]], asked: Asked) -> Branch:
    """What became of a question about a recorded game."""
    return branch(start, recorded[: asked.at], asked.moves, asked.bot, asked.span)


def branch(
    start: str,
    recorded: Sequence[dict[str, Any]],
    moves: Sequence[str],
    bot: str = "",
    span: str = SPANS[0],
) -> Branch:
    """Play recorded events from the start, then the moves tried, as far as they are legal; then lets a bot
    play on if it is named and can play the game."""
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
    bots = bots_for(game.position.variant, game.players)
    if bot in bots and not refused:
        play_on(game, bot, span, MOST_MOVES - len(game.history) + known)
    events = [
        {**event.as_dict(), "n": number, "ply": number + 1}
        for number, event in enumerate(game.history[known:], start=known)
    ]
    return Branch(events, _legal(game), refused, game.finished, bots)


def _legal(game: engine.Game) -> list[dict[str, Any]]:
    """Each legal move as text and in words."""
    position = game.position
    return [{"move": str(move), "words": move.words(position)} for move in game.legal()]
