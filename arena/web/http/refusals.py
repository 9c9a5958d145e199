"""Refusals: one shape for programs (problem+json), and one status for a form that has to be corrected."""

from __future__ import annotations

import contextlib
import logging
from http.client import responses
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext, gettext_lazy

from arena.web.storage.archives import ArchiveUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from django import forms
    from django.http import HttpRequest, HttpResponse, HttpResponseBase
    from django.template.response import SimpleTemplateResponse
    from django_stubs_ext import StrOrPromise

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 60
BAD_FORM: Final = 422
"""The status of a page that shows a form again with what is wrong with it."""


PROBLEM: Final = "application/problem+json"


class ErrorWords(NamedTuple):
    """What a page says of an error, and the two cards that lie beside it."""

    title: StrOrPromise
    heading: StrOrPromise
    sentence: StrOrPromise
    cards: tuple[str, str]


CSRF: Final = "csrf"
ERRORS: Final[dict[int | str, ErrorWords]] = {
    400: ErrorWords(
        gettext_lazy("Bad request"),
        gettext_lazy("We could not read that request"),
        gettext_lazy("The server could not read your request. Go back, check the form, and try again."),
        ("4S", "JH"),
    ),
    403: ErrorWords(
        gettext_lazy("No access"),
        gettext_lazy("You have no access to this"),
        gettext_lazy(
            "Your account has no access to this. You may need to sign in, or to sign in with another account."
        ),
        ("4H", "JS"),
    ),
    CSRF: ErrorWords(
        gettext_lazy("This form has expired"),
        gettext_lazy("This form has expired"),
        gettext_lazy(
            "Go back, reload the page, and send the form again."
            " Your browser must allow cookies for this site."
        ),
        ("4H", "JS"),
    ),
    404: ErrorWords(
        gettext_lazy("Page not found"),
        gettext_lazy("Page not found"),
        gettext_lazy(
            "There is nothing at this address. It may be mistyped, or the page may have been removed."
        ),
        ("4S", "4H"),
    ),
    413: ErrorWords(gettext_lazy("Too large"), gettext_lazy("That is too large"), "", ("KS", "KH")),
    429: ErrorWords(
        gettext_lazy("Too many attempts"),
        gettext_lazy("Too many attempts"),
        gettext_lazy("Wait a few minutes, then try again."),
        ("7S", "7H"),
    ),
    503: ErrorWords(
        gettext_lazy("Not available at the moment"),
        gettext_lazy("Not available at the moment"),
        "",
        ("7S", "7H"),
    ),
}
"""By status. A form from elsewhere, or without its token, has one of its own."""


def refusal(
    code: str, message: str, status: int, *, field: str | None = None, retry_after: int | None = None
) -> JsonResponse:
    """A problem after RFC 9457: ``title``, ``status``, ``detail``, ``code`` and ``field``.

    ``detail`` is one sentence for a person to read. The same is there as ``error`` with ``code``, ``message``
    and ``field``, which was the whole of it before. After `retry_after` seconds the same request may do;
    programs are told by the header of that name.
    """
    problem = {
        "type": "about:blank",
        "title": responses.get(status, "Error"),
        "status": status,
        "detail": message,
        "code": code,
        "field": field,
        "error": {"code": code, "message": message, "field": field},
    }
    answer = JsonResponse(problem, status=status, content_type=PROBLEM)
    if retry_after is not None:
        answer["Retry-After"] = str(retry_after)
    return answer


def form_status(*given: forms.BaseForm | None) -> int:
    """200, or `BAD_FORM` where one of these forms has errors."""
    return BAD_FORM if any(form is not None and form.errors for form in given) else 200


def wants_json(request: HttpRequest) -> bool:
    """Whether the request comes from a program, which needs JSON rather than a page."""
    return (
        request.path.startswith("/api/")
        or request.path.endswith(".json")
        or request.content_type == "application/json"
        or request.headers.get("Accept", "").startswith("application/json")
    )


def error_page(
    request: HttpRequest, kind: int | str, status: int = 0, *, heading: str = "", sentence: str = ""
) -> HttpResponse:
    """The page for an error of `ERRORS`, with other words or another status than is usual for it."""
    words = ERRORS[kind]
    shown = {
        "kind": kind,
        "title": words.title,
        "heading": heading or words.heading,
        "sentence": sentence or words.sentence,
        "cards": words.cards,
    }
    return render(request, "error.html", shown, status=status or int(kind))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """404, as a page or as JSON."""
    if wants_json(request):
        return refusal("not-found", "There is nothing at this address.", 404)
    return error_page(request, 404)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """403, as a page or as JSON."""
    if wants_json(request):
        return refusal("forbidden", "Your account has no access to this.", 403)
    return error_page(request, 403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """400, as a page or as JSON."""
    if wants_json(request):
        return refusal("request", "Expected a request that this address understands.", 400)
    return error_page(request, 400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, for a form from elsewhere or without its token."""
    return error_page(request, CSRF, 403)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429, where allauth bounds how often something may be tried."""
    return error_page(request, 429)


class AnswersMiddleware:
    """Gives answers that libraries leave bare what our own have: a page, a status, a sentence.

    An address that only a form posts to leads to the page above it: it stays in the address bar after an
    error, and whoever loads it again wants the form.
    """

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        response = self._get_response(request)
        if response.status_code < 400 or response.streaming or cast("HttpResponse", response).content:
            return response
        bare: HttpResponse
        if wants_json(request):
            bare = refusal(
                "refused", f"{responses.get(response.status_code, 'Error')}.", response.status_code
            )
        elif response.status_code == 405 and request.method in ("GET", "HEAD"):
            return redirect(page_above(request.path_info))
        else:
            bare = _explained(request, response.status_code)
        for name, value in response.items():
            bare.headers.setdefault(name, value)
        return bare

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Say 503 where a record is in the archive and the archive cannot be read."""
        if not isinstance(error, ArchiveUnreadable):
            return None
        log.error("the archive cannot be read: %s", error)
        if wants_json(request):
            return refusal(error.code, str(error.sentence), 503, retry_after=RETRY_SECONDS)
        answer = error_page(request, 503, sentence=str(error.sentence))
        answer["Retry-After"] = str(RETRY_SECONDS)
        return answer

    def process_template_response(
        self, request: HttpRequest, response: SimpleTemplateResponse
    ) -> SimpleTemplateResponse:
        """Change 200 to `BAD_FORM` where the form of a library's page was sent and has errors."""
        form: Any = (response.context_data or {}).get("form")
        if request.method == "POST" and response.status_code == 200 and getattr(form, "errors", None):
            response.status_code = BAD_FORM
        return response


def page_above(path: str) -> str:
    """The nearest address above this one where there is something: ``/classes/`` for ``/classes/new/``."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        with contextlib.suppress(Resolver404):
            resolve(path)
            return path
    return path


def _explained(request: HttpRequest, status: int) -> HttpResponse:
    """A page for an answer without words."""
    if status == 405:
        return error_page(
            request,
            400,
            status,
            heading=gettext("You cannot open this address directly"),
            sentence=gettext("Go back to the page you came from, and try again from there."),
        )
    return error_page(request, 400 if status < 500 else 503, status)
