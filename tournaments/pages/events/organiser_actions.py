"""What an organiser does besides: announcements, a new join key; and what everyone takes home."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from arena.web.cache.pages import everybody, shared_page
from bots.pages.common import attempt
from tournaments.events import announcements, registration
from tournaments.events.organiser_rights import may_manage
from tournaments.models import Announcement, Tournament
from tournaments.pages.events import exports

if TYPE_CHECKING:
    from django.http import HttpRequest

    from arena.accounts.models import User


def _managed(request: HttpRequest, slug: str) -> Tournament:
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_manage(tournament, request.user):
        raise PermissionDenied
    return tournament


@login_required
@require_POST
def announce(request: HttpRequest, slug: str) -> HttpResponse:
    """Post an announcement, by an organiser or staff."""
    tournament = _managed(request, slug)
    user, done = cast("User", request.user), gettext("Your announcement is on the page.")
    attempt(request, done, announcements.announce, tournament, user, request.POST.get("text", ""))
    return redirect(tournament)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take an announcement back, by an organiser or staff."""
    tournament = _managed(request, slug)
    found = get_object_or_404(Announcement, pk=number, tournament=tournament)
    announcements.withdraw(found, by=cast("User", request.user))
    messages.success(request, gettext("The announcement is gone."))
    return redirect(tournament)


@login_required
@require_POST
def renew_key(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace the join key, by an organiser or staff."""
    tournament = _managed(request, slug)
    done = gettext("The old key no longer works.")
    attempt(request, done, registration.renew_key, tournament, by=cast("User", request.user))
    return redirect(tournament)


@shared_page(seconds=60, among=everybody)
@require_safe
def calendar(request: HttpRequest, slug: str = "") -> HttpResponse:
    """The dates of an event, or of all that are to come, for a calendar."""
    events = [get_object_or_404(Tournament, slug=slug)] if slug else exports.coming()
    text = exports.calendar(events, request.build_absolute_uri("/"))
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


@shared_page(seconds=1, among=everybody)
@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings as a table for spreadsheets."""
    text = exports.standings_csv(get_object_or_404(Tournament, slug=slug))
    return HttpResponse(text, content_type="text/csv; charset=utf-8")
