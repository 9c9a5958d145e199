"""How a route is declared: who may use it, what it costs, what it answers, and what the document says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from ninja import Router, Schema

from arena.api.bearer import Bearer
from arena.api.limits import READ, WRITE, Cost

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Declared:
    """What the document says of a route beside its parameters and its JSON.

    `needs` is a scope; None needs no token, and an empty one a token with any scopes. `media` describes by
    content type an answer that is no JSON object, `body` what is sent that is no JSON, and `refuses` are
    statuses that only this route has.
    """

    needs: str | None
    status: int
    media: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    refuses: tuple[int, ...] = ()


class Waiting(Schema):
    """It is being worked out. Send the same request again after `Retry-After` seconds."""

    waiting: Literal[True]


declared: dict[str, Declared] = {}
"""By the name of the operation, which is that of its function."""


def route(
    router: Router,
    method: str,
    path: str,
    answer: Any = None,
    *,
    needs: str | None = None,
    cost: Cost | None = None,
    status: int = 200,
    media: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
    refuses: tuple[int, ...] = (),
    later: bool = False,
) -> Callable[[Function], Function]:
    """Add a route. `answer` is the schema of what it returns with `status`; the rest is as in `Declared`.

    The function's docstring is its description: the first line is the summary. A route whose answer comes
    `later` says 202 until it is there.
    """
    usual = READ if method == "GET" else WRITE

    def decorate(function: Function) -> Function:
        summary, _, rest = (function.__doc__ or "").strip().partition("\n")
        name = function.__name__
        if name in declared:
            raise ValueError(f"expected a new operation, got {name!r} twice")
        declared[name] = Declared(needs, status, media or {}, body or {}, refuses)
        bearer = Bearer(needs, cost or usual)
        router.api_operation(
            [method],
            path,
            response={status: answer} | ({202: Waiting} if later else {}),
            auth=bearer,
            summary=summary.rstrip("."),
            description=" ".join(rest.split()) or summary,
            operation_id=name,
        )(function)
        bearer.parameters = _parameters(router, path)
        return function

    return decorate


def _parameters(router: Router, path: str) -> frozenset[str]:
    """The query parameters of the route that was added last."""
    models = router.path_operations[path].operations[-1].models
    return frozenset(
        name
        for model in models
        if model.__ninja_param_source__ == "query"
        for name in model.__ninja_flatten_map__
    )
