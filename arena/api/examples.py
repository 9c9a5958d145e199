"""An example of anything that the document describes: its own if it has one, else made of its parts."""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]

DEEPEST: Final = 10
USUAL: Final[dict[Any, Any]] = {"integer": 1, "number": 0.5, "boolean": True, "string": "…"}
FORMATS: Final = {
    "date-time": "2026-05-31T12:00:00Z",
    "date": "2026-05-31",
    "uuid": "6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d",
}
SHA256: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
NAMED: Final[Json] = {
    "name": "Planner",
    "owner": "ada",
    "user": "ada",
    "description": "Searches its turn.",
    "note": "Looks further ahead.",
    "release_notes": "Looks one turn further ahead, and keeps two houses empty.",
    "title": "Crapaud",
    "board": "crapaud",
    "variant": "crapaud",
    "next": "WyIyMDI2LTA1LTMxIiw3XQ",
    "elo": 1541.0,
    "error": 17.5,
    "low": 1506.0,
    "high": 1576.0,
    "log": "It played a short game on every board.",
    "entry": "bot.py",
    "status_url": "https://arena.example/api/v1/bots/planner/versions/3/",
    "message": "The pair will be played again.",
    "reason": "The host stopped.",
    "void_reason": "The host stopped.",
    "why": "2 games run at a time.",
    "text": "Planner v3 is accepted.",
    "detail": "Seat 0 went out.",
    "score": "1-0",
    "ending": "win",
    "record": "/api/v1/games/6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d/record/",
    "game": FORMATS["uuid"],
    "games": FORMATS["uuid"],
    "label": "W1.2",
    "group": "A",
    "secret": "mQ0Zr9yJb3u1xkq6sVZ2o0c5T7h8nW4e",
    "last_error": "It answered 500.",
    "benched": "It crashed in its last 5 games.",
    "unrated_because": "An account arranged it.",
    "sha256": SHA256,
    "seed_commitment": SHA256,
    "seed": SHA256,
    "alarms": "pair: A pair could not be played.",
    "differences": "pairs: 120 counted, 121 found",
    "url": "/bots/planner/",
}
"""Of fields that have no example of their own, by their names."""


def resolve(schema: Json, document: Json) -> Json:
    """The schema that a reference means."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def example(schema: Json, document: Json, name: str = "", depth: int = 0) -> Any:
    """A value that fits a schema; `name` is that of the field."""
    schema = resolve(schema, document)
    known = [*schema.get("examples", ()), *schema.get("enum", ())]
    known += [schema[word] for word in ("default", "const") if word in schema]
    if known:
        return known[0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0], document, name, depth)
    kind, deeper = schema.get("type"), depth < DEEPEST
    if kind == "object":
        fields = schema.get("properties", {}).items() if deeper else ()
        return {field: example(one, document, field, depth + 1) for field, one in fields}
    if kind == "array":
        return [example(schema.get("items", {}), document, name, depth + 1)] if deeper else []
    given = NAMED.get(name)
    if given is not None and kind == ("string" if isinstance(given, str) else "number"):
        return given
    return FORMATS.get(schema.get("format", ""), USUAL.get(kind))
