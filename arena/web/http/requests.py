"""The edge of the site: what a request says is read once, and what cannot be read is answered here.

Requests that none of our pages or programs would send (a body in another character set, half of a form,
JSON nested a thousand deep, a NUL byte) are answered with 400, 413 or 415 and one sentence, as a page or as
JSON. So views need not expect them, and nothing of them reaches the log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from django.conf import settings
from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.encoding import iri_to_uri
from django.utils.translation import gettext, gettext_lazy

from arena.web.http.body_limit import BUSY, MARK
from arena.web.http.refusals import error_page, refusal, wants_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django_stubs_ext import StrOrPromise


Message = MutableMapping[str, Any]
"""A scope, or one message of either side."""
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
"""What an ASGI application is called with."""

FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
JSON = "application/json"
DEEPEST_JSON = 32
MOST_JSON_BYTES = 64 << 10
LONGEST_ADDRESS = 8 << 10
# Our texts contain neither NUL, which databases refuse, nor half characters, which nothing can encode.
UNSPEAKABLE = re.compile("[\x00\ud800-\udfff]")
UTF_8 = (b"utf-8", b"utf8")
REFUSED = "crapette.refused"
FULL = "crapette.full"
"""In the scope of a request for which no thread will be free soon."""
JSON_ATTRIBUTE = "_edge_json"


class RequestRefused(Exception):
    """A request that is not let in."""

    def __init__(self, status: int, code: str, sentence: StrOrPromise) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code


def readable(scope: Message) -> Message:
    """The same ASGI scope, such that Django can make a request of it; what was wrong with it is noted.

    Django reads the query while it makes the request if the content type names a character set, and gives
    up without a page.
    """
    refused = None
    query = scope.get("query_string", b"")
    try:
        query.decode()
    except UnicodeDecodeError:
        refused, query = RequestRefused(400, "query", gettext_lazy("The address is not in UTF-8.")), b""
    headers = []
    for name, value in scope["headers"]:
        kept = value
        if name == b"content-type":
            kept, *parameters = value.split(b";")
            for parameter in parameters:
                key, _, charset = parameter.partition(b"=")
                if key.strip().lower() != b"charset":
                    kept += b";" + parameter
                elif charset.strip(b' \t"').lower() not in UTF_8:
                    refused = RequestRefused(
                        415,
                        "charset",
                        gettext_lazy("Send text in UTF-8. No other character set is accepted here."),
                    )
        headers.append((name, kept))
    return {**scope, "headers": headers, "query_string": query, REFUSED: refused}


class EdgeMiddleware:
    """Reads what a request says, or answers it."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        # For ours and for libraries: what a request calls the site is the visitor's word.
        request.build_absolute_uri = partial(_absolute, request)  # type: ignore[method-assign]
        try:
            _read(request)
        except RequestRefused as refused:
            return _answer(request, refused)
        return self.get_response(request)


def json_object(request: HttpRequest) -> dict[str, Any]:
    """The JSON object that was sent; any other body is an empty one."""
    found = getattr(request, JSON_ATTRIBUTE, None)
    return found if isinstance(found, dict) else {}


def _absolute(request: HttpRequest, location: str | None = None) -> str:
    """A whole address below ``CRAPETTE_URL``, whatever host the request names."""
    here = f"{settings.SITE_URL}{request.path}"
    return iri_to_uri(urljoin(here, request.get_full_path() if location is None else str(location)))


def _answer(request: HttpRequest, refused: RequestRefused) -> HttpResponseBase:
    if wants_json(request):
        return refusal(refused.code, str(refused), refused.status)
    heading = gettext("Please wait a minute") if refused.status == 503 else ""
    kind = 413 if refused.status == 413 else 400
    return error_page(request, kind, refused.status, heading=heading, sentence=str(refused))


def _read(request: HttpRequest) -> None:
    """Read the address and the body; raises Refused."""
    scope = getattr(request, "scope", {})
    if scope.get(REFUSED) is not None:
        raise scope[REFUSED]
    if FULL in scope:
        raise RequestRefused(
            503,
            "busy",
            gettext("Too many people are signing in or uploading right now. Try again in a minute."),
        )
    if BUSY in scope:
        raise RequestRefused(
            503,
            "busy",
            gettext("Too many large bots are being uploaded right now. Try again in a minute."),
        )
    if MARK in scope:
        raise RequestRefused(
            413,
            "too-large",
            gettext("A request can be at most %(number)s MB. Send less.") % {"number": scope[MARK] >> 20},
        )
    try:
        query = request.GET
        cookies = request.COOKIES
    except SuspiciousOperation:
        raise RequestRefused(400, "query", gettext("The address has too many parameters.")) from None
    if len(request.path) > LONGEST_ADDRESS:
        raise RequestRefused(400, "address", gettext("The address is too long."))
    _speakable(
        request.path, *cookies.values(), *(text for name, texts in query.lists() for text in (name, *texts))
    )
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    try:
        _read_body(request)
    except (RequestDataTooBig, UnreadablePostError):
        raise RequestRefused(413, "too-large", gettext("The body of the request is too large.")) from None
    except (SuspiciousOperation, MultiPartParserError, BadRequest, ValueError, LookupError):
        raise RequestRefused(400, "body", gettext("The body of the request could not be read.")) from None


def _read_body(request: HttpRequest) -> None:
    kind = request.content_type or ""
    if kind == JSON:
        setattr(request, JSON_ATTRIBUTE, _read_json(request))
    elif kind in (FORM, MULTIPART):
        texts = (text for name, values in request.POST.lists() for text in (name, *values))
        _speakable(*texts, *(str(file.name) for _, files in request.FILES.lists() for file in files))
    elif request.META.get("CONTENT_LENGTH", "0") not in ("", "0") or request.read(1):
        raise RequestRefused(
            415,
            "content-type",
            gettext("Send a form or JSON. The content type %(kind)s is not accepted here.")
            % {"kind": repr(kind[:100])},
        )


def _read_json(request: HttpRequest) -> object:
    """The body as JSON, of bounded size and depth."""
    body = request.body
    if len(body) > MOST_JSON_BYTES:
        raise RequestDataTooBig
    text = body.decode()
    if _depth(text) > DEEPEST_JSON:
        raise RequestRefused(
            400,
            "body",
            gettext("JSON can be nested at most %(number)s levels deep.") % {"number": DEEPEST_JSON},
        )
    found = json.loads(text, parse_constant=_no_number) if text else None
    _speakable(*_texts(found))
    return found


def _texts(found: object) -> Iterator[str]:
    """Every text in what was parsed, names included."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        yield from found
        for value in found.values():
            yield from _texts(value)
    elif isinstance(found, list):
        for value in found:
            yield from _texts(value)


def _no_number(name: str) -> None:
    """Python reads NaN and Infinity, which JSON does not have."""
    raise ValueError(name)


def _depth(text: str) -> int:
    """Return how deep brackets are nested. Those in strings count as well; our messages have none."""
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _speakable(*texts: str) -> None:
    if any(UNSPEAKABLE.search(text) for text in texts):
        raise RequestRefused(400, "text", gettext("The request contains a character that text cannot have."))
