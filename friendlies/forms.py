"""The form that starts a person's game against a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from arena.web.variants import variant_title
from bots.house import LEVELS
from friendlies.services.new_games import CLOCKS, PACES, NewFriendly, levels, opponents, variants
from tournaments.forms.fields import VersionBase

if TYPE_CHECKING:
    from bots.models import Version
    from friendlies.services.people import Person


class OpponentSelect(forms.Select):
    """A list of versions that marks those with levels: the page asks for a level with these alone."""

    def create_option(self, name: str, value: Any, *args: Any, **more: Any) -> dict[str, Any]:
        """The option of a version."""
        option = super().create_option(name, value, *args, **more)
        if levels(value.instance):
            option["attrs"]["data-levels"] = True
        return option


class OpponentField(VersionBase):
    """A version by the bot's name."""

    widget = OpponentSelect

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        values = {"bot": version.bot.name, "number": version.number}
        if version.bot.is_house:
            return gettext("%(bot)s v%(number)s (house)") % values
        return gettext("%(bot)s v%(number)s (yours)") % values


CLOCK_WORDS = {
    "none": gettext_lazy("No clock"),
    "5+5": gettext_lazy("5 minutes, plus 5 seconds per turn"),
    "10+10": gettext_lazy("10 minutes, plus 10 seconds per turn"),
    "20+20": gettext_lazy("20 minutes, plus 20 seconds per turn"),
}


PACE_WORDS = {
    "wait": gettext_lazy("waits for me"),
    "1": gettext_lazy("1 second"),
    "2": gettext_lazy("2 seconds"),
    "3": gettext_lazy("3 seconds"),
    "5": gettext_lazy("5 seconds"),
    "10": gettext_lazy("10 seconds"),
}


def level_words() -> list[tuple[int, str]]:
    """The levels with their ratings in words."""
    full = len(LEVELS)
    below = [
        (level, gettext("%(level)s, about %(rating)s") % {"level": level, "rating": rating})
        for level, rating in enumerate(LEVELS[:-1], start=1)
    ]
    return [*below, (full, gettext("%(level)s, full strength") % {"level": full})]


class NewFriendlyForm(forms.Form):
    """A game of a person against a bot."""

    variant = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"), widget=forms.RadioSelect)
    version = OpponentField(queryset=None, label=gettext_lazy("Opponent"), empty_label=None)
    level = forms.TypedChoiceField(
        label=gettext_lazy("Level"),
        choices=level_words,
        coerce=int,
        empty_value=None,
        initial=len(LEVELS),
        help_text=gettext_lazy(
            "With its approximate rating, on the bots’ scale. Only games at full strength can be rated."
        ),
        required=False,
    )
    seat = forms.ChoiceField(
        label=gettext_lazy("Your seat"),
        choices=[
            ("any", gettext_lazy("Random")),
            ("0", gettext_lazy("Seat 1")),
            ("1", gettext_lazy("Seat 2")),
        ],
        help_text=gettext_lazy("The deal decides who starts."),
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("Your clock"),
        choices=[(name, CLOCK_WORDS[name]) for name in CLOCKS],
        required=False,
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("Length of a tick"),
        choices=[(name, PACE_WORDS[name]) for name in PACES],
        initial="5",
        help_text=gettext_lazy(
            "You and the bot move at once. If you have not chosen by then, you wait. "
            "You can change this while you play."
        ),
        required=False,
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        help_text=gettext_lazy(
            "Counts for your rating on the bots’ scale, even if you leave. No hints, no undo; only against "
            "house bots, one game at a time."
        ),
        required=False,
    )

    def __init__(self, player: Person, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = variants()
        self.fields["variant"].choices = [  # type: ignore[attr-defined]
            (name, variant_title(name)) for name in found
        ]
        if player.user is None:
            del self.fields["rated"]
        # One is always chosen, as in a list: most people want to play, not to choose.
        if self.initial.get("variant") not in found:
            self.initial["variant"] = next(iter(found))
        versions = opponents(player)
        self.fields["version"].queryset = versions  # type: ignore[attr-defined]
        if "version" not in self.initial:
            self.fields["version"].initial = versions.filter(bot__slug="greedy").first()

    def has_opponents(self) -> bool:
        """Whether there is any bot to play against."""
        known = self.initial.get("version") or self.fields["version"].initial
        return known is not None or self.fields["version"].queryset.exists()  # type: ignore[attr-defined]

    def to_request(self) -> NewFriendly:
        """Return what a valid form requests."""
        data = self.cleaned_data
        seat = None if data["seat"] == "any" else int(data["seat"])
        clock, pace = data["clock"] or "none", data["pace"] or "5"
        # A level that was chosen before another bot was is hidden, and means nothing to that bot.
        level = data["level"] if levels(data["version"]) else None
        rated = data.get("rated", False)
        return NewFriendly(data["variant"], data["version"].pk, seat, clock, pace, rated=rated, level=level)
