"""What organisers do with their series: make one, change it, its events and its seasons; with the forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from analysis.errors import CompetitionError
from arena.accounts.confirmation import needs_confirmed_address
from arena.web.http.refusals import form_status
from tournaments.series import closure, creation, events
from tournaments.series.creation import MOST_EVENTS, RuleWish
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import LONGEST_DESCRIPTION, LONGEST_NAME, Season
from tournaments.series.pages.seasons import points_listed
from tournaments.series.pages.series import series_or_404
from tournaments.series.seasons import may_manage, seasons_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from tournaments.series.models import EventSeries


class SeriesForm(forms.Form):
    """A series: what it is called, and how its season is scored."""

    name = forms.CharField(max_length=LONGEST_NAME, min_length=3, label=gettext_lazy("Name"))
    description = forms.CharField(
        max_length=LONGEST_DESCRIPTION,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label=gettext_lazy("Description"),
    )
    scheme = forms.ChoiceField(
        choices=Season.Scheme.choices,
        label=gettext_lazy("Points by place"),
        help_text=gettext_lazy(
            "Tied bots each get the average of the points for their places. Percentage scores suit "
            "round-robin and Swiss events. You cannot change the scoring after the first event has started."
        ),
    )
    listed = forms.CharField(
        max_length=200,
        required=False,
        label=gettext_lazy("Points for the first places"),
        help_text=gettext_lazy("For your own list: numbers from the first place on, such as 10, 6, 3, 1."),
    )
    best = forms.IntegerField(
        min_value=0,
        max_value=MOST_EVENTS,
        required=False,
        label=gettext_lazy("Results that count"),
        help_text=gettext_lazy(
            "Only this many of each bot’s best results count. Leave this empty to count all."
        ),
    )
    planned = forms.IntegerField(
        min_value=0,
        max_value=MOST_EVENTS,
        required=False,
        label=gettext_lazy("Planned events"),
        help_text=gettext_lazy(
            "If you give a number, the series page can tell when the leader can no longer be caught. You can "
            "change it later."
        ),
    )

    @classmethod
    def initial_of(cls, series: EventSeries, season: Season | None) -> dict[str, Any]:
        """What the form shows of a series; the rule is that of its open season."""
        texts = {"name": series.name, "description": series.description}
        if season is None:
            return texts
        return {
            **texts,
            "scheme": season.scheme,
            "listed": points_listed(season.listed),
            "best": season.best or None,
            "planned": season.planned or None,
        }

    def without_rule(self) -> None:
        """Ask for the texts alone, where no season is open."""
        for name in ("scheme", "listed", "best", "planned"):
            del self.fields[name]

    def clean_listed(self) -> list[float]:
        """Points separated by commas, semicolons or spaces."""
        words = self.cleaned_data["listed"].replace(",", " ").replace(";", " ").split()
        if not all(word.isascii() and word.isdecimal() and len(word) < 6 for word in words):
            raise forms.ValidationError(gettext("Write whole numbers with commas between them."))
        return [float(word) for word in words]

    @property
    def rule(self) -> RuleWish:
        """The rule that a valid form asks for."""
        data = self.cleaned_data
        listed = data["listed"] if data["scheme"] == Season.Scheme.LISTED else []
        return RuleWish(data["scheme"], listed, data["best"] or 0, data["planned"] or 0)


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
