"""Fields that several forms of the competition share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from arena.web.i18n.phrases import fill
from arena.web.i18n.readers import zone_now
from arena.web.variants import board_title
from bots.models import Bot
from tournaments.events.creation import BANK_MS, INCREMENT_MS
from tournaments.ratings.tallies import headline_ratings

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from bots.models import Version
    from tournaments.models import Rating

    class VersionsBase(forms.ModelMultipleChoiceField[Version]): ...

    class VersionBase(forms.ModelChoiceField[Version]): ...

else:
    VersionsBase = forms.ModelMultipleChoiceField
    VersionBase = forms.ModelChoiceField


def version_label(version: Version) -> str:
    """``Greedy v1 (house)``."""
    owner = gettext("house") if version.bot.is_house else version.bot.owner or gettext("no owner")
    return f"{version.bot.name} v{version.number} ({owner})"


class RatedLabels:
    """Labels of versions with the headline rating of their bots, if it is theirs."""

    queryset: Any

    @cached_property
    def _ratings(self) -> dict[int, Rating]:
        bots = Bot.objects.filter(pk__in=self.queryset.order_by().values("bot"))
        return {one.version_id: one for one in headline_ratings(list(bots)).values()}

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house), 1500 in Crapaud``."""
        label, rating = version_label(version), self._ratings.get(version.pk)
        if rating is None:
            return label
        words = gettext("%(version)s, %(elo)s in %(game)s")
        return words % {"version": label, "elo": f"{rating.elo:.0f}", "game": board_title(rating.variant)}


class EntrantsField(RatedLabels, VersionsBase):
    """Versions by the bot's name."""


class VersionField(RatedLabels, VersionBase):
    """A version by the bot's name."""


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
