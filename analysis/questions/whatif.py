"""The question "what if": leave a finished game at some event, try moves, and let a bot play on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_MOVES: Final = 800
"""The most moves in a question. So its address stays below every server's limit."""

BOTS: Final = ("planner", "greedy", "random")
"""The house bots that can play a game on."""

SPANS: Final = ("turn", "end")
"""How far they play: to the end of the turn, or of the game."""


class NotAsked(ValueError):
    """The query is not a valid question about a game; the text says what was expected."""


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
        return cls(int(at), moves[: MOST_MOVES + 1], bot, span)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Asked:
        """The question that `as_dict` wrote."""
        return cls(stored["at"], tuple(stored["moves"]), stored["bot"], stored["span"])

    def as_dict(self) -> dict[str, Any]:
        """Return the question as JSON, to ask it in another process; `of` reads it."""
        return {"at": self.at, "moves": list(self.moves), "bot": self.bot, "span": self.span}
