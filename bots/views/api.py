"""The upload API: JSON answers, and a token instead of a session.

Every refusal is ``{"error": {"code", "message", "field"}}``, where ``message`` is one sentence. What
belongs to somebody else answers 404, whether it exists or not.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from django.http import JsonResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from arena.common.answers import BAD_FORM, refusal
from bots import selectors, services
from bots.errors import BotsError, TokenRefused
from bots.forms import NewBotForm, UploadForm
from bots.models import Bot, Version

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpRequest

    from arena.accounts.models import User

SCHEME = "Bearer "


def _user_of(request: HttpRequest) -> User:
    header = request.headers.get("Authorization", "")
    if not header.startswith(SCHEME):
        raise TokenRefused("Expected the header 'Authorization: Bearer <token>', got none.")
    return services.authenticate(header.removeprefix(SCHEME).strip())


def with_token(*methods: str) -> Callable[[Callable[..., JsonResponse]], Callable[..., JsonResponse]]:
    """Allow ``methods`` with a valid token. The view gets the request and the token's owner."""

    def decorate(view: Callable[..., JsonResponse]) -> Callable[..., JsonResponse]:
        @csrf_exempt  # no cookie is looked at, so no other site can borrow one
        @never_cache
        @wraps(view)
        def call(request: HttpRequest, **address: Any) -> JsonResponse:
            if request.method not in methods:
                answer = refusal("method", f"Expected {' or '.join(methods)}, got {request.method}.", 405)
                answer["Allow"] = ", ".join(methods)
                return answer
            try:
                return view(request, _user_of(request), **address)
            except TokenRefused as error:
                answer = refusal(error.code, str(error), 401)
                answer["WWW-Authenticate"] = 'Bearer realm="crapette"'
                return answer
            except BotsError as error:
                return refusal(
                    error.code, str(error), error.status, field=error.field, retry_after=error.retry_after
                )

        return call

    return decorate


def _first_error(form: forms.Form) -> JsonResponse:
    field, errors = next(iter(form.errors.get_json_data().items()))
    message = str(errors[0]["message"])
    if errors[0]["code"] == "required":
        message = f"Expected the field {field!r}, got none."
    code = str(errors[0]["code"] or "invalid")
    return refusal(code, message, BAD_FORM, field=field)


def _described(request: HttpRequest, version: Version) -> dict[str, Any]:
    report = selectors.check_report(version)
    status_path = reverse("bots-api:version", args=[version.bot.slug, version.number])
    return {
        "bot": version.bot.slug,
        "version": version.number,
        "sha256": version.sha256,
        "language": version.language,
        "entry": version.entry,
        "status": version.status,
        "active": version.bot.active_version_id == version.pk,
        "trials": [
            {"board": one.board, "verdict": one.verdict, "log": one.log} for one in selectors.trials(version)
        ],
        "benched": version.benched_because or None,
        "log": report.log if report else None,
        "evidence": selectors.evidence(report),
        "url": request.build_absolute_uri(version.get_absolute_url()),
        "status_url": request.build_absolute_uri(status_path),
    }


@with_token("GET", "POST")
def bots(request: HttpRequest, user: User) -> JsonResponse:
    """GET lists the user's bots; POST (``name``, ``file``, …) creates one with its first version."""
    if request.method == "GET":
        own = selectors.own_bots(user).select_related("active_version")
        return JsonResponse({"bots": [_bot(bot) for bot in own]})
    form = NewBotForm({"open_to_all": "on", **request.POST.dict()}, request.FILES)
    if not form.is_valid():
        return _first_error(form)
    data = form.cleaned_data
    version = services.submit_bot(
        user,
        name=data["name"],
        description=data["description"],
        open_to_all=data["open_to_all"],
        file=data["file"],
    )
    return JsonResponse(_described(request, version), status=201)


def _bot(bot: Bot) -> dict[str, Any]:
    active = bot.active_version
    return {
        "bot": bot.slug,
        "name": bot.name,
        "active_version": active.number if active else None,
        "withdrawn": bot.is_withdrawn,
    }


@with_token("GET", "POST")
def versions(request: HttpRequest, user: User, slug: str) -> JsonResponse:
    """GET lists the versions of the user's bot; POST (``file``, ``note``, …) uploads the next one."""
    bot = Bot.objects.select_related("owner", "active_version").filter(slug=slug, owner=user).first()
    if bot is None:
        return refusal("not-found", f"Expected a bot of yours, got {slug!r}.", 404)
    if request.method == "GET":
        numbers = bot.versions.order_by("-number").values("number", "status", "sha256")
        return JsonResponse({"bot": bot.slug, "versions": list(numbers[:100])})
    form = UploadForm({"activate_when_accepted": "on", **request.POST.dict()}, request.FILES)
    if not form.is_valid():
        return _first_error(form)
    data = form.cleaned_data
    version = services.submit_version(
        bot,
        file=data["file"],
        note=data["note"],
        activate_when_accepted=data["activate_when_accepted"],
    )
    return JsonResponse(_described(request, version), status=201)


@with_token("GET")
def version(request: HttpRequest, user: User, slug: str, number: int) -> JsonResponse:
    """Return the state of a version's check, with its log and evidence once it is over."""
    found = (
        Version.objects.select_related("bot").filter(bot__slug=slug, bot__owner=user, number=number).first()
    )
    if found is None:
        return refusal(
            "not-found", f"Expected a version of a bot of yours, got {slug!r} version {number}.", 404
        )
    return JsonResponse(_described(request, found))
