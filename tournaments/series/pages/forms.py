"""The form of a series and its rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tournaments.series.creation import MOST_EVENTS, RuleWish
from tournaments.series.models import LONGEST_DESCRIPTION, LONGEST_NAME, Season
from tournaments.series.pages.words import points_listed

if TYPE_CHECKING:
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
