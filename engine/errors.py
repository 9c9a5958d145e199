"""The errors of the engine: one tree, each message says what was expected and quotes what came."""

from __future__ import annotations


class EngineError(ValueError):
    """Root of everything the engine raises on purpose."""


class NotationError(EngineError):
    """Text that is not a position, a move, a card or a seed, or a position that cannot be (RULES 1)."""


class IllegalMove(EngineError):
    """A move, or a call of stop, that the position does not allow."""


class HiddenCard(IllegalMove):
    """A move that would turn up a card written ``??`` (RULES 1)."""


class UnknownVariant(EngineError):
    """A name that is no variant, or a number of players that the variant is not played by."""


class Unfinished(EngineError):
    """A score was asked for of a game that is not over."""


def quote(found: object, limit: int = 80) -> str:
    """What came, as ``repr``, cut so that an error stays one line that can be read.

    >>> quote("t9-f")
    "'t9-f'"
    >>> len(quote("x" * 1000))
    83
    """
    text = ascii(found)
    return text if len(text) <= limit else text[:limit] + "..."
