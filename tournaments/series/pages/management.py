"""What organisers do with their series: make one, change it, its events and its seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from analysis.errors import CompetitionError
from arena.accounts.confirmation import needs_confirmed_address
from arena.web.http.refusals import form_status
from tournaments.series import closure, creation, events
from tournaments.series.errors import SeriesRefused
from tournaments.series.pages.forms import SeriesForm
from tournaments.series.pages.series import series_or_404
from tournaments.series.seasons import may_manage, seasons_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from tournaments.series.models import EventSeries


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


def _managed(request: HttpRequest, slug: str) -> EventSeries:
    series = series_or_404(slug)
    if not may_manage(series, request.user):
        raise PermissionDenied
    return series


@login_required
@needs_confirmed_address
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Ask for a series, and make it."""
    form = SeriesForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            made = creation.create(_user(request), data["name"], data["description"], form.rule)
        except SeriesRefused as error:
            _blame(form, error)
        else:
            messages.success(request, gettext("Your series is ready. Add its first event."))
            return redirect(made)
    return render(request, "series/form.html", {"form": form}, status=form_status(form))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the texts of a series and the rule of its open season."""
    series = _managed(request, slug)
    season = next((one for one in seasons_of([series])[series.pk] if one.is_open), None)
    form = SeriesForm(
        request.POST if request.method == "POST" else None, initial=SeriesForm.initial_of(series, season)
    )
    if season is None:
        form.without_rule()
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            with transaction.atomic():
                creation.change_texts(series, _user(request), data["name"], data["description"])
                if season is not None:
                    creation.change_rule(series, _user(request), form.rule)
        except SeriesRefused as error:
            _blame(form, error)
        else:
            messages.success(request, gettext("Your changes have been saved."))
            return redirect(series)
    return render(request, "series/form.html", {"form": form, "series": series}, status=form_status(form))


def _blame(form: SeriesForm, error: SeriesRefused) -> None:
    form.add_error(error.field if error.field in form.fields else None, str(error))


@login_required
@require_POST
def change(request: HttpRequest, slug: str, change: str) -> HttpResponse:
    """Change the events and seasons of a series as its organiser, or delete it.

    Whoever founded an event may take it out of anybody's.
    """
    series = series_or_404(slug) if change == "remove" else _managed(request, slug)
    try:
        done = _changed(series, change, request)
    except CompetitionError as error:
        messages.error(request, str(error))
        return redirect(series)
    messages.success(request, done)
    return redirect("series:list") if change == "delete" else redirect(series)


def _changed(series: EventSeries, change: str, request: HttpRequest) -> str:
    """Make a change; what was done, in a sentence. Raises SeriesRefused or Http404."""
    user, event = _user(request), request.POST.get("event", "")[:80]
    done = gettext("Your changes have been saved.")
    match change:
        case "add":
            events.add_event(series, user, event)
        case "remove":
            events.remove_event(series, user, event)
        case "up":
            events.move_event(series, user, event)
        case "close" | "end":
            number = request.POST.get("season", "")
            known = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 0
            closure.close_season(series, user, known, goes_on=change == "close")
            done = gettext("The season is closed. Its table stays as it is now.")
        case "open":
            closure.open_season(series, user)
            done = gettext("The next season is open.")
        case "delete":
            creation.delete(series, user)
            done = gettext("The series is deleted.")
        case _:
            raise Http404(f"expected a change of a series, got {change!r}")
    return done
