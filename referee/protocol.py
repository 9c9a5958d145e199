"""Version 1 of the bot protocol: JSON lines on standard input and output.

``docs/author/protocol.md`` is the manual for authors. The referee checks every line of a bot with this
module. Unknown fields are ignored in both directions, so that later versions can add some. Known fields are
checked strictly, and an error says what was expected and quotes what came.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from engine.boards import BOARDS, parse_board
from engine.variants import VARIANTS

if TYPE_CHECKING:
    from collections.abc import Iterator

PROTOCOL_VERSION: Final = 1
COMMENT_CHARS: Final = 200
NAME_CHARS: Final = 60
_HEX_DIGITS: Final = 8
MOVES_PER_ANSWER: Final = 1000
QUOTED_CHARS: Final = 80
MOST_PLAYED: Final = 100
"""Boards that a bot may name; there are not nearly so many."""


class ProtocolError(ValueError):
    """A bot's line does not answer the question; the message is one sentence for its author."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A bot's first message: its name and what it wants to be told."""

    name: str = ""
    position: bool = True
    events: bool = True
    stops: bool = False
    ticks: bool = False
    start: bool = False
    plays: tuple[str, ...] | None = None
    """The boards it plays (`engine.boards`); None is every game of turns, and `vitesse` if ``ticks``."""

    def plays_on(self, board: str) -> bool:
        """Whether it says that it plays on a board."""
        if self.plays is not None:
            return board in self.plays
        return self.ticks or not VARIANTS[parse_board(board)[0]].in_ticks


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """An answer to a ``move`` question.

    ``moves`` are played in order until a card is turned up or the turn ends; the rest is
    dropped. ``evaluation`` is from -1 (lost) to 1 (won), as the mover sees it.
    """

    moves: tuple[str, ...] = ()
    comment: str | None = None
    evaluation: float | None = None
    offer_draw: bool = False
    accept_draw: bool = False
    resign: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """An answer to a ``tick`` question. It repeats the question's ``id``, however late it comes.

    ``evaluation`` is from -1 (lost) to 1 (won), as the seat sees it.
    """

    id: str
    action: str = ""
    comment: str | None = None
    evaluation: float | None = None
    resign: bool = False


def quote(value: object) -> str:
    """Quote a bot's text, shortened to fit in a sentence."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or a number with too many digits
        text = f"a {type(value).__name__}"
    return text if len(text) <= QUOTED_CHARS else text[: QUOTED_CHARS - 1] + "…"


def clean(text: str, limit: int) -> str:
    """Return a bot's text in a form fit to store and show.

    It has no control characters or lone surrogates and at most ``limit`` characters.
    """
    kept = "".join(c if c.isprintable() else " " for c in text[: 4 * limit])
    kept = " ".join(kept.split())
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"


def parse_ready(line: bytes) -> Ready:
    """Parse the answer to ``hello``. Raises ProtocolError."""
    fields = _object(line, '{"type": "ready"}')
    if fields.get("type") != "ready":
        raise ProtocolError(f"expected \"type\" to be 'ready', got {quote(fields.get('type'))}")
    name = fields.get("name", "")
    if not isinstance(name, str):
        raise ProtocolError(f'expected "name" to be a string, got {quote(name)}')
    return Ready(
        name=clean(name, NAME_CHARS),
        position=_flag(fields, "position", default=True),
        events=_flag(fields, "events", default=True),
        stops=_flag(fields, "stops", default=False),
        ticks=_flag(fields, "ticks", default=False),
        start=_flag(fields, "start", default=False),
        plays=_plays(fields),
    )


def parse_answer(line: bytes, nonce: str) -> MoveAnswer:
    """Parse the answer to the ``move`` question with the id ``nonce``. Raises ProtocolError."""
    fields = _object(line, '{"id": "…", "moves": ["…"]}')
    _check_id(fields, nonce)
    answer = MoveAnswer(
        moves=_moves(fields),
        comment=_comment(fields),
        evaluation=_evaluation(fields),
        offer_draw=_flag(fields, "offer_draw", default=False),
        accept_draw=_flag(fields, "accept_draw", default=False),
        resign=_flag(fields, "resign", default=False),
    )
    if not (answer.moves or answer.accept_draw or answer.resign):
        raise ProtocolError('expected "moves" to name at least one move, got none')
    return answer


