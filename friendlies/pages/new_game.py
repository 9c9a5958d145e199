"""The page on which a person begins a game against a bot, and other ways to begin one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from analysis.errors import InvalidFriendly
from arena.web.cache.pages import shared_by_strangers
from arena.web.http.refusals import BAD_FORM, form_status
from arena.web.variants import variant_title
from bots.house import LEVELS
from friendlies import daily as dailies
from friendlies.models import Friendly
from friendlies.pages import duplicates
from friendlies.pages import games as pages
from friendlies.pages.access import own_friendly, player_of, seat_person
from friendlies.tables import new_games
from friendlies.tables.new_games import (
    CLOCKS,
    PACES,
    NewFriendly,
    choices,
    find_leveled,
    levels,
    next_level,
    opponents,
    variants,
)
from tournaments.models import Game
from tournaments.pages.creation.fields import VersionBase

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from bots.models import Version
    from friendlies.tables.people import Person

FINISHED_SHOWN = 20
"""Games that are over, in the list of a person."""


class OpponentSelect(forms.Select):
    """A list of versions that marks those with levels: the page asks for a level with these alone."""

    def create_option(self, name: str, value: Any, *args: Any, **more: Any) -> dict[str, Any]:
        """The option of a version."""
        option = super().create_option(name, value, *args, **more)
        if value and levels(value.instance):
            option["attrs"]["data-levels"] = True
        return option


class OpponentField(VersionBase):
    """A version by the bot's name."""

    widget = OpponentSelect

    def label_from_instance(self, version: Version) -> str:
        """``Greedy v1 (house)``."""
        values = {"bot": version.bot.name, "number": version.number}
        if version.bot.is_house:
            return gettext("%(bot)s v%(number)s (house)") % values
        if version.is_remote:
            return version.bot.label
        return gettext("%(bot)s v%(number)s (yours)") % values


CLOCK_WORDS = {
    "none": gettext_lazy("No clock"),
    "5+5": gettext_lazy("5 minutes, plus 5 seconds per turn"),
    "10+10": gettext_lazy("10 minutes, plus 10 seconds per turn"),
    "20+20": gettext_lazy("20 minutes, plus 20 seconds per turn"),
}


PACE_WORDS = {
    "wait": gettext_lazy("waits for me"),
    "1": gettext_lazy("1 second"),
    "2": gettext_lazy("2 seconds"),
    "3": gettext_lazy("3 seconds"),
    "5": gettext_lazy("5 seconds"),
    "10": gettext_lazy("10 seconds"),
}


LEVEL_NAMES = (
    pgettext_lazy("level of strength", "Beginner"),
    pgettext_lazy("level of strength", "Learner"),
    pgettext_lazy("level of strength", "Casual"),
    pgettext_lazy("level of strength", "Regular"),
    pgettext_lazy("level of strength", "Strong"),
    pgettext_lazy("level of strength", "Expert"),
    pgettext_lazy("level of strength", "Master"),
    pgettext_lazy("level of strength", "Oracle"),
)
"""What the faces at the table are called, the weakest first."""


