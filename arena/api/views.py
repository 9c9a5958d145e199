"""Where requests to the API come in.

What the API is made of (ninja, pydantic, its schemas) takes memory and a moment to load, so a process loads
it with the first request that needs it. The document and the page that describe it do not.
"""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from django.http import HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import Resolver404
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.api import document_cache, idempotency_key
from arena.api.limits import left_of
from arena.web.cache.pages import everybody, shared_page
from arena.web.http.refusals import refusal

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

DOCUMENT_SECONDS = 300
# By hand, for streams must go out as they come, and downloads are compressed already.
GZIP = GZipMiddleware(lambda request: HttpResponse())


def _application() -> Any:
    return import_module("arena.api.application")


@csrf_exempt  # no cookie is looked at, so no other site can borrow one
def enter(request: HttpRequest, rest: str) -> HttpResponseBase:
    """Answer a request to ``/api/v1/``."""
    asked = request.method or "GET"
    if asked == "HEAD":
        request.method = "GET"
    try:
        found = _application().resolver().resolve(request.path_info)
    except Resolver404:
        return _slashed(request)
    answer: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    request.method = asked
    idempotency_key.end(request, answer)
    if answer.status_code == 405:
        allowed = [method for method in ("GET", "POST", "PATCH", "DELETE") if method in answer["Allow"]]
        answer = refusal("method", f"Expected {' or '.join(allowed)}, got {asked}.", 405)
        answer["Allow"] = ", ".join(allowed)
    return _finished(request, answer)


def _slashed(request: HttpRequest) -> HttpResponseBase:
    """Send whoever forgot the slash at the end to the address with it; it keeps method and body."""
    path = request.path_info
    if not path.endswith("/"):
        try:
            _application().resolver().resolve(f"{path}/")
        except Resolver404:
            pass
        else:
            query = request.META.get("QUERY_STRING", "")
            answer = HttpResponsePermanentRedirect(f"{path}/{'?' + query if query else ''}")
            answer.status_code = 308
            return answer
    return refusal("not-found", "There is nothing at this address.", 404)


def _finished(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    """The answer with the headers every answer has; 304 if the caller has it already."""
    left = left_of(request)
    if left is not None:
        answer["RateLimit"], answer["RateLimit-Policy"] = left.header(), left.policy()
    answer.headers.setdefault("Cache-Control", "private, no-cache")
    patch_vary_headers(answer, ["Authorization"])
    if request.method not in ("GET", "HEAD") or answer.status_code != 200 or answer.streaming:
        return answer
    whole = cast("HttpResponse", answer)
    if "no-store" not in whole["Cache-Control"]:
        digest = hashlib.sha256(whole.content).hexdigest()[:32]
        whole.headers.setdefault("ETag", f'"{digest}"')
        whole = cast("HttpResponse", get_conditional_response(request, etag=whole["ETag"], response=whole))
    return GZIP.process_response(request, whole)


@gzip_page
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document."""
    try:
        document = document_cache.document()
    except document_cache.NotWritten:
        return _not_written()
    whole = {**document, "servers": [{"url": _site(request)}]}
    answer = JsonResponse(whole)
    answer["Cache-Control"] = f"public, max-age={DOCUMENT_SECONDS}"
    return answer


@shared_page(among=everybody)
@gzip_page
@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """The OpenAPI document as a page for people, with a command for each route."""
    try:
        document = document_cache.document()
    except document_cache.NotWritten:
        return _not_written()
    described = import_module("arena.api.reference").describe(document, _site(request))
    return render(request, "api/reference.html", {"reference": described})


def _not_written() -> HttpResponse:
    said = "The description of the API is being written. Try again in a moment."
    return refusal("not-ready", said, 503, retry_after=5)


def _site(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
