"""Forms of challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import F, Q
from django.utils.translation import gettext_lazy, pgettext_lazy

from arena.web.variants import CHOICES
from bots.models import Version
from tournaments.challenges.models import Terms
from tournaments.challenges.requests import Wish
from tournaments.challenges.selectors import challengeable, challengers
from tournaments.challenges.terms import MOST_PER_DAY
from tournaments.events.creation import MOST_PAIRS
from tournaments.pages.creation.fields import VersionField, bank_field, increment_field

if TYPE_CHECKING:
    from arena.accounts.models import User


class ChallengeForm(forms.Form):
    """One of your versions, one of somebody else's, and what they play."""

    mine = VersionField(queryset=None, label=gettext_lazy("Your bot"), empty_label=None)
    theirs = VersionField(
        queryset=None,
        label=gettext_lazy("Against"),
        empty_label=None,
        help_text=gettext_lazy("House bots accept at once, as do other bots if their owners allow it."),
    )
    variant = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"))
    pairs = forms.IntegerField(
        min_value=1,
        max_value=MOST_PAIRS,
        initial=10,
        label=gettext_lazy("Pairs of games"),
        help_text=gettext_lazy(
            "A pair is one deal played twice with seats swapped, so that much of the luck cancels out."
        ),
    )
    bank = bank_field()
    increment = increment_field()

    def __init__(self, user: User, *args: Any, bot: str = "", version: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["variant"].choices = CHOICES  # type: ignore[attr-defined]
        own = challengers(user)
        named = (
            Q(bot__slug=bot, number=int(version))
            if bot and version.isdecimal() and len(version) < 10
            else Q(pk=None)
        )
        chosen = str(self.data.get("theirs", ""))
        sent = Q(pk=int(chosen)) if chosen.isdecimal() and len(chosen) < 19 else Q(pk=None)
        found = challengeable(user)
        shown = found.filter(Q(pk__in=Version.objects.active()) | named | sent)
        self.fields["mine"].queryset = own  # type: ignore[attr-defined]
        self.fields["theirs"].queryset = shown  # type: ignore[attr-defined]
        if bot:
            # Of several that play, the one on most boards.
            most = shown.filter(bot__slug=bot, bot__active_version=F("pk"))
            wanted = shown.filter(named).first() or most.first() or shown.filter(bot__slug=bot).first()
            self.initial["theirs"] = wanted.pk if wanted else None
        active = own.filter(bot__active_version=F("pk")).first()
        self.initial["mine"] = active.pk if active else None

    @property
    def wish(self) -> Wish:
        """What a valid form asks for."""
        data = self.cleaned_data
        return Wish(
            mine=data["mine"].pk,
            theirs=data["theirs"].pk,
            variant=data["variant"],
            pairs=data["pairs"],
            bank_ms=data["bank"] * 1000,
            increment_ms=data["increment"],
        )


class TermsForm(forms.Form):
    """How a bot takes challenges."""

    takes = forms.ChoiceField(choices=Terms.Takes.choices, label=gettext_lazy("Challenges"))
    per_day = forms.IntegerField(
        min_value=1,
        max_value=MOST_PER_DAY,
        initial=5,
        label=gettext_lazy("At most, per day"),
        help_text=gettext_lazy("Only if it accepts challenges by itself. Beyond this number, you are asked."),
    )


class BlockForm(forms.Form):
    """Somebody who shall challenge the user no more."""

    user = forms.CharField(max_length=150, label=gettext_lazy("User name"))