class NewFriendlyForm(forms.Form):
    """A game of a person against a bot."""

    variant = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"), widget=forms.RadioSelect)
    level = forms.TypedChoiceField(
        label=gettext_lazy("Who sits opposite?"),
        choices=[(level, name) for level, name in enumerate(LEVEL_NAMES, start=1)],
        coerce=int,
        empty_value=None,
        widget=forms.RadioSelect,
        required=False,
    )
    version = OpponentField(
        queryset=None,
        label=gettext_lazy("Opponent"),
        empty_label=gettext_lazy("The face chosen above"),
        error_messages={"invalid_choice": gettext_lazy("This bot can’t be played now. Choose another one.")},
        required=False,
    )
    seat = forms.ChoiceField(
        label=gettext_lazy("Your seat"),
        choices=[
            ("any", gettext_lazy("Random")),
            ("0", gettext_lazy("Seat 1")),
            ("1", gettext_lazy("Seat 2")),
        ],
        help_text=gettext_lazy("The deal decides who starts."),
    )
    clock = forms.ChoiceField(
        label=gettext_lazy("Your clock"),
        choices=[(name, CLOCK_WORDS[name]) for name in CLOCKS],
        required=False,
    )
    pace = forms.ChoiceField(
        label=gettext_lazy("Length of a tick"),
        choices=[(name, PACE_WORDS[name]) for name in PACES],
        initial="5",
        help_text=gettext_lazy(
            "You and the bot move at once. If you have not chosen by then, you wait. "
            "You can change this while you play."
        ),
        required=False,
    )
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        help_text=gettext_lazy(
            "Counts for your rating on the bots’ scale, even if you leave. No hints, no undo; only against "
            "house bots at full strength, one game at a time."
        ),
        required=False,
    )

    def __init__(self, player: Person, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        found = variants()
        self.fields["variant"].choices = [  # type: ignore[attr-defined]
            (name, variant_title(name)) for name in found
        ]
        if player.user is None:
            del self.fields["rated"]
        # One is always chosen, as in a list: most people want to play, not to choose.
        if self.initial.get("variant") not in found:
            self.initial["variant"] = next(iter(found))
        self.fields["version"].queryset = choices(player)  # type: ignore[attr-defined]
        self.leveled = find_leveled(player)
        self.next_level = next_level(player)
        self.initial.setdefault("level", self.next_level)
        if self.leveled is None:
            del self.fields["level"]
            self.initial.setdefault("version", opponents(player).filter(bot__slug="greedy").first())

    def has_opponents(self) -> bool:
        """Whether there is any bot to play against."""
        return self.leveled is not None or self.fields["version"].queryset.exists()  # type: ignore[attr-defined]

    def faces(self) -> list[tuple[Any, int]]:
        """Each level with about what rating it has, as a radio button and a number; none without a bot for
        them."""
        return list(zip(self["level"], LEVELS, strict=True)) if self.leveled else []

    def clean(self) -> dict[str, Any]:
        """Let the bot with levels sit down where no other was chosen."""
        data: dict[str, Any] = super().clean() or {}
        if "version" not in self.errors and data.get("version") is None:
            data["version"] = self.leveled or self.initial.get("version")
            if data["version"] is None:
                self.add_error("version", gettext("There is no bot to play against."))
        return data

    def to_request(self) -> NewFriendly:
        """Return what a valid form requests."""
        data = self.cleaned_data
        seat = None if data["seat"] == "any" else int(data["seat"])
        clock, pace = data["clock"] or "none", data["pace"] or "5"
        # A level that was chosen before another bot was is hidden, and means nothing to that bot.
        level = data.get("level") if levels(data["version"]) else None
        rated = data.get("rated", False)
        return NewFriendly(data["variant"], data["version"].pk, seat, clock, pace, rated=rated, level=level)


def _deals(request: HttpRequest) -> str:
    """The deals that the page of a new game offers, and the day: what it depends on besides the bots."""
    return f"{dailies.today()} {duplicates.offered_list()}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@shared_by_strangers(by=_deals)
def new_friendly(request: HttpRequest) -> HttpResponse:
    """Choose a game and an opponent; games under way and over; deals to play again."""
    player = player_of(request)
    new_games.adopt(player)
    form = NewFriendlyForm(player, request.POST or None, initial=_wished(request, player))
    if request.method == "POST" and form.is_valid():
        try:
            return redirect(new_games.start(seat_person(request), form.to_request()))
        except InvalidFriendly as error:
            form.add_error(error.field or None, str(error))
    mine = player.games().select_related("version__bot", "owner")
    context = {
        "form": form,
        "running": [pages.row(row) for row in mine.filter(status=Friendly.Status.RUNNING)],
        "finished": [pages.row(row) for row in mine.filter(status=Friendly.Status.FINISHED)[:FINISHED_SHOWN]],
        "duplicates": duplicates.offered_list(),
        "daily_game": (weekly := dailies.game_of_week(dailies.today())),
        "daily_title": variant_title(weekly),
    }
    return render(request, "play/new.html", context, status=form_status(form))


def _wished(request: HttpRequest, player: Person) -> dict[str, Any]:
    """What an address asks for: ``?variant=``, ``?level=`` and ``?bot=``."""
    variant, level = request.GET.get("variant", ""), request.GET.get("level", "")
    wished: dict[str, Any] = {"variant": variant}
    if level.isascii() and level.isdigit() and 1 <= int(level[:2]) <= len(LEVELS):
        wished["level"] = int(level[:2])
    if not (bot := request.GET.get("bot")):
        return wished
    versions = new_games.choices(player).filter(bot__slug=bot)
    board = variant if variant in new_games.variants() else next(iter(new_games.variants()))
    found = versions.active_on(board).first() or versions.first()
    return {**wished, "version": found} if found else wished


@require_POST
def duplicate(request: HttpRequest, game_id: UUID, seat: int) -> HttpResponse:
    """Sit down to a deal that bots have played."""
    game = get_object_or_404(Game.objects.select_related("tournament"), pk=game_id)
    try:
        return redirect(new_games.start_duplicate(seat_person(request), game, seat))
    except InvalidFriendly as error:
        return render(request, "play/no_table.html", {"reason": str(error)}, status=BAD_FORM)


@require_POST
def rematch(request: HttpRequest, friendly_id: UUID) -> HttpResponse:
    """The same opponent once more, with new cards and the seats swapped."""
    row = own_friendly(request, friendly_id)
    if not row.is_over:
        return redirect(row)
    try:
        return redirect(new_games.rematch(seat_person(request), row))
    except InvalidFriendly as error:
        return render(request, "play/no_table.html", {"reason": str(error)}, status=BAD_FORM)