def parse_stop(line: bytes, nonce: str) -> bool:
    """Parse the answer to the ``stop`` question with the id ``nonce``. Raises ProtocolError."""
    fields = _object(line, '{"id": "…", "stop": true or false}')
    _check_id(fields, nonce)
    if "stop" not in fields:
        raise ProtocolError('expected "stop" to be true or false, got nothing')
    return _flag(fields, "stop", default=False)


def parse_action(line: bytes) -> Action:
    """Parse the answer to a ``tick`` question, the current one or an earlier one. Raises ProtocolError."""
    fields = _object(line, '{"id": "…", "action": "…"}')
    nonce, action = fields.get("id"), fields.get("action", "")
    if not isinstance(nonce, str):
        raise ProtocolError(f'expected "id" to repeat the question\'s, got {quote(nonce)}')
    if not isinstance(action, str):
        raise ProtocolError(f'expected "action" to be a string, got {quote(action)}')
    resign = _flag(fields, "resign", default=False)
    if not action and not resign:
        raise ProtocolError('expected "action" to name an action, got none')
    return Action(nonce, action, _comment(fields), _evaluation(fields), resign)


def _object(line: bytes, expected: str) -> dict[str, Any]:
    """Parse one line as a JSON object. Anything hostile that JSON allows raises ProtocolError."""
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise ProtocolError(f"expected a line of UTF-8 like {expected}, got {quote(line)}") from None
    except (ValueError, RecursionError):
        got = quote(line.decode("utf-8", "replace").rstrip("\r\n"))
        raise ProtocolError(f"expected one line of JSON like {expected}, got {got}") from None
    if not isinstance(value, dict):
        raise ProtocolError(f"expected a JSON object like {expected}, got {quote(value)}")
    return value


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(name)


def _check_id(fields: dict[str, Any], nonce: str) -> None:
    if fields.get("id") != nonce:
        raise ProtocolError(
            f'expected "id" to repeat the question\'s {nonce!r}, got {quote(fields.get("id"))}'
            " (one line for each question, nothing unasked)"
        )


def _flag(fields: dict[str, Any], key: str, *, default: bool) -> bool:
    value = fields.get(key, default)
    if not isinstance(value, bool):
        raise ProtocolError(f'expected "{key}" to be true or false, got {quote(value)}')
    return value


def _plays(fields: dict[str, Any]) -> tuple[str, ...] | None:
    """The boards a bot names; those of another arena, or of a later version of this one, are let be."""
    plays = fields.get("plays")
    if plays is None:
        return None
    if not isinstance(plays, list) or not all(isinstance(board, str) for board in plays):
        raise ProtocolError(f'expected "plays" to be a list of strings, got {quote(plays)}')
    if len(plays) > MOST_PLAYED:
        raise ProtocolError(f'expected at most {MOST_PLAYED} boards in "plays", got {len(plays)}')
    return tuple(board for board in plays if board in BOARDS)


def _moves(fields: dict[str, Any]) -> tuple[str, ...]:
    moves = fields.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ProtocolError(f'expected "moves" to be a list of strings, got {quote(moves)}')
    if len(moves) > MOVES_PER_ANSWER:
        raise ProtocolError(f'expected at most {MOVES_PER_ANSWER} "moves", got {len(moves)}')
    return tuple(moves)


def _comment(fields: dict[str, Any]) -> str | None:
    comment = fields.get("comment")
    if comment is not None and not isinstance(comment, str):
        raise ProtocolError(f'expected "comment" to be a string, got {quote(comment)}')
    return clean(comment, COMMENT_CHARS) or None if comment is not None else None


def _evaluation(fields: dict[str, Any]) -> float | None:
    value = fields.get("eval")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        raise ProtocolError(f'expected "eval" to be a number from -1 to 1, got {quote(value)}')
    return round(float(value), 4)


def nonces(seed: str | None = None) -> Iterator[str]:
    """Yield endless ids of questions: eight hex digits, random or, with a seed, repeatable.

    Nobody can answer a question before it is asked.

    Many ids come from one large read of the system's random source, which makes them ten times cheaper.
    """
    block = 0
    while True:
        if seed is None:
            digits = os.urandom(2048).hex()
        else:
            digits = hashlib.shake_256(f"{seed}/{block}".encode()).hexdigest(2048)
            block += 1
        for start in range(0, len(digits), _HEX_DIGITS):
            yield digits[start : start + _HEX_DIGITS]
