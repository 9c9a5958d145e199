"""Refusals: one shape for programs (problem+json), and one status for a form that has to be corrected."""

from __future__ import annotations

import contextlib
import logging
from http.client import responses
from typing import TYPE_CHECKING, Final, cast

from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext
from django.views import defaults

from arena.web.storage.archives import ArchiveUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from django import forms
    from django.http import HttpRequest, HttpResponse, HttpResponseBase
    from django.template.response import SimpleTemplateResponse

log = logging.getLogger(__name__)

RETRY_SECONDS: Final = 60
BAD_FORM: Final = 422
"""The status of a page that shows a form again with what is wrong with it."""


PROBLEM: Final = "application/problem+json"


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


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """404, as a page or as JSON."""
    if wants_json(request):
        return refusal("not-found", "There is nothing at this address.", 404)
    return defaults.page_not_found(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """403, as a page or as JSON."""
    if wants_json(request):
        return refusal("forbidden", "Your account has no access to this.", 403)
    return defaults.permission_denied(request, exception)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """400, as a page or as JSON."""
    if wants_json(request):
        return refusal("request", "Expected a request that this address understands.", 400)
    return render(request, "400.html", status=400)


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
        answer = render(request, "503.html", {"sentence": error.sentence}, status=503)
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
        words = {
            "heading": gettext("You cannot open this address directly"),
            "sentence": gettext("Go back to the page you came from, and try again from there."),
        }
    else:
        words = {}
    return render(request, "400.html" if status < 500 else "503.html", words, status=status)
