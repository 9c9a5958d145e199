"""The OpenAPI document as a page for people: each route with its parameters, a command and its answer.

It stays beside ninja's own page (Swagger) because it needs no script, where that one loads 1.7 MB, looks like
the rest of the site in both themes, and shows for each route a command that a test runs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from django.utils.safestring import SafeString, mark_safe

from arena.api.document import Json, example, resolve

METHODS: Final = ("get", "post", "patch", "delete")
SLUGS: Final = {"tournaments": "friday-cup", "tests": "my-test"}


@dataclass(frozen=True, slots=True)
class ReferenceParameter:
    """One parameter or field."""

    name: str
    place: str
    kind: str
    required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Route:
    """One route, as the page shows it."""

    anchor: str
    method: str
    path: str
    summary: str
    description: SafeString
    needs: str
    parameters: list[ReferenceParameter]
    """Those of the body last."""
    command: str
    status: str
    media: str
    example: str


@dataclass(frozen=True, slots=True)
class Reference:
    """The whole page."""

    introduction: SafeString
    groups: dict[str, list[Route]] = field(default_factory=dict)


def describe(document: Json, site: str) -> Reference:
    """The page for a document, with commands for this site."""
    groups: dict[str, list[Route]] = {}
    for path, operations in document["paths"].items():
        for method in METHODS:
            if method in operations:
                one = operations[method]
                groups.setdefault(one["tags"][0], []).append(_route(document, site, path, method, one))
    return Reference(_marked(document["info"]["description"]), groups)


def _route(document: Json, site: str, path: str, method: str, one: Json) -> Route:
    status, answer = next((key, found) for key, found in one["responses"].items() if key.startswith("2"))
    contents: Json = answer.get("content", {})
    media = next(iter(contents), "")
    content: Json = contents.get(media, {})
    schemes = [scheme for scheme in one["security"] if "Token" in scheme]
    demanded = {} not in one["security"]
    scopes = schemes[0]["Token"] if demanded else []
    body: Json = next(iter(one.get("requestBody", {}).get("content", {}).values()), {})
    is_json = media == "application/json"
    return Route(
        anchor=one["operationId"].replace("_", "-"),
        method=method.upper(),
        path=path,
        summary=one["summary"],
        description=_marked(one["description"]),
        needs=(f"a token with the scope {scopes[0]}" if scopes else "a token") if demanded else "",
        parameters=[
            *(_parameter(each, each["schema"], each["in"], document) for each in one["parameters"]),
            *_fields(body.get("schema", {}), document),
        ],
        command=_command(document, site, path, method, one),
        status=status,
        media=media,
        example=_worded(content["example"]) if is_json else "",
    )


def _parameter(one: Json, schema: Json, place: str, document: Json) -> ReferenceParameter:
    text = one.get("description") or schema.get("description", "")
    return ReferenceParameter(one["name"], place, _kind(schema, document), bool(one.get("required")), text)


def _fields(schema: Json, document: Json) -> list[ReferenceParameter]:
    schema = resolve(schema, document)
    required = schema.get("required", ())
    return [
        _parameter({"name": name, "required": name in required}, one, "body", document)
        for name, one in schema.get("properties", {}).items()
    ]


def _kind(schema: Json, document: Json) -> str:
    """A schema in a few words."""
    schema = resolve(schema, document)
    if "anyOf" in schema:
        kinds = [_kind(one, document) for one in schema["anyOf"] if one != {"type": "null"}]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema or "const" in schema:
        return ", ".join(map(str, schema.get("enum") or [schema["const"]]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}), document)}"
    bounds = (("minimum", "from"), ("maximum", "to"))
    ends = [f"{word} {schema[key]:g}" for key, word in bounds if key in schema]
    return " ".join((str(schema.get("format") or schema.get("type", "any")), *ends))


def _worded(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _command(document: Json, site: str, path: str, method: str, one: Json) -> str:
    """A curl command for a route."""
    words = ["curl"]
    if method != "get":
        words.append(f"-X {method.upper()}")
    if {} not in one["security"]:
        words.append('-H "Authorization: Bearer $CRAPETTE_TOKEN"')
    for kind, body in one.get("requestBody", {}).get("content", {}).items():
        schema = body["schema"]
        if kind == "application/json":
            sent = json.dumps(body["example"])
            words += ["-H 'Content-Type: application/json'", f"-d '{sent}'"]
        else:
            words += [
                "-F file=@bot.py" if name == "file" else f"-F {name}='My bot'" for name in schema["required"]
            ]
    for each in one["parameters"]:
        if each["in"] == "path":
            value = example(each["schema"], document)
            if each["name"] == "slug":
                value = SLUGS.get(path.split("/")[3], value)
            path = path.replace(f"{{{each['name']}}}", str(value))
    queried = [each for each in one["parameters"] if each["in"] == "query" and each.get("required")]
    if queried:
        path += "?" + "&".join(f"{each['name']}={example(each['schema'], document)}" for each in queried)
    if path.endswith((".zst", ".parquet")):
        words.append("-OJ")
    if path.endswith("/stream/"):
        words.append("-N")
        path += "?tournament=friday-cup"
    return " ".join((*words, f"'{site}{path}'" if "?" in path else f"{site}{path}"))


@cache
def _marked(text: str) -> SafeString:
    """Our own Markdown as HTML."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 (few pages need it, and every worker would read it)

    html: str = MarkdownIt("commonmark", {"html": False}).render(text)
    # What scrolls has to be reached by keyboard too.
    return mark_safe(html.replace("<pre>", '<pre class="log" tabindex="0">'))  # noqa: S308
