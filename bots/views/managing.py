"""An owner's pages for a bot: edit, withdraw and restore it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from arena.web.refusals import form_status
from bots import services
from bots.errors import BotsError
from bots.forms import BotDetailsForm

from .common import SignedInRequest, attempt, blame, owned_bot

if TYPE_CHECKING:
    from django.http import HttpResponse


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_bot(request: SignedInRequest, slug: str) -> HttpResponse:
    """Rename and describe one's own bot."""
    bot = owned_bot(request, slug)
    form = BotDetailsForm(request.POST or None, initial=asdict(services.BotDetails.of(bot)))
    if request.method == "POST" and form.is_valid():
        try:
            services.edit_bot(bot, form.details, by=request.user)
        except BotsError as error:
            blame(form, error)
        else:
            messages.success(request, gettext("Your changes have been saved."))
            return redirect(bot)
    return render(request, "bots/edit.html", {"form": form, "bot": bot}, status=form_status(form))


@login_required
@require_POST
def withdraw(request: SignedInRequest, slug: str) -> HttpResponse:
    """Withdraw one's own bot."""
    bot = owned_bot(request, slug)
    done = gettext("%(bot)s is withdrawn. It can no longer enter tournaments.") % {"bot": bot.name}
    attempt(request, done, services.withdraw_bot, bot, by=request.user)
    return redirect(bot)


@login_required
@require_POST
def restore(request: SignedInRequest, slug: str) -> HttpResponse:
    """Restore one's own withdrawn bot."""
    bot = owned_bot(request, slug)
    done = gettext("%(bot)s is restored. It can enter tournaments again.") % {"bot": bot.name}
    attempt(request, done, services.restore_bot, bot, by=request.user)
    return redirect(bot)
