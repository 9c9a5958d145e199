"""The OpenAPI document: what ninja knows of the routes, who may use them, how they refuse, and examples."""

from __future__ import annotations

import copy
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from arena.api.idempotency_key import PARAMETER
from arena.api.operations import declared

if TYPE_CHECKING:
    from ninja import NinjaAPI

    from arena.api.operations import Declared

PROBLEM: Final = "application/problem+json"
ALWAYS: Final = (400, 422, 429)
"""Any request may be unreadable, have a wrong parameter, or be one too many."""
WITH_BODY: Final = (413, 415)
DESCRIPTION: Final = """\
Everything the site shows or does, for programs.

**First steps.** Sign up, create a token on your account page with all it may, and put a bot into `bot.py`. \
Set `SITE` to this site's address and `CRAPETTE_TOKEN` to the token, then:

```sh
# Whose token is it?
curl -H "Authorization: Bearer $CRAPETTE_TOKEN" $SITE/api/v1/account/
# Upload a bot. The address of a bot comes from its name: My bot is my-bot.
curl -H "Authorization: Bearer $CRAPETTE_TOKEN" -F name='My bot' -F file=@bot.py $SITE/api/v1/bots/
# Is it accepted? Ask until the status is no longer uploaded or checking.
curl -H "Authorization: Bearer $CRAPETTE_TOKEN" $SITE/api/v1/bots/my-bot/versions/1/
# Let it play a tournament against a house bot.
curl -H "Authorization: Bearer $CRAPETTE_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name": "My cup", "entrants": [{"bot": "my-bot"}, {"bot": "random"}], "pairs": 1}' \\
  $SITE/api/v1/tournaments/
# Follow it to its end, a line of JSON for each change.
curl -N "$SITE/api/v1/stream/?tournament=my-cup"
# Who won? What was played?
curl $SITE/api/v1/tournaments/my-cup/standings/
curl "$SITE/api/v1/games/?tournament=my-cup"
# A game with every move: put in the id of one of them.
curl $SITE/api/v1/games/$GAME/record/
```

For TypeScript, `npx openapi-typescript $SITE/api/openapi.json --default-non-nullable false -o schema.ts` \
writes the types of every route, and `openapi-fetch` calls them.

**Tokens.** Create one on your account page and send it as `Authorization: Bearer <token>`. Each route that \
needs one names its scope. Public data needs no token, but a token raises the limits.

**Lists** come in pages. `next` is the cursor of the next page; send it as `cursor`. It is null on the last \
page.

**Errors** are problems after RFC 9457 (`application/problem+json`). `detail` is one sentence for people, \
`code` a word for programs, and `field` names the parameter at fault. `error` repeats them in the shape of \
the first version of this API, for programs that were written for it.

**Limits.** `RateLimit` says what is left. An answer 429 says in `Retry-After` how many seconds to wait.

**Sending again.** Whoever gets no answer does not know whether the request was carried out. Give each \
request that changes something an `Idempotency-Key` of its own, and send it again with the same one: it is \
carried out once, and for a day you get the same answer. Another request with the same key is refused.

**Thinking.** What needs a search is answered 202 at first and worked out elsewhere. Send the same request \
again after `Retry-After` seconds, until the answer is 200.

**Caching.** Answers carry an `ETag`. Send it as `If-None-Match`, and what has not changed is answered 304 \
without a body.

Times are in UTC, as in ISO 8601. Unknown parameters are refused, so that a misspelt filter is never ignored.
"""
EXAMPLE_PROBLEM: Final = {
    "type": "about:blank",
    "title": "Unprocessable Entity",
    "status": 422,
    "detail": "Expected limit to be at most 100.",
    "code": "invalid",
    "field": "limit",
    "error": {
        "code": "invalid",
        "message": "Expected limit to be at most 100.",
        "field": "limit",
    },
}
PROBLEM_SCHEMA: Final = {
    "type": "object",
    "title": "Problem",
    "description": "Why a request was refused (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code", "field", "error"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "The status in words."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "One sentence for a person to read."},
        "code": {"type": "string", "description": "What is wrong, as one word for programs."},
        "field": {
            "type": ["string", "null"],
            "description": "The field or parameter at fault, if it is one.",
        },
        "error": {
            "type": "object",
            "description": "The same in the shape of the first version of this API.",
            "required": ["code", "message", "field"],
            "properties": {
                "code": {"type": "string"},
                "message": {"type": "string"},
                "field": {"type": ["string", "null"]},
            },
        },
    },
    "examples": [EXAMPLE_PROBLEM],
}
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


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """The document of ninja, with security, refusals and answers that are no JSON."""
    found: dict[str, Any] = copy.deepcopy(dict(document))
    components = found["components"]
    components["schemas"]["Problem"] = copy.deepcopy(PROBLEM_SCHEMA)
    components["securitySchemes"] = {
        "Token": {"type": "http", "scheme": "bearer", "description": "A token from your account page."}
    }
    for operations in found["paths"].values():
        for method, operation in operations.items():
            _complete(operation, declared[operation["operationId"]])
            if method != "get" and declared[operation["operationId"]].needs is not None:
                _may_be_sent_again(operation)
            _show(operation, found)
    return found


def _may_be_sent_again(operation: dict[str, Any]) -> None:
    """Add the key of a request that is not carried out twice."""
    operation["parameters"].append(copy.deepcopy(PARAMETER))
    operation["responses"].setdefault("409", copy.deepcopy(operation["responses"]["422"])).update(
        description=HTTPStatus.CONFLICT.phrase
    )


def _show(operation: dict[str, Any], document: dict[str, Any]) -> None:
    """Add an example to all JSON that is sent and answered."""
    sent = operation.get("requestBody", {}).get("content", {})
    answered = [one.get("content", {}) for status, one in operation["responses"].items() if status < "3"]
    for content in (sent, *answered):
        one = content.get("application/json")
        if one is not None and "example" not in one:
            one["example"] = example(one["schema"], document)


def _complete(operation: dict[str, Any], known: Declared) -> None:
    needs = known.needs
    operation["security"] = (
        [{}, {"Token": []}] if needs is None else [{"Token": [str(needs)] if needs else []}]
    )
    if needs:
        operation["description"] += f" Needs the scope `{needs}`."
    elif needs == "":
        operation["description"] += " Needs a token."
    if known.body:
        operation["requestBody"] = dict(known.body)
    for parameter in operation["parameters"]:
        # JSON Schema's examples, which stand in the schema; those of a parameter are named.
        parameter.pop("examples", None)
    answer = operation["responses"][known.status]
    if known.media:
        answer["content"] = copy.deepcopy(dict(known.media))
    statuses = {*ALWAYS, *known.refuses, 401}
    if needs:
        statuses.add(403)
    if "requestBody" in operation:
        statuses |= {*WITH_BODY}
    if any(one["in"] == "path" for one in operation["parameters"]):
        statuses.add(404)
    for status in sorted(statuses):
        operation["responses"][status] = {
            "description": HTTPStatus(status).phrase,
            "content": {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    operation["responses"] = {str(status): one for status, one in operation["responses"].items()}


def document_of(api: NinjaAPI) -> dict[str, Any]:
    """The document of this API."""
    return complete(api.get_openapi_schema(path_prefix="api/v1/"))


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
