"""The OpenAPI document: what ninja knows of the routes, with who may use them and how they refuse."""

from __future__ import annotations

import copy
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from arena.api.examples import example
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
