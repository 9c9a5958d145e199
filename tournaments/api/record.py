"""The record of a game in the document. Its bytes are those that are hashed, so no schema writes them."""

from __future__ import annotations

from typing import Any, Final

GAME: Final = "6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"
DIGEST: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
ANY_OBJECT: Final[dict[str, Any]] = {"type": "object", "additionalProperties": True}


def _kind(kind: Any, description: str) -> dict[str, Any]:
    return {"type": kind, "description": description}


SEAT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "Who sat there.",
    "required": ["bot", "version", "owner", "house", "url"],
    "properties": {
        "bot": _kind("string", "The bot's name."),
        "version": _kind(["integer", "null"], "Its version."),
        "owner": _kind(["string", "null"], "Its owner."),
        "house": _kind("boolean", "Whether it is a house bot."),
        "url": _kind(["string", "null"], "Its page."),
        "remote": _kind("boolean", "Whether its program ran on its author's hardware; then true."),
        "clock": {**ANY_OBJECT, "description": "Of a remote bot: its clock, in `wall` time."},
    },
}
EVENT: Final[dict[str, Any]] = {
    "type": "object",
    "description": "What happened: a move, a tick, a call of stop or the end. The protocol explains it.",
    "required": ["n", "type"],
    "properties": {
        "n": _kind("integer", "Its number, from 0."),
        "type": _kind("string", "What kind of event it is."),
        "seat": _kind("integer", "Who did it."),
        "move": _kind("string", "The move, as text."),
    },
    "additionalProperties": True,
}
RECORD: Final[dict[str, Any]] = {
    "schema": {
        "type": "object",
        "description": "A game with every move; once it is over with `links`, `proof` and `digests`.",
        "required": [
            "format", "rules", "game", "variant", "players", "seats", "start", "clock", "result", "status",
            "events",
        ],
        "properties": {
            "format": _kind("integer", "Of the record."),
            "rules": _kind("integer", "The version of the rules."),
            "game": _kind("string", "The game's id."),
            "variant": _kind("string", "The game that is played."),
            "players": _kind("integer", "Seats."),
            "seats": {"type": "array", "items": SEAT},
            "start": _kind("string", "The first position; hidden cards are `??` until the game is over."),
            "clock": {**ANY_OBJECT, "description": "`bank_ms` and `increment_ms`."},
            "clock_scale": _kind("number", "What the host multiplied the clock by, unless that is 1."),
            "result": {
                **ANY_OBJECT,
                "type": ["object", "null"],
                "description": "How it ended; null while it is played.",
            },
            "status": _kind("string", "Where it stands."),
            "events": {"type": "array", "items": EVENT},
            "links": _kind("string", "The links of the hash chain."),
            "proof": {**ANY_OBJECT, "description": "What leads from the published commitment to this deal."},
            "digests": _kind("string", "Digests of the fields."),
        },
        "additionalProperties": True,
    },
    "example": {
        "format": 1,
        "rules": 1,
        "game": GAME,
        "variant": "crapaud",
        "players": 2,
        "seats": [
            {"bot": "Planner", "version": 3, "owner": "ada", "house": False, "url": "/bots/planner/"},
            {"bot": "Greedy", "version": 1, "owner": None, "house": True, "url": "/bots/greedy/"},
        ],
        "start": "crapaud 0 play - KHQSJDTC9D/4C/KS/8C7D6C/5C/TS9H8S/5S/QHJS …",
        "clock": {"bank_ms": 60000, "increment_ms": 500},
        "result": {"termination": "win", "seat": None, "detail": "Seat 0 went out.", "ranking": [[0], [1]]},
        "status": "finished",
        "events": [
            {"n": 0, "type": "move", "ply": 1, "seat": 0, "move": "t8-d1", "from": "t8", "to": "d1"}
        ],
        "digests": DIGEST,
    },
}  # fmt: skip
