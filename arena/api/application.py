"""The API as ninja runs it: the routers, and how its errors become problems."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Any

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
from arena.api.invalid import describe_invalid
from arena.api.limits import TooMany
from arena.api.paging import BadCursor
from arena.api.routes import ROUTERS
from arena.notices.preferences import NoSuchWish
from arena.web.http.idempotency import SentBefore
from arena.web.http.refusals import RETRY_SECONDS, refusal
from arena.web.storage.archives import ArchiveUnreadable
from bots.errors import BotsError, TokenRefused

if TYPE_CHECKING:
    from django.http import HttpRequest

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
