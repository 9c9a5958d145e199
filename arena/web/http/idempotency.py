"""A request that is sent twice is carried out once: a double click, the back button, a retry.

A form is known by the token against forged requests that its page was drawn with: Django masks it anew each
time a page is drawn. Sent again with the same content, it leads where it led before. A program gives its
requests keys of its own (``Idempotency-Key``) and gets the same answer again for a day.

What is carried out has a row (`SentRequest`), so this holds across processes and restarts. A request that was
refused leaves none. One whose process died may be sent again after `CARRIED_OUT_SECONDS`.

Forms on pages that are the same for everybody: they have no token against forged requests.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.contrib import messages
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from arena.web.http.refusals import error_page
from arena.web.models import SentRequest

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse, HttpResponseBase


TOKEN: Final = "csrfmiddlewaretoken"  # noqa: S105 (the name of a field)
CARRIED_OUT_SECONDS: Final = 60
"""Longer than any request takes. Until then a repetition is told to wait."""
KEPT: Final = timedelta(days=1)
ACCOUNTS: Final = "/accounts/"
FORM_ATTRIBUTE: Final = "_sent_form"


class SentBefore(Exception):
    """The same request was sent before; `row` says how it was answered."""

    def __init__(self, row: SentRequest) -> None:
        super().__init__(str(row))
        self.row = row


def begin(name: str, content: str = "") -> SentRequest:
    """Note that a request is carried out now. Raises SentBefore for a repetition.

    `name` tells the request from all others, `content` is a digest of what it asks for.
    """
    now = timezone.now()
    key = salted_hmac("arena.web.http.idempotency", name, algorithm="sha256").hexdigest()
    row, created = SentRequest.objects.get_or_create(key=key, defaults={"content": content, "at": now})
    if created:
        return row
    lost = row.status is None and row.at < now - timedelta(seconds=CARRIED_OUT_SECONDS)
    if (lost or row.at < now - KEPT) and SentRequest.objects.filter(pk=row.pk, at=row.at).update(
        content=content, at=now, status=None
    ):
        row.content, row.at, row.status = content, now, None
        return row
    raise SentBefore(row)


def end(row: SentRequest, response: HttpResponseBase, answer: bytes = b"") -> None:
    """Note how a request was answered, and the `answer` that is to be given again."""
    SentRequest.objects.filter(pk=row.pk).update(
        status=response.status_code,
        answer_type=response.get("Content-Type", "")[:100],
        location=response.get("Location", ""),
        answer=answer,
    )


def first_time(name: str) -> bool:
    """Whether this is done for the first time within a day, as `name` tells it from all else."""
    try:
        begin(name)
    except SentBefore:
        return False
    return True


def digest_of(request: HttpRequest) -> str:
    """A digest of where a request goes and of all that it sends, files included."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}".encode())
    if request.content_type in ("multipart/form-data", "application/x-www-form-urlencoded"):
        for name, texts in request.POST.lists():
            digest.update(repr((name, texts)).encode())
        for name, files in request.FILES.lists():
            for file in files:
                digest.update(repr((name, file.name, file.size)).encode())
                for chunk in file.chunks():
                    digest.update(chunk)
                file.seek(0)
    elif request.content_type == "application/json":  # any other body has been refused
        digest.update(request.body)
    return digest.hexdigest()


class RepeatedFormMiddleware:
    """Carries out once what a form sends."""

    sync_capable = True
    async_capable = False

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request, and note how. What was refused, or only asks for more, may come again."""
        response = self._get_response(request)
        row: SentRequest | None = getattr(request, FORM_ATTRIBUTE, None)
        if row is None:
            return response
        if _is_done(request, response):
            end(row, response)
        else:
            row.delete()
        return response

    def process_view(
        self, request: HttpRequest, view: object, arguments: object, named: object
    ) -> HttpResponse | None:
        """Answer a repetition without the view. Forged requests have been refused by now."""
        # Signing in or up twice does no harm. What htmx posts only asks, such as for an estimate, and
        # draws no new form.
        if (
            request.method != "POST"
            or TOKEN not in request.POST
            or "HX-Request" in request.headers
            or request.path_info.startswith(ACCOUNTS)
        ):
            return None
        try:
            setattr(request, FORM_ATTRIBUTE, begin(f"form {request.user.pk} {digest_of(request)}"))
        except SentBefore as before:
            return _answer_again(request, before.row)
        return None


def _is_done(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Whether what a form asked for was done, as far as its answer tells."""
    if not response.has_header("Location"):
        # Of Django's own pages, those that show a form say 200 whatever became of it.
        return response.status_code == 200 and not request.path_info.startswith("/admin/")
    # Whoever is sent to sign in or to give the password again has not got further. A refusal that leads on
    # leaves its reason for the next page.
    queued = getattr(getattr(request, "_messages", None), "_queued_messages", ())
    return not response["Location"].startswith(ACCOUNTS) and all(one.level < messages.ERROR for one in queued)


def _answer_again(request: HttpRequest, row: SentRequest) -> HttpResponse:
    if row.location:
        messages.info(request, gettext("You already sent this form. It was not carried out again."))
        return redirect(row.location)
    done = gettext("Your request was carried out once. Reload the page with the form to see the result.")
    busy = gettext("Your request is still being carried out. Reload the page with the form in a moment.")
    heading = gettext("You already sent this form")
    return error_page(request, 400, 409, heading=heading, sentence=done if row.status else busy)


def comes_from_here(request: HttpRequest) -> bool:
    """Whether the browser says so. All that send forms today name the origin with them."""
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def page_before(request: HttpRequest) -> str:
    """The path of the page that a visitor came from, if it is one of ours; the home page otherwise."""
    came_from = request.POST.get("next") or request.headers.get("Referer", "")
    hosts = {request.get_host()}
    if not url_has_allowed_host_and_scheme(came_from, hosts, require_https=request.is_secure()):
        return reverse("home")
    parts = urlsplit(came_from)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    own = parts.path == request.path or not url_has_allowed_host_and_scheme(path, hosts)
    return reverse("home") if own else path
