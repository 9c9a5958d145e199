"""The page that creates a remote bot, and what its owners do on its own page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from arena.accounts.confirmation import needs_confirmed_address
from arena.web.http.refusals import form_status
from bots.errors import BotsError
from bots.remote.connections import play_again
from bots.remote.creation import create_remote_bot
from bots.upload_forms import NewRemoteBotForm

from .common import SignedInRequest, attempt, owned_bot, refuse

if TYPE_CHECKING:
    from django.http import HttpResponse


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def new_remote_bot(request: SignedInRequest) -> HttpResponse:
    """Create a remote bot from a name; its page then says how to connect."""
    if not settings.REMOTE:
        raise Http404("expected remote bots, which are switched off here")
    form = NewRemoteBotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            bot = create_remote_bot(request.user, form.details)
        except BotsError as error:
            return refuse(request, "bots/new_remote.html", {"form": form}, error)
        return redirect(bot)
    return render(request, "bots/new_remote.html", {"form": form}, status=form_status(form))


@login_required
@require_POST
def let_play_again(request: SignedInRequest, slug: str) -> HttpResponse:
    """Let one's own remote bot connect again that was set offline."""
    bot = owned_bot(request, slug)
    done = gettext("%(bot)s can connect again.") % {"bot": bot.name}
    attempt(request, done, play_again, bot, by=request.user)
    return redirect(bot)
