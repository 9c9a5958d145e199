"""Following a bot, and no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from arena.common.origins import page_before
from bots import services
from bots.errors import BotsError
from bots.models import Bot

if TYPE_CHECKING:
    from django.http import HttpResponse

    from .common import SignedInRequest


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: SignedInRequest, slug: str) -> HttpResponse:
    """Follow a bot. Whoever had to sign in first comes back to its page."""
    bot = get_object_or_404(Bot, slug=slug)
    if request.method != "POST":
        return redirect(bot)
    try:
        services.follow(request.user, bot)
    except BotsError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, gettext("You follow %(bot)s now.") % {"bot": bot.name})
    return redirect(page_before(request))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unfollow(request: SignedInRequest, slug: str) -> HttpResponse:
    """Follow a bot no longer."""
    bot = get_object_or_404(Bot, slug=slug)
    if request.method != "POST":
        return redirect(bot)
    services.unfollow(request.user, bot)
    messages.success(request, gettext("You no longer follow %(bot)s.") % {"bot": bot.name})
    return redirect(page_before(request))
