"""Sends errors to Sentry, where `CRAPETTE_SENTRY_DSN` says so, without anything about persons.

An event says where the program failed, with which version, in which route or task, and about which game.
It has no cookies, headers, addresses, bodies, queries or local variables. What looks like a token, a mail
address or a link that lets somebody in is blacked out wherever it stands, and so is what a database quotes.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.core.signals import got_request_exception

from arena.web.processes.logs import current_fields, note

if TYPE_CHECKING:
    from django.http import HttpRequest

SECRETS: Final = re.compile(
    r"crapette_[\w-]+|[Bb]earer\s+\S+"  # tokens
    r"|[\w.+-]+@(?:[\w-]+\.)+[^\W\d_]{2,}"  # mail addresses; a release such as crapette@0.1.0 is none
    r"|(?<=://)[^/\s:@]*:[^/\s@]+(?=@)"  # name and password in an address
    r"|(?<=/reset/key/)[^/\s]+|(?<=/)[\w:=.-]{40,}"  # links that let somebody in
    r"|(?<=\?)[\w.-]+=[^\s'\"<>]*"  # the query of an address
)
QUOTED: Final = re.compile(
    # PostgreSQL quotes rows, and the line of SQL with its values, below the sentence that says what is wrong.
    # They may have several lines. In a `repr` a line break is two letters.
    r"(?:(?:\s|\\n)+|\b)(?:DETAIL|CONTEXT|HINT|QUERY|STATEMENT|LINE \d+):\s.*"
    # What it cannot read it quotes at the end of that sentence: `invalid input syntax for type uuid: "…"`.
    r'|(?<=\w: )\\?"(?:[^"\\]|\\.)*"'
    # It may speak another language, with other quotes.
    r"|(?<=: )(?:»[^«]*«|«[^»]*»|„[^“]*“)",
    re.DOTALL,
)
DATABASES: Final = ("psycopg", "sqlite3", "django.db")
HIDDEN: Final = "[hidden]"
PERSONAL: Final = ("user", "request", "breadcrumbs", "modules")
FLUSH_SECONDS: Final = 2.0


def start(dsn: str, *, release: str, environment: str) -> None:
    """Send this process's errors to the project of a DSN from now on; without one, do nothing."""
    if not dsn:
        return
    # Only where it is asked for: it is an extra, and takes time to load.
    import sentry_sdk  # noqa: PLC0415
    from sentry_sdk.integrations.celery import CeleryIntegration  # noqa: PLC0415
    from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415

    # Before Sentry, which is told of an error in the same way. Django has no other place for all of them.
    got_request_exception.connect(_note_request)
    sentry_sdk.init(
        dsn,
        release=f"crapette@{release}",
        environment=environment,
        integrations=[DjangoIntegration(middleware_spans=False), CeleryIntegration()],
        auto_enabling_integrations=False,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        shutdown_timeout=FLUSH_SECONDS,
        before_send=without_persons,
    )


def _note_request(request: HttpRequest | None = None, **_: Any) -> None:
    """Note method, route and ids with the error. An address itself may be a secret, such as a link to
    confirm something."""
    error, found = sys.exc_info()[1], request and request.resolver_match
    if request and found and error is not None:
        ids = {name: str(one) for name, one in found.kwargs.items() if isinstance(one, int | UUID)}
        note(error, method=request.method or "", route=f"/{found.route}", **ids)


def without_persons(event: Any, hint: dict[str, Any]) -> Any:
    """An event as it may leave: with the ids of what it is about, and without anything about persons."""
    for name in PERSONAL:
        event.pop(name, None)
    for raised in event.get("exception", {}).get("values", []):
        if str(raised.get("module") or "").startswith(DATABASES):
            # In whatever language the server says so, the rest are rows.
            raised["value"] = str(raised.get("value") or "").partition("\n")[0]
    error = (hint.get("exc_info") or (None, None))[1]
    tags = {
        **current_fields(error),
        "request": event.get("contexts", {}).get("trace", {}).get("trace_id", ""),
    }
    event["tags"] = {**event.get("tags", {}), **tags}
    event.get("extra", {}).pop("sys.argv", None)
    job = event.get("extra", {}).pop("celery-job", None)
    if job:
        event["tags"]["task"] = job.get("task_name", "")
        event["extra"]["args"] = job.get("args", [])
    return _hidden(event)


def _hidden(value: Any) -> Any:
    """The value without what looks like a secret or is quoted by a database, in every text in it."""
    if isinstance(value, str):
        return QUOTED.sub(HIDDEN, SECRETS.sub(HIDDEN, value))
    if isinstance(value, dict):
        return {key: _hidden(one) for key, one in value.items()}
    return [_hidden(one) for one in value] if isinstance(value, list | tuple) else value
