"""Forms of the competition: read at the edge, decided by the services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

import engine
from tournaments.services.creation import (
    BANK_MS,
    INCREMENT_MS,
    MOST_PAIRS,
    NAME_LENGTH,
    NewTournament,
    enterable,
)

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Version

    class _VersionsField(forms.ModelMultipleChoiceField[Version]): ...

else:
    _VersionsField = forms.ModelMultipleChoiceField


class EntrantsField(_VersionsField):
    """Versions by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        owner = "house" if version.bot.is_house else version.bot.owner or "no owner"
        return f"{version.bot.name} v{version.number} ({owner})"


def _seats() -> list[tuple[int, str]]:
    """Every number of seats that some variant allows, with those that do when not all allow it."""
    found: dict[int, list[str]] = {}
    for variant in engine.VARIANTS.values():
        for seats in variant.players:
            found.setdefault(seats, []).append(variant.title)
    everywhere = len(engine.VARIANTS)
    return [
        (seats, str(seats) if len(titles) == everywhere else f"{seats} ({', '.join(titles)} only)")
        for seats, titles in sorted(found.items())
    ]


class NewTournamentForm(forms.Form):
    """A round-robin between chosen bots."""

    name = forms.CharField(
        max_length=NAME_LENGTH, min_length=3, help_text="What people will see in the list."
    )
    variant = forms.ChoiceField(help_text="Which game is played; each has its page of rules.")
    players = forms.TypedChoiceField(
        label="Seats",
        coerce=int,
        required=False,
        empty_value=2,  # type: ignore[arg-type]  # the stubs know text only
        initial=2,
        help_text="How many play in one game. With three or four, every group of that many bots meets.",
    )
    versions = EntrantsField(
        queryset=None,
        label="Bots",
        widget=forms.CheckboxSelectMultiple,
        help_text="Two or more. House bots, your own, and those whose owners let everybody enter them.",
        error_messages={"required": "Expected two bots or more, none was chosen."},
    )
    pairs = forms.IntegerField(
        min_value=1,
        max_value=MOST_PAIRS,
        initial=10,
        label="Pairs of games",
        help_text="For every two bots. A pair is one deal played twice with seats swapped, so luck cancels.",
    )
    bank = forms.IntegerField(
        min_value=BANK_MS[0] // 1000,
        max_value=BANK_MS[1] // 1000,
        initial=60,
        label="Seconds on the clock",
        help_text="For each bot and game.",
    )
    increment = forms.IntegerField(
        min_value=INCREMENT_MS[0],
        max_value=INCREMENT_MS[1],
        initial=500,
        label="Milliseconds added",
        help_text="After each answer.",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        variants = [(name, variant.title) for name, variant in engine.VARIANTS.items()]
        self.fields["variant"].choices = variants  # type: ignore[attr-defined]
        self.fields["players"].choices = _seats()  # type: ignore[attr-defined]
        entrants = enterable(user).order_by("-bot__is_house", "bot__name", "-number")
        self.fields["versions"].queryset = entrants  # type: ignore[attr-defined]

    def asked(self) -> NewTournament:
        """What a valid form asks for."""
        data = self.cleaned_data
        return NewTournament(
            name=data["name"],
            versions=tuple(version.pk for version in data["versions"]),
            variant=data["variant"],
            players=data["players"],
            pairs_per_pairing=data["pairs"],
            bank_ms=data["bank"] * 1000,
            increment_ms=data["increment"],
        )
