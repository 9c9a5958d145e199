"""What the views of bots share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest

from bots.models import Bot, Version

if TYPE_CHECKING:
    from django import forms

    from arena.accounts.models import User
    from bots.errors import BotsError


class SignedInRequest(HttpRequest):
    """A request that passed ``login_required``."""

    user: User


def owned_bot(request: SignedInRequest, slug: str) -> Bot:
    """The user's own bot; anybody else's is not found, whether it exists or not."""
    bot = Bot.objects.select_related("owner", "active_version").filter(slug=slug, owner=request.user).first()
    if bot is None:
        raise Http404(f"expected a bot of yours, got {slug!r}")
    return bot


def owned_version(request: SignedInRequest, slug: str, number: int) -> Version:
    """A version of the user's own bot; anything else is not found."""
    bot = owned_bot(request, slug)
    version = bot.versions.select_related("bot", "archive").filter(number=number).first()
    if version is None:
        raise Http404(f"expected a version of {slug!r}, got {number}")
    return version


def blame(form: forms.Form, error: BotsError) -> None:
    """Show a refusal beside the field it is about, or on top of the form."""
    form.add_error(error.field if error.field in form.fields else None, str(error))
