"""The API as ninja runs it: the routers, and how its errors become problems in our own words."""

from __future__ import annotations

import logging
import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.http.request import RawPostDataException
from django.urls import URLResolver
from django.urls.resolvers import RegexPattern
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from analysis.errors import CompetitionError, InvalidTournament, WrongStatus
from arena import __version__
from arena.accounts.confirmation import AddressNotConfirmed
from arena.api import document, idempotency_key
from arena.api.bearer import Forbidden, UnknownParameter
from arena.api.idempotency_key import BeingCarriedOut, WrongKey
from arena.api.limits import TooMany
from arena.api.paging import BadCursor
from arena.api.routes import ROUTERS
from arena.notices.preferences import NoSuchWish
from arena.web.http.idempotency import SentBefore
from arena.web.http.refusals import RETRY_SECONDS, refusal
from arena.web.storage.archives import ArchiveUnreadable
from bots.errors import BotsError, TokenRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest


WORDS: Final = {
    "missing": "Expected {field}, got none.",
    "extra_forbidden": "Expected no {field}: there is no such field.",
    "literal_error": "Expected {field} to be one of {expected}.",
    "greater_than_equal": "Expected {field} to be at least {ge}.",
    "greater_than": "Expected {field} to be more than {gt}.",
    "less_than_equal": "Expected {field} to be at most {le}.",
    "less_than": "Expected {field} to be less than {lt}.",
    "string_too_short": "Expected {field} to have at least {min_length} characters.",
    "string_too_long": "Expected {field} to have at most {max_length} characters.",
    "too_short": "Expected {field} to have at least {min_length} items.",
    "too_long": "Expected {field} to have at most {max_length} items.",
    "timezone_aware": "Expected {field} to be a time with its time zone, such as 2026-05-31T12:00:00Z.",
}
"""By pydantic's name of the error (https://docs.pydantic.dev/latest/errors/validation_errors/)."""
KINDS: Final = (
    (r"int_", "a whole number"),
    (r"float_|finite_number", "a number"),
    (r"bool_", "true or false"),
    (r"string_type|string_sub_type|string_unicode", "text"),
    (r"datetime_|time_", "a time such as 2026-05-31T12:00:00Z"),
    (r"date_", "a date such as 2026-05-31"),
    (r"uuid_", "an id such as 6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"),
    (r"list_|tuple_", "a list"),
    (r"model_|dict_|dataclass_", "an object"),
)
"""What was expected, by how the name of the error begins."""
PATTERNS: Final = {
    r"^[-a-zA-Z0-9_]+$": "a name as in addresses, of letters, digits, - and _",
    r"^20\d\d-(0[1-9]|1[0-2])$": "a month such as 2026-05",
    r"^[a-z][-a-z0-9]{1,39}$": "a name from the list of datasets",
    r"^(https?://.*)?$": "an address that starts with https:// or http://, or empty",
}


def describe_invalid(error: Mapping[str, Any]) -> tuple[str | None, str]:
    """The field that is wrong, by its name in the request, and a sentence.

    >>> describe_invalid({"type": "missing", "loc": ("body", "wish", "name"), "msg": "Field required"})
    ('name', 'Expected name, got none.')
    >>> describe_invalid({"type": "list_type", "loc": ("body", "wish", "entrants"), "msg": "…"})
    ('entrants', 'Expected entrants to be a list.')
    """
    field = _field(error["loc"])
    shown = field or "the body of the request"
    kind, context = error["type"], error.get("ctx", {})
    if kind in WORDS:
        filled = {name: _plain(value) for name, value in context.items()}
        return field, WORDS[kind].format(field=shown, **filled)
    if kind == "string_pattern_mismatch" and (what := PATTERNS.get(context.get("pattern", ""))):
        return field, f"Expected {shown} to be {what}."
    for beginning, what in KINDS:
        if re.match(beginning, kind):
            return field, f"Expected {shown} to be {what}."
    # What our own validators say.
    return field, f"{shown}: {str(error['msg']).removeprefix('Value error, ')[:300].rstrip('.')}."


def _field(place: tuple[str | int, ...]) -> str | None:
    """A field by its name in the request; None for the body itself.

    ninja names where it is, then, of bodies and of models of parameters, our argument that takes it:
    ("query", "filters", "limit"), ("body", "wish", "entrants", 0, "bot").
    """
    parts = list(place[1:])
    if place[0] == "body" or parts[:1] == ["filters"]:
        parts = parts[1:]
    return ".".join(str(part) for part in parts) or None


def _plain(value: Any) -> str:
    """What was expected, without quotes: of lists of words, pydantic puts some."""
    return str(value).replace("'", "")


logger = logging.getLogger(__name__)

