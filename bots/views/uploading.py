"""Sending in a bot: the first version with a new bot, and further ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from arena.accounts.confirmation import needs_confirmed_address
from arena.web.refusals import form_status
from bots import services
from bots.errors import BotsError
from bots.forms import NewBotForm, UploadForm

from .common import SignedInRequest, owned_bot, refuse

if TYPE_CHECKING:
    from django.http import HttpResponse


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: SignedInRequest) -> HttpResponse:
    """Create a bot from a name and a file."""
    form = NewBotForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            version = services.submit_bot(request.user, form.details, form.submission)
        except BotsError as error:
            return refuse(request, "bots/new.html", {"form": form}, error)
        return redirect(version)
    return render(request, "bots/new.html", {"form": form}, status=form_status(form))


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def upload_version(request: SignedInRequest, slug: str) -> HttpResponse:
    """Add a version to one's own bot."""
    bot = owned_bot(request, slug)
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            version = services.submit_version(bot, form.submission, by=request.user)
        except BotsError as error:
            return refuse(request, "bots/upload.html", {"form": form, "bot": bot}, error)
        return redirect(version)
    return render(request, "bots/upload.html", {"form": form, "bot": bot}, status=form_status(form))
