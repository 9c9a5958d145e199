"""The fields of a form that say what an event hides, and until when."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tournaments.models import HiddenResults
from tournaments.models.embargo import EVERY_ROUND
from tournaments.pages.creation.fields import moment_field
from tournaments.pairing.embargo import MOST_ROUNDS, Hiding

HIDE = {
    "": gettext_lazy("Nothing: results appear as they come"),
    "rounds": gettext_lazy("The last rounds"),
    "time": gettext_lazy("Everything from a set time"),
    "all": gettext_lazy("Everything"),
}
"""What may be hidden."""


class HidingFields(forms.Form):
    """What is hidden, from when, until when, and whether the organiser sees it."""

    hide = forms.ChoiceField(
        choices=list(HIDE.items()),
        required=False,
        label=gettext_lazy("Hide results"),
        help_text=gettext_lazy(
            "Nobody sees who plays a hidden game, how it goes or how it ends. Not even the bots’ owners do, "
            "because the winner’s owner might tell others. In a rated event, hidden games count for the "
            "ratings once they are revealed."
        ),
    )
    hide_rounds = forms.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        initial=1,
        label=gettext_lazy("Rounds to hide"),
    )
    hide_from = moment_field(
        gettext_lazy("Hide from"),
        gettext_lazy("Bots that have started playing each other by then continue in public."),
    )
    reveal = forms.ChoiceField(
        choices=HiddenResults.Ending.choices,
        required=False,
        label=gettext_lazy("Reveal"),
        help_text=gettext_lazy(
            "You can always reveal everything early, or place by place once all games are played. After "
            "30 days, results are revealed in any case."
        ),
    )
    reveal_at = moment_field(gettext_lazy("Reveal at"), "")
    organiser_sees = forms.BooleanField(
        required=False,
        label=gettext_lazy("Show me the hidden table"),
        help_text=gettext_lazy("On a page for organisers only. The event’s page says that you can see it."),
    )

    def clean_hiding(self, data: dict[str, Any]) -> None:
        """What is hidden, and until when; what does not belong to the choice is ignored."""
        needed = {
            "rounds": ("hide_rounds", gettext("Enter how many rounds are hidden.")),
            "time": ("hide_from", gettext("Choose from when results are hidden.")),
        }.get(data.get("hide", ""))
        if needed and not data.get(needed[0]) and needed[0] not in self.errors:
            self.add_error(*needed)
        at_a_time = data.get("hide") and data.get("reveal") == HiddenResults.Ending.TIME
        if at_a_time and not data.get("reveal_at") and "reveal_at" not in self.errors:
            self.add_error("reveal_at", gettext("Choose when the results are revealed."))

    def hiding(self) -> Hiding | None:
        """What a valid form hides."""
        data = self.cleaned_data
        kind, ending = data.get("hide"), data.get("reveal") or HiddenResults.Ending.HAND
        if not kind:
            return None
        rounds = {"all": EVERY_ROUND, "rounds": data.get("hide_rounds") or 0}
        return Hiding(
            last_rounds=rounds.get(kind, 0),
            since=data.get("hide_from") if kind == "time" else None,
            ending=ending,
            reveal_at=data.get("reveal_at") if ending == HiddenResults.Ending.TIME else None,
            organiser_sees=bool(data.get("organiser_sees")),
        )
