"""The form that creates a tournament, with its groups and what it hides."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

import engine
from analysis.formats.groups import ADVANCING, MOST_GROUPS
from analysis.formats.matches import DEALS, POINTS, targets
from arena.web import names, variants
from tournaments.events.creation import (
    FORMATS,
    MOST_CYCLES,
    MOST_PAIRS,
    NAME_LENGTH,
    REGISTRATION,
    UNTIL,
    NewTournament,
    enterable,
)
from tournaments.models import HiddenResults, Tournament
from tournaments.models.embargo import EVERY_ROUND
from tournaments.pages.creation.fields import (
    EntrantsField,
    VersionField,
    bank_field,
    increment_field,
    moment_field,
)
from tournaments.pairing.embargo import MOST_ROUNDS, Hiding
from tournaments.pairing.groups import MOST_KNOCKOUT_PAIRS, with_groups
from tournaments.pairing.matches import with_match
from tournaments.ratings.tallies import by_rating
from tournaments.series import events as series_events

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User

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


def _seats() -> list[tuple[int, str]]:
    """Every number of seats that some variant allows, with those that do when not all allow it."""
    found: dict[int, list[str]] = {}
    for variant in engine.VARIANTS.values():
        for seats in variant.players:
            found.setdefault(seats, []).append(variants.variant_title(variant.name))
    everywhere = len(engine.VARIANTS)
    return [
        (
            seats,
            str(seats)
            if len(titles) == everywhere
            else gettext("%(seats)s (%(games)s only)") % {"seats": seats, "games": ", ".join(titles)},
        )
        for seats, titles in sorted(found.items())
    ]


PARTS: tuple[tuple[StrOrPromise, tuple[str, ...]], ...] = (
    (gettext_lazy("What is played"), ("name", "description", "series", "variant", "players")),
    (
        gettext_lazy("Who and when"),
        ("versions", "registration", "closes", "invited", "admits_remote", "starts", "unrated"),
    ),
    (gettext_lazy("How"), ("format", "challenger", "groups", "advance", "cycles", "rounds")),
    (gettext_lazy("How long"), ("pairs", "knockout_pairs", "match", "target", "bank", "increment")),
    (
        gettext_lazy("Hidden results"),
        ("hide", "hide_rounds", "hide_from", "reveal", "reveal_at", "organiser_sees"),
    ),
)
"""The fields in the order in which somebody decides them."""
ONLY_FOR = {
    "challenger": "gauntlet",
    "cycles": "cycles",
    "rounds": "swiss",
    "groups": "groups",
    "advance": "groups",
    "knockout_pairs": "groups",
    "target": "match",
    "closes": "until",
    "invited": "open",
    "hide_rounds": "rounds-hidden",
    "hide_from": "time-hidden",
    "reveal": "hidden",
    "reveal_at": "reveal-time",
    "organiser_sees": "hidden",
}
"""What a field needs to mean anything; without it the page hides it, and what it says is ignored."""


@dataclass(frozen=True, slots=True)
class FormPart:
    """Fields under one title, each with what it needs to mean anything."""

    title: StrOrPromise
    fields: list[tuple[forms.BoundField, str]]
    folded: bool


class NewTournamentForm(StageFields, HidingFields):
    """A tournament of any format between chosen bots."""

    name = forms.CharField(
        max_length=NAME_LENGTH,
        min_length=3,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("As it will appear in the list."),
    )
    description = forms.CharField(
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        label=gettext_lazy("Description"),
    )
    series = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Series"),
        help_text=gettext_lazy("The event will count in this series. You can remove it until it starts."),
    )
    variant = forms.ChoiceField(
        label=pgettext_lazy("kind of game", "Game"), help_text=gettext_lazy("Each game has a page of rules.")
    )
    format = forms.ChoiceField(
        choices=[(one.value, one.label) for one in FORMATS],
        required=False,
        label=gettext_lazy("Format"),
        help_text=gettext_lazy(
            "Round-robin: every bot plays every other. Swiss: bots with equal scores meet. "
            "Elimination: one loss (or two) and you are out. Groups, then knock-out: the best of each small "
            "round-robin play for the title. Gauntlet: one bot plays all the others."
        ),
    )
    players = forms.TypedChoiceField(
        label=gettext_lazy("Seats"),
        coerce=int,
        required=False,
        empty_value=2,  # type: ignore[arg-type]  # the stubs know text only
        initial=2,
        help_text=gettext_lazy("Players per game. With three or four, every group of that many bots meets."),
    )
    versions = EntrantsField(
        queryset=None,
        required=False,
        label=gettext_lazy("Bots"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy(
            "House bots, your own bots, and bots whose owners let everyone enter them. Swiss, elimination "
            "and group tournaments seed them by rating."
        ),
    )
    challenger = VersionField(
        queryset=None,
        required=False,
        label=gettext_lazy("Challenger"),
        empty_label=pgettext_lazy("no bot", "none"),
        help_text=gettext_lazy("For a gauntlet: the bot that plays all the others."),
    )
    cycles = forms.IntegerField(
        min_value=1,
        max_value=MOST_CYCLES,
        initial=1,
        required=False,
        label=gettext_lazy("Cycles"),
        help_text=gettext_lazy(
            "For a round-robin, groups or a gauntlet: how often opponents meet, each time on new deals."
        ),
    )
    rounds = forms.IntegerField(
        min_value=1,
        required=False,
        label=gettext_lazy("Rounds"),
        help_text=gettext_lazy(
            "For a Swiss tournament. Leave this empty to play enough rounds to find one winner."
        ),
    )
    pairs = forms.IntegerField(
        min_value=1,
        max_value=MOST_PAIRS,
        initial=10,
        label=gettext_lazy("Pairs of games"),
        help_text=gettext_lazy(
            "For every two bots that meet, unless they play a match. A pair is one deal played twice "
            "with seats swapped, so that much of the luck cancels out."
        ),
    )
    match = forms.ChoiceField(
        choices=[
            ("", gettext_lazy("Fixed: the number of pairs above")),
            (POINTS, gettext_lazy("Match to a number of points")),
            (DEALS, gettext_lazy("Match of a number of deals")),
        ],
        required=False,
        label=gettext_lazy("Match length"),
        help_text=gettext_lazy(
            "In a match, bots play pair after pair and add up the points of all games. It counts as "
            "one game in the standings. Only for games that are scored in points."
        ),
    )
    target = forms.IntegerField(
        min_value=1,
        required=False,
        label=gettext_lazy("Points or deals"),
        help_text=gettext_lazy(
            "For a match. Russian Bank goes to 300 points and Crapette vitesse to 250, 500 or 1000. "
            "Otherwise you choose."
        ),
    )
    bank = bank_field()
    increment = increment_field()
    registration = forms.TypedChoiceField(
        choices=list(REGISTRATION.items()),
        label=gettext_lazy("Registration"),
        coerce=int,
        required=False,
        empty_value=0,  # type: ignore[arg-type]
        initial=0,
        help_text=gettext_lazy(
            "While registration is open, everyone can enter their own bots and take them out. After "
            "that nothing changes, and the event starts by itself."
        ),
    )
    closes = moment_field(gettext_lazy("Registration closes"), "")
    starts = moment_field(
        gettext_lazy("Start"),
        gettext_lazy("Leave this empty to start as soon as registration closes, or at once if it is closed."),
    )
    invited = forms.BooleanField(
        required=False,
        label=gettext_lazy("Only with a join key"),
        help_text=gettext_lazy(
            "Everyone can watch, but only those to whom you give the key can enter. You find it on the "
            "event’s page, and can replace it there."
        ),
    )
    admits_remote = forms.BooleanField(
        required=False,
        label=gettext_lazy("Admit remote bots"),
        help_text=gettext_lazy(
            "An open event: programs that run on their authors’ own machines may enter. They may remember "
            "games and may be people, so each game has a deal of its own, and nothing is rated."
        ),
    )
    unrated = forms.BooleanField(
        required=False,
        label=gettext_lazy("Keep it out of the ratings"),
        help_text=gettext_lazy("For friendly tournaments and experiments."),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not user.is_staff:
            del self.fields["unrated"]  # nothing else is rated anyway
        if not settings.REMOTE:
            del self.fields["admits_remote"]
        offered = series_events.choices(user)
        if offered:
            none = pgettext_lazy("no series", "none")
            self.fields["series"].choices = [("", none), *offered]  # type: ignore[attr-defined]
        else:
            del self.fields["series"]
        self.fields["variant"].choices = variants.CHOICES  # type: ignore[attr-defined]
        self.fields["players"].choices = _seats()  # type: ignore[attr-defined]
        entrants = enterable(user, remote=True).order_by("-bot__is_house", "bot__name", "-number")
        self.fields["versions"].queryset = entrants  # type: ignore[attr-defined]
        self.fields["challenger"].queryset = entrants  # type: ignore[attr-defined]

    def parts(self, *, folded: bool) -> list[FormPart]:
        """The fields in groups. With a preset all that it settles is `folded`, else only what few need."""
        first = 2 if folded else len(PARTS) - 1
        return [
            FormPart(
                title,
                [(self[name], ONLY_FOR.get(name, "")) for name in names if name in self.fields],
                folded=place >= first and not self.errors.keys() & set(names),
            )
            for place, (title, names) in enumerate(PARTS)
        ]

    def clean_name(self) -> str:
        """Refuse a name with something in it that nobody sees."""
        name: str = self.cleaned_data["name"]
        sentence = names.hidden_flaw(name)
        if sentence:
            raise forms.ValidationError(sentence)
        return name

    def clean(self) -> dict[str, Any]:
        """Check what must fit together: enough bots, and a challenger for a gauntlet only."""
        data = self.cleaned_data
        if not data.get("versions") and not data.get("registration") and "versions" not in self.errors:
            self.add_error("versions", gettext("Choose at least two bots."))
        gauntlet = data.get("format") == Tournament.Format.GAUNTLET
        challenger = data.get("challenger")
        if gauntlet and challenger is None and "challenger" not in self.errors:
            self.add_error("challenger", gettext("Choose the bot that plays all the others."))
        if not gauntlet:
            data["challenger"] = None
        if data.get("registration") == UNTIL and data.get("closes") is None and "closes" not in self.errors:
            self.add_error("closes", gettext("Choose when registration closes."))
        self._clean_match(data)
        self.clean_hiding(data)
        return data

    def _clean_match(self, data: dict[str, Any]) -> None:
        """How far a match goes: the usual number where the rules name one and none was given."""
        kind, target = data.get("match"), data.get("target")
        if kind == POINTS and target is None:
            target = data["target"] = next(iter(targets(data.get("variant", ""))), None)
        if kind and target is None and "target" not in self.errors:
            points = gettext("Enter the number of points.")
            deals = gettext("Enter the number of deals.")
            self.add_error("target", points if kind == POINTS else deals)
        elif not kind:
            data["target"] = None

    def to_request(self) -> NewTournament:
        """What a valid form asks for. Raises InvalidTournament for a match that cannot be held."""
        data = self.cleaned_data
        open_for = data["registration"]
        closes = data.get("closes") if open_for == UNTIL else None
        if open_for and open_for != UNTIL:
            closes = timezone.now() + timedelta(minutes=open_for)
        wish = NewTournament(
            name=data.get("name", ""),
            description=data.get("description", ""),
            versions=self._order(),
            variant=data["variant"],
            players=data["players"],
            format=data["format"] or Tournament.Format.ROUND_ROBIN,
            cycles=data["cycles"] or 1,
            rounds=data["rounds"] or 0,
            pairs_per_pairing=data["pairs"],
            bank_ms=data["bank"] * 1000,
            increment_ms=data["increment"],
            rated=not data.get("unrated", False),
            registration_until=closes,
            starts_at=data.get("starts"),
            invited=bool(closes and data.get("invited")),
            admits_remote=data.get("admits_remote", False),
            hiding=self.hiding(),
        )
        return self.with_stages(with_match(wish, data["match"], data["target"]) if data["match"] else wish)

    def _order(self) -> tuple[int, ...]:
        """The draw: the challenger first, then by rating where that decides who meets whom."""
        data = self.cleaned_data
        keys = [version.pk for version in data["versions"]]
        if data["format"] not in ("", Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET):
            keys = by_rating(keys, data["variant"])
        challenger = data.get("challenger")
        if challenger is not None:
            keys = [challenger.pk, *(key for key in keys if key != challenger.pk)]
        return tuple(keys)
