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
from tournaments.services.friendly.starting import CLOCKS, NewFriendly, opponents
from tournaments.services.friendly.starting import variants as friendly_variants

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Version
    from tournaments.services.friendly.starting import Player

    class _VersionsField(forms.ModelMultipleChoiceField[Version]): ...

    class _VersionField(forms.ModelChoiceField[Version]): ...

else:
    _VersionsField = forms.ModelMultipleChoiceField
    _VersionField = forms.ModelChoiceField


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


class OpponentField(_VersionField):
    """A version by the bot's name."""

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        return f"{version.bot.name} v{version.number}{' (house)' if version.bot.is_house else ' (yours)'}"


CLOCK_WORDS = {
    "none": "No clock",
    "5+5": "5 minutes and 5 seconds a turn",
    "10+10": "10 minutes and 10 seconds a turn",
    "20+20": "20 minutes and 20 seconds a turn",
}


class NewFriendlyForm(forms.Form):
    """A game of a person against a bot."""

    variant = forms.ChoiceField(label="Game")
    version = OpponentField(queryset=None, label="Opponent", empty_label=None)
    seat = forms.ChoiceField(
        label="Your seat",
        choices=[("any", "By lot"), ("0", "First seat"), ("1", "Second seat")],
        help_text="Who begins follows from the cards.",
    )
    clock = forms.ChoiceField(label="Your clock", choices=[(name, CLOCK_WORDS[name]) for name in CLOCKS])

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = friendly_variants()
        self.fields["variant"].choices = [  # type: ignore[attr-defined]
            (name, variant.title) for name, variant in found.items()
        ]
        versions = opponents(player)
        self.fields["version"].queryset = versions  # type: ignore[attr-defined]
        self.fields["version"].initial = versions.filter(bot__slug="greedy").first()

    def asked(self) -> NewFriendly:
        """What a valid form asks for."""
        data = self.cleaned_data
        seat = None if data["seat"] == "any" else int(data["seat"])
        return NewFriendly(data["variant"], data["version"].pk, seat, data["clock"])
