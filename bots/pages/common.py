"""Helpers shared by the views of bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.shortcuts import render

from analysis.errors import CompetitionError
from bots.errors import BotsError
from bots.models import Bot, Version

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpResponse

    from arena.accounts.models import User

Arguments = ParamSpec("Arguments")


class SignedInRequest(HttpRequest):
    """A request that passed ``login_required``."""

    user: User


def owned_bot(request: SignedInRequest, slug: str) -> Bot:
    """Return a bot that the user owns, perhaps with others. Any other is a 404, whether it exists or not."""
    own = Bot.objects.of(request.user).select_related("owner", "active_version")
    bot = own.filter(slug=slug).first()
    if bot is None:
        raise Http404(f"expected a bot of yours, got {slug!r}")
    return bot


def owned_version(request: SignedInRequest, slug: str, number: int) -> Version:
    """Return a version of the user's own bot; anything else is a 404."""
    bot = owned_bot(request, slug)
    version = (
        bot.versions.select_related("bot", "archive").defer("archive__data").filter(number=number).first()
    )
    if version is None:
        raise Http404(f"expected a version of {slug!r}, got {number}")
    return version


def attempt(
    request: HttpRequest,
    done: str,
    act: Callable[Arguments, object],
    *arguments: Arguments.args,
    **named: Arguments.kwargs,
) -> bool:
    """Do something, and whether it was done; the next page says `done`, or why it was refused."""
    try:
        act(*arguments, **named)
    except (BotsError, CompetitionError) as error:
        messages.error(request, str(error))
        return False
    messages.success(request, done)
    return True


def blame(form: forms.Form, error: BotsError) -> None:
    """Add a refusal to the field it is about, or to the form."""
    form.add_error(error.field if error.field in form.fields else None, str(error))


def refuse(request: HttpRequest, template: str, context: dict[str, Any], error: BotsError) -> HttpResponse:
    """Render the form of ``context`` again with the refusal, its status, and how long to wait."""
    blame(context["form"], error)
    answer = render(request, template, context, status=error.status)
    say_when(answer, error)
    return answer


def say_when(answer: HttpResponse, error: BotsError) -> None:
    """Set Retry-After, if waiting helps."""
    if error.retry_after is not None:
        answer["Retry-After"] = str(error.retry_after)
