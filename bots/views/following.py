"""Following a bot, and no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arena.web.csrf import page_before
from bots import services
from bots.models import Bot

from .common import SignedInRequest, attempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse

    from arena.accounts.models import User


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: SignedInRequest, slug: str) -> HttpResponse:
    """Follow a bot. Whoever had to sign in first comes back to its page."""
    return _do(request, slug, gettext("You follow %(bot)s now."), services.follow)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unfollow(request: SignedInRequest, slug: str) -> HttpResponse:
    """Follow a bot no longer."""
    return _do(request, slug, gettext("You no longer follow %(bot)s."), services.unfollow)


def _do(request: SignedInRequest, slug: str, done: str, act: Callable[[User, Bot], object]) -> HttpResponse:
    bot = get_object_or_404(Bot, slug=slug)
    if request.method != "POST":
        return redirect(bot)
    attempt(request, done % {"bot": bot.name}, act, request.user, bot)
    return redirect(page_before(request))
