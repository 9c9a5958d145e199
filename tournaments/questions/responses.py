"""Answers that need a search: a page asks, an analysis process works it out, the page asks again.

A view marked `thoughtful` may return a `Thought` in place of a response. Then the request ends at once with

- 200 and the answer;
- 202 and ``{"waiting": true}`` while it is still worked on: ask the same again in a moment; what takes long
  also tells its `progress` in per cent, and how many such questions are `ahead`;
- 429 with `Retry-After` if the asker, or everybody together, asks for too much;
- 409 if there is no answer, 503 with `Retry-After` if it could not be found this time.

The last three are refusals (`arena.web.http.refusals.refusal`). No request waits here: few threads answer all
pages. Whoever stops asking is not thought for any more.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

from allauth.account.adapter import get_adapter
from django.http import HttpResponse, JsonResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from arena.web.http.rate_limits import counted_address
from arena.web.http.refusals import refusal
from arena.web.i18n.messages import STORED, reword
from tournaments.models import Analysis
from tournaments.questions.question_types import FOR_DEPTH
from tournaments.questions.requests import AGAIN, Asker, Busy, ahead, ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from arena.accounts.models import User
    from tournaments.questions.question_types import Question


def told_as_json(answer: bytes) -> HttpResponse:
    """The answer as it is."""
    return HttpResponse(answer, content_type="application/json")


def told_to_all(answer: bytes) -> HttpResponse:
    """An answer that stays the same for everybody."""
    response = told_as_json(answer)
    response["Cache-Control"] = "public, max-age=3600"
    return response


@dataclass(frozen=True, slots=True)
class Thought:
    """A question, and how its answer (JSON) is told."""

    question: Question
    tell: Callable[[bytes], HttpResponse] = told_as_json


def asker_of(request: HttpRequest) -> Asker:
    """The account that asks, or else a keyed hash of the address: enough to count by."""
    return asker(request.user, get_adapter(request).get_client_ip(request) or "")


def asker(user: User | AnonymousUser, address: str) -> Asker:
    """The account, or else a keyed hash of the address."""
    keyed = salted_hmac("analysis.address", counted_address(address)).hexdigest()[:32]
    return Asker(f"user-{user.pk}" if user.is_authenticated else f"guest-{keyed}", keyed)


def thoughtful(
    view: Callable[..., HttpResponseBase | Thought],
) -> Callable[..., HttpResponseBase]:
    """Let a view return a `Thought`."""

    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        found = view(request, *args, **kwargs)
        if not isinstance(found, Thought):
            return found
        return thought_about(found.question, asker_of(request), found.tell)

    return asked


def thought_about(
    question: Question, who: Asker, tell: Callable[[bytes], HttpResponse] = told_as_json
) -> HttpResponse:
    """What is said to somebody who asks: the answer, that it is still worked on, or why there is none."""
    try:
        return _told(tell, ask(question, who))
    except Busy as busy:
        return refusal("busy", str(busy), 429, retry_after=busy.seconds)


def _told(tell: Callable[[bytes], HttpResponse], row: Analysis) -> HttpResponse:
    if not row.is_over and row.rank == FOR_DEPTH:
        told = {"waiting": True, "progress": row.progress, "ahead": ahead(row)}
        return JsonResponse(told, status=202, headers={"Retry-After": "1"})
    if not row.is_over:
        return JsonResponse({"waiting": True}, status=202, headers={"Retry-After": "1"})
    if row.status == Analysis.Status.DONE:
        return tell(zlib.decompress(bytes(row.answer or b"")))
    if row.cause in (Analysis.Cause.RECORD, Analysis.Cause.GONE):
        return refusal(row.cause, reword(row.error, STORED), 409)
    problem = gettext("This could not be worked out. Try again in a minute.")
    if row.cause == Analysis.Cause.TIME:
        problem = gettext("This took too long to work out. Try again in a minute.")
    return refusal(row.cause, problem, 503, retry_after=int(AGAIN.total_seconds()))
