"""The form that changes an event before it starts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.utils.translation import gettext_lazy

from arena.web import names
from tournaments.events.edits import EventDetails
from tournaments.models import Tournament
from tournaments.pages.creation.event_form import NewTournamentForm
from tournaments.pages.creation.fields import moment_field

if TYPE_CHECKING:
    from collections.abc import Mapping

COLUMNS: Final[Mapping[str, str]] = {
    "name": "name",
    "description": "description",
    "closes": "registration_until",
    "starts": "starts_at",
    "rounds": "rounds",
    "pairs": "pairs_per_pairing",
    "bank": "bank_ms",
    "increment": "increment_ms",
}
"""The columns of the fields."""


class EditTournamentForm(forms.Form):
    """Texts, times and lengths of an event that has not started."""

    name = NewTournamentForm.base_fields["name"]
    description = NewTournamentForm.base_fields["description"]
    closes = moment_field(
        gettext_lazy("Registration closes"),
        gettext_lazy("Until then, everyone can enter their own bots and take them out."),
    )
    starts = NewTournamentForm.base_fields["starts"]
    rounds = NewTournamentForm.base_fields["rounds"]
    pairs = NewTournamentForm.base_fields["pairs"]
    bank = NewTournamentForm.base_fields["bank"]
    increment = NewTournamentForm.base_fields["increment"]

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._before = before = EventDetails.of(tournament)
        if tournament.format != Tournament.Format.SWISS:
            del self.fields["rounds"]
        if tournament.match_rule is not None:
            del self.fields["pairs"]  # it follows from how long a match is
        self.initial = {field: getattr(before, column) for field, column in COLUMNS.items()}
        times = {"closes": before.registration_until, "starts": before.starts_at}
        self.initial |= {
            name: moment and moment.replace(second=0, microsecond=0) for name, moment in times.items()
        }
        self.initial |= {"bank": before.bank_ms // 1000, "rounds": before.rounds or None}

    def clean_name(self) -> str:
        """Refuse a name with something in it that nobody sees, unless it is the old one."""
        name: str = self.cleaned_data["name"]
        sentence = names.hidden_flaw(name) if name != self._before.name else ""
        if sentence:
            raise forms.ValidationError(sentence)
        return name

    @property
    def details(self) -> EventDetails:
        """What a valid form asks for. A time that shows as before is as before, to the second."""
        data = self.cleaned_data
        new = {COLUMNS[name]: data[name] for name in data if name in self.changed_data}
        if "bank_ms" in new:
            new["bank_ms"] *= 1000
        if "rounds" in new:
            new["rounds"] = new["rounds"] or 0
        return replace(self._before, **new)
