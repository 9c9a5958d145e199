"""Fields that several forms of the competition share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from arena.web.i18n.phrases import fill
from arena.web.i18n.time_zones import zone_now
from tournaments.services.creation import BANK_MS, INCREMENT_MS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from bots.models import Version

    class VersionsBase(forms.ModelMultipleChoiceField[Version]): ...

    class VersionBase(forms.ModelChoiceField[Version]): ...

else:
    VersionsBase = forms.ModelMultipleChoiceField
    VersionBase = forms.ModelChoiceField


def version_label(version: Version) -> str:
    """``Greedy v1 (house)``."""
    owner = gettext("house") if version.bot.is_house else version.bot.owner or gettext("no owner")
    return f"{version.bot.name} v{version.number} ({owner})"


class EntrantsField(VersionsBase):
    """Versions by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        return version_label(version)


class VersionField(VersionBase):
    """A version by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        return version_label(version)


def bank_field() -> forms.IntegerField:
    """The seconds that each bot has for a game."""
    return forms.IntegerField(
        min_value=BANK_MS[0] // 1000,
        max_value=BANK_MS[1] // 1000,
        initial=60,
        label=gettext_lazy("Time bank (seconds)"),
        help_text=gettext_lazy("CPU time for each bot in each game."),
    )


def increment_field() -> forms.IntegerField:
    """The milliseconds that each bot gains in the game."""
    return forms.IntegerField(
        min_value=INCREMENT_MS[0],
        max_value=INCREMENT_MS[1],
        initial=500,
        label=gettext_lazy("Increment (milliseconds)"),
        help_text=gettext_lazy("Added after each turn of a bot; in Crapette vitesse, after each tick."),
    )


def moment_field(label: StrOrPromise, help_text: StrOrPromise) -> forms.DateTimeField:
    """A moment in the reader's time zone that may be left open."""
    help_text = format_lazy(
        "{} {}", help_text, fill(gettext_lazy("Your time zone: %(zone)s."), zone=zone_now)
    )
    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(required=False, label=label, help_text=help_text, widget=widget)