api = NinjaAPI(
    title="Crapette Arena",
    version=__version__,
    description=document.DESCRIPTION,
    docs_url=None,
    openapi_url=None,
    urls_namespace="api-v1",
)
for _tag, _router in ROUTERS.items():
    api.add_router("", _router, tags=[_tag])


@cache
def resolver() -> URLResolver:
    """Finds the view of an address below ``/api/v1/``."""
    patterns, app_name, namespace = api.urls
    return URLResolver(RegexPattern(r"^/api/v1/"), patterns, app_name=app_name, namespace=namespace)


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI document."""
    return document.document_of(api)


@api.exception_handler(TokenRefused)
def _token(request: HttpRequest, error: TokenRefused) -> HttpResponse:
    answer = refusal(error.code, str(error), 401)
    answer["WWW-Authenticate"] = 'Bearer realm="crapette"'
    return answer


@api.exception_handler(BotsError)
def _bots(request: HttpRequest, error: BotsError) -> HttpResponse:
    return refusal(error.code, str(error), error.status, field=error.field, retry_after=error.retry_after)


@api.exception_handler(NoSuchWish)
def _wish(request: HttpRequest, error: NoSuchWish) -> HttpResponse:
    return refusal("wish", str(error), 422, field="url")


@api.exception_handler(CompetitionError)
def _competition(request: HttpRequest, error: CompetitionError) -> HttpResponse:
    field = error.field if isinstance(error, InvalidTournament) else ""
    status = 409 if isinstance(error, WrongStatus) else 422
    return refusal(error.code, str(error), status, field=field or None)


@api.exception_handler(ArchiveUnreadable)
def _archive(request: HttpRequest, error: ArchiveUnreadable) -> HttpResponse:
    logger.error("the archive cannot be read: %s", error)
    return refusal(error.code, str(error.sentence), 503, retry_after=RETRY_SECONDS)


@api.exception_handler(TooMany)
def _too_many(request: HttpRequest, error: TooMany) -> HttpResponse:
    return refusal("too-many", str(error), 429, retry_after=error.retry_after)


@api.exception_handler(Forbidden)
def _forbidden(request: HttpRequest, error: Forbidden) -> HttpResponse:
    return refusal("forbidden", str(error), 403)


@api.exception_handler(UnknownParameter)
def _unknown(request: HttpRequest, error: UnknownParameter) -> HttpResponse:
    name = str(error)[:100]
    return refusal("parameter", f"Expected a parameter of this address, got {name!r}.", 422, field=name)


@api.exception_handler(AddressNotConfirmed)
def _unconfirmed(request: HttpRequest, error: AddressNotConfirmed) -> HttpResponse:
    return refusal(error.code, str(error), 403)


@api.exception_handler(SentBefore)
def _again(request: HttpRequest, error: SentBefore) -> HttpResponse:
    row = error.row
    content = idempotency_key.first_answer(request, bytes(row.answer))
    answer = HttpResponse(content, status=row.status, content_type=row.answer_type)
    if row.location:
        answer["Location"] = row.location
    answer["Idempotent-Replayed"] = "true"
    return answer


@api.exception_handler(WrongKey)
def _key(request: HttpRequest, error: WrongKey) -> HttpResponse:
    return refusal("idempotency-key", str(error), 422, field=idempotency_key.HEADER)


@api.exception_handler(BeingCarriedOut)
def _busy(request: HttpRequest, error: BeingCarriedOut) -> HttpResponse:
    said = "The first request with this Idempotency-Key is still being carried out."
    return refusal("being-carried-out", said, 409, retry_after=1)


@api.exception_handler(PermissionDenied)
def _denied(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return refusal("forbidden", "Your account has no access to this.", 403)


@api.exception_handler(BadCursor)
def _cursor(request: HttpRequest, error: BadCursor) -> HttpResponse:
    return refusal("cursor", "Expected a cursor that this list gave, got another text.", 422, field="cursor")


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
    sentence = str(error)
    if not sentence.startswith("Expected"):
        sentence = "There is nothing at this address."
    return refusal("not-found", sentence, 404)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    field, sentence = describe_invalid(error.errors[0])
    return refusal("invalid", sentence, 422, field=field)


@api.exception_handler(RawPostDataException)
def _form(request: HttpRequest, error: RawPostDataException) -> HttpResponse:
    # The only body that has been read when a route wants its JSON is a form of several parts.
    sent = repr(request.content_type)
    return refusal("content-type", f"Expected JSON, got the content type {sent}.", 415)


@api.exception_handler(HttpError)
def _http(request: HttpRequest, error: HttpError) -> HttpResponse:
    return refusal("request", f"{str(error).rstrip('.')}.", error.status_code)


@api.exception_handler(Exception)
def _broken(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.exception("the API could not answer %s", request.path)
    return refusal("broken", "Something broke on our side. The operator can read what it was.", 500)
