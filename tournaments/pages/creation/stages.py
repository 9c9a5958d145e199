"""The fields of a form that say how groups lead to a knock-out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy

from analysis.formats.groups import ADVANCING, MOST_GROUPS
from tournaments.models import Tournament
from tournaments.pairing.groups import MOST_KNOCKOUT_PAIRS, with_groups

if TYPE_CHECKING:
    from tournaments.events.creation import NewTournament

USUALLY = 2
"""How many of each group advance unless the organiser chooses."""


class StageFields(forms.Form):
    """How many groups there are, who advances, and how long the matches of the knock-out are."""

    groups = forms.IntegerField(
        min_value=1,
        max_value=MOST_GROUPS,
        required=False,
        label=gettext_lazy("Groups"),
        help_text=gettext_lazy(
            "The best-rated bots go to different groups. Leave this empty for groups of about four bots."
        ),
    )
    advance = forms.TypedChoiceField(
        choices=[(one, str(one)) for one in ADVANCING],
        coerce=int,
        required=False,
        empty_value=USUALLY,  # type: ignore[arg-type]  # the stubs know text only
        initial=USUALLY,
        label=gettext_lazy("Advance from each group"),
        help_text=gettext_lazy(
            "This many bots from each group play in the knock-out. Each group needs at least one more bot "
            "than that."
        ),
    )
    knockout_pairs = forms.IntegerField(
        min_value=1,
        max_value=MOST_KNOCKOUT_PAIRS,
        required=False,
        label=gettext_lazy("Knock-out: pairs per match"),
        help_text=gettext_lazy(
            "Leave this empty to play as many as in the groups. A match to points or deals is the same "
            "in both."
        ),
    )

    def with_stages(self, wish: NewTournament) -> NewTournament:
        """The same with the groups that a valid form asks for, if that is its format."""
        if wish.format != Tournament.Format.GROUPS:
            return wish
        data = self.cleaned_data
        return with_groups(
            wish, data.get("groups") or 0, data.get("advance") or USUALLY, data.get("knockout_pairs") or 0
        )
