"""The form that starts a person's game against a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from friendlies.services.starting import CLOCKS, PACES, NewFriendly, opponents, variants
from tournaments.forms.fields import VersionBase

if TYPE_CHECKING:
    from bots.models import Version
    from friendlies.services.people import Person


class OpponentField(VersionBase):
    """A version by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        return f"{version.bot.name} v{version.number}{' (house)' if version.bot.is_house else ' (yours)'}"


CLOCK_WORDS = {
    "none": "No clock",
    "5+5": "5 minutes, plus 5 seconds per turn",
    "10+10": "10 minutes, plus 10 seconds per turn",
    "20+20": "20 minutes, plus 20 seconds per turn",
}


PACE_WORDS = {
    "wait": "waits for me",
    "1": "1 second",
    "2": "2 seconds",
    "3": "3 seconds",
    "5": "5 seconds",
    "10": "10 seconds",
}


class NewFriendlyForm(forms.Form):
    """A game of a person against a bot."""

    variant = forms.ChoiceField(label="Game")
    version = OpponentField(queryset=None, label="Opponent", empty_label=None)
    seat = forms.ChoiceField(
        label="Your seat",
        choices=[("any", "Random"), ("0", "Seat 1"), ("1", "Seat 2")],
        help_text="The deal decides who starts.",
    )
    clock = forms.ChoiceField(
        label="Your clock",
        choices=[(name, CLOCK_WORDS[name]) for name in CLOCKS],
        required=False,
    )
    pace = forms.ChoiceField(
        label="Length of a tick",
        choices=[(name, PACE_WORDS[name]) for name in PACES],
        initial="5",
        help_text="You and the bot move at once. If you have not chosen by then, you wait. "
        "You can change this while you play.",
        required=False,
    )

    def __init__(self, player: Person, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = variants()
        self.fields["variant"].choices = [  # type: ignore[attr-defined]
            (name, variant.title) for name, variant in found.items()
        ]
        versions = opponents(player)
        self.fields["version"].queryset = versions  # type: ignore[attr-defined]
        if "version" not in self.initial:
            self.fields["version"].initial = versions.filter(bot__slug="greedy").first()

    def has_opponents(self) -> bool:
        """Whether there is any bot to play against."""
        known = self.initial.get("version") or self.fields["version"].initial
        return known is not None or self.fields["version"].queryset.exists()  # type: ignore[attr-defined]

    def asked(self) -> NewFriendly:
        """Return what a valid form requests."""
        data = self.cleaned_data
        seat = None if data["seat"] == "any" else int(data["seat"])
        clock, pace = data["clock"] or "none", data["pace"] or "5"
        return NewFriendly(data["variant"], data["version"].pk, seat, clock, pace)
