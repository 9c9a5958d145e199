"""Asks for an event or a test, with a preset or like another one; changes one; enters bots; once more."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import escape
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from analysis.errors import CompetitionError, InvalidTournament
from analysis.formats.matches import rule_of
from analysis.sequential_standing import LEAST_WIDTH
from analysis.verdicts.sequential import WINS
from arena.accounts.confirmation import needs_confirmed_address
from arena.web import names
from arena.web.http.refusals import form_status
from arena.web.processes.capacity import games_at_once
from bots.models import Bot
from bots.pages.common import attempt
from tournaments.events import creation, registration
from tournaments.events.creation import FORMATS, NAME_LENGTH, as_asked, enterable
from tournaments.events.edits import EventDetails, edit_event
from tournaments.events.estimates import estimate_words, estimated_seconds, foretell, staged_words
from tournaments.events.organiser_rights import may_manage
from tournaments.models import Entry, Tournament
from tournaments.models.embargo import EVERY_ROUND
from tournaments.operation.queue import games_before
from tournaments.pages.creation.event_form import NewTournamentForm
from tournaments.pages.creation.fields import moment_field
from tournaments.pages.creation.sequential_form import SequentialTestForm
from tournaments.pairing import progress
from tournaments.pairing.groups import group_rule
from tournaments.pairing.sequential_tests import create_test
from tournaments.ratings.leaderboards import board_of
from tournaments.series import events as series_events

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest
    from django_stubs_ext import StrOrPromise

    from arena.accounts.models import User


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


Format = Tournament.Format


@dataclass(frozen=True, slots=True)
class EventPreset:
    """An event by its name, with what it is in a sentence and the fields of the form that it fills in."""

    key: str
    title: StrOrPromise
    words: StrOrPromise
    fields: dict[str, Any]

    @property
    def initial(self) -> dict[str, Any]:
        """What the form shows at first; the name is the reader's own to change."""
        return {"name": str(self.title), **self.fields}


PRESETS: Final = (
    EventPreset(
        "cup",
        gettext_lazy("Weekend cup"),
        gettext_lazy("Groups of about four, then a knock-out with a final. Everyone can enter for a day."),
        {"format": Format.GROUPS, "advance": 2, "pairs": 5, "registration": 24 * 60},
    ),
    EventPreset(
        "swiss",
        gettext_lazy("Swiss evening"),
        gettext_lazy("A few rounds in which bots with equal scores meet. Everyone can enter for an hour."),
        {"format": Format.SWISS, "pairs": 5, "registration": 60},
    ),
    EventPreset(
        "league",
        gettext_lazy("Long league"),
        gettext_lazy("Every bot plays every other twice, over many deals. It starts at once."),
        {"format": Format.ROUND_ROBIN, "cycles": 2, "pairs": 20},
    ),
)


def find_preset(key: str) -> EventPreset | None:
    """The preset of this key; None if there is none."""
    return next((one for one in PRESETS if one.key == key), None)


NUMBERED: Final = re.compile(r"(\d{1,4})$")


def following(name: str) -> str:
    """The name of the next event: its number goes up by one, or it gets a 2.

    >>> following("Winter cup 9"), following("Winter cup")
    ('Winter cup 10', 'Winter cup 2')
    """
    found = NUMBERED.search(name)
    if found is None:
        return f"{name[: NAME_LENGTH - 2]} 2"
    number = str(int(found[1]) + 1)
    return name[: min(found.start(), NAME_LENGTH - len(number))] + number


def settings_of(tournament: Tournament, user: User) -> dict[str, Any]:
    """The settings of an event, as far as everybody may know them, for the form of the next; dates are left
    out, and so are bots that this user cannot enter."""
    wish = as_asked(tournament)
    keys = set(
        enterable(user, board_of(tournament), remote=wish.admits_remote)
        .filter(pk__in=wish.versions)
        .values_list("pk", flat=True)
    )
    versions = [key for key in wish.versions if key in keys]
    rule = tournament.match_rule
    gauntlet = wish.format == Tournament.Format.GAUNTLET
    found: dict[str, Any] = {
        "name": following(wish.name),
        "description": wish.description,
        "variant": wish.variant,
        "players": wish.players,
        "format": wish.format,
        "cycles": wish.cycles,
        "rounds": wish.rounds or None,
        "versions": versions,
        "challenger": versions[0] if gauntlet and wish.versions[:1] == tuple(versions[:1]) else None,
        "pairs": wish.pairs_per_pairing,
        "bank": wish.bank_ms // 1000,
        "increment": wish.increment_ms,
        "invited": bool(tournament.join_key),
        "unrated": not wish.rated,
        "admits_remote": wish.admits_remote,
    }
    if rule is not None:
        found |= {"match": rule.kind, "target": rule.target}
    groups = tournament.group_rule
    if groups is not None:
        found |= {"groups": groups.groups or None, "advance": groups.advance}
        found |= {"knockout_pairs": groups.knockout_pairs or None}
    if wish.hiding is not None:
        everything = wish.hiding.last_rounds == EVERY_ROUND
        found |= {
            "hide": "all" if everything else "rounds",
            "hide_rounds": 1 if everything else wish.hiding.last_rounds,
            "reveal": wish.hiding.ending,
            "organiser_sees": wish.hiding.organiser_sees,
        }
    return found


FIELDS = {
    "pairs_per_pairing": "pairs",
    "bank_ms": "bank",
    "increment_ms": "increment",
    "registration_until": "closes",
    "starts_at": "starts",
    "alpha": "risk",
    "beta": "risk",
}
"""Fields of forms that have other names in the services."""


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def new_tournament(request: HttpRequest) -> HttpResponse:
    """Ask for a tournament, and start it unless others may enter first."""
    user = cast("User", request.user)
    form = NewTournamentForm(
        user, request.POST if request.method == "POST" else None, initial=_asked_for(request, user)
    )
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                tournament = creation.create_tournament(form.to_request(), user)
                series_events.put(tournament, user, form.cleaned_data.get("series", ""))
            if tournament.registration_until is None and tournament.starts_at is None:
                progress.start_in_a_worker(tournament)
        except InvalidTournament as error:
            _blame(form, error)
        else:
            return redirect(tournament)
    preset = find_preset(request.GET.get("preset", ""))
    context = {
        "form": form,
        "parts": form.parts(folded=preset is not None),
        "presets": PRESETS,
        "preset": preset,
        "room": creation.room_for(user),
        "most": creation.MOST_RUNNING,
        "most_bots": creation.MOST_ENTRANTS,
        "most_games": creation.MOST_GAMES,
    }
    return render(request, "tournaments/new.html", context, status=form_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Change an event before it starts, by an organiser or staff."""
    tournament, user = get_object_or_404(Tournament, slug=slug), cast("User", request.user)
    if not may_manage(tournament, user):
        raise PermissionDenied
    form = EditTournamentForm(tournament, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            changed = edit_event(tournament, form.details, by=user)
        except InvalidTournament as error:
            _blame(form, error)
        except CompetitionError as error:
            messages.error(request, str(error))
            return redirect(tournament)
        else:
            if changed:
                messages.success(request, gettext("Your changes have been saved."))
            return redirect(tournament)
    context = {"form": form, "tournament": tournament}
    return render(request, "tournaments/edit.html", context, status=form_status(form))


def _asked_for(request: HttpRequest, user: User) -> dict[str, object]:
    """What the form shows at first: a preset, or the settings of the event that this one is to be like, and
    its series."""
    asked, like = request.GET.get("series", "")[:80], request.GET.get("like", "")[:80]
    found = Tournament.objects.filter(slug=like).first() if like else None
    known = found is not None and found.format in [one.value for one in FORMATS]
    settings: dict[str, object] = settings_of(found, user) if found and known else {}
    preset = find_preset(request.GET.get("preset", ""))
    return {**(preset.initial if preset else {}), **settings, "series": asked}


@login_required
@require_POST
def estimate(request: HttpRequest) -> HttpResponse:
    """How many games the tournament of a form will have and how long it will take: a fragment."""
    form = NewTournamentForm(cast("User", request.user), request.POST)
    wrong = [str(errors[0]) for name, errors in form.errors.items() if name not in ("name", "description")]
    sentences = wrong[:1]
    if not wrong:
        try:
            wish = creation.with_usual_rounds(form.to_request())
            size = wish.size()
        except InvalidTournament as error:
            sentences = [str(error)]
        else:
            match = rule_of(wish.options)
            seconds = estimated_seconds(
                size, wish.variant, wish.versions, players=wish.players, matches=match is not None
            )
            sentences = estimate_words(
                size,
                seconds,
                games_at_once(),
                kind=wish.format,
                open_to_all=wish.registration_until is not None,
                match=match,
                deals=wish.pairs_per_pairing,
                groups=staged_words(rule, len(wish.versions)) if (rule := group_rule(wish)) else "",
                before=games_before(cast("User", request.user).pk, size.games),
            )
    return HttpResponse(escape(" ".join(sentences)))


@login_required
@needs_confirmed_address
@require_http_methods(["GET", "HEAD", "POST"])
def new_test(request: HttpRequest) -> HttpResponse:
    """Ask for a sequential test of one version against another, and start it."""
    user = cast("User", request.user)
    bot = Bot.objects.of(user).filter(slug=request.GET.get("bot", "")).first()
    form = SequentialTestForm(user, request.POST if request.method == "POST" else None, bot=bot)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        tested, against = data["tested"], data["against"]
        try:
            test = create_test(
                user,
                (tested.pk, against.pk),
                form.hypotheses,
                variant=data["variant"],
                pairs=data["pairs"],
                promote=data["promote"],
                ended_by=data["stop_by"] or WINS,
                name=f"{tested} against {against}"[: creation.NAME_LENGTH],
            )
            progress.start_in_a_worker(test)
        except InvalidTournament as error:
            _blame(form, error)
        else:
            return redirect(test)
    return render(request, "tournaments/test.html", {"form": form}, status=form_status(form))


@login_required
@require_POST
def test_estimate(request: HttpRequest) -> HttpResponse:
    """How long the test of a form will be and how often such a test ends undecided: a fragment."""
    form = SequentialTestForm(cast("User", request.user), request.POST)
    if not form.is_valid():
        wrong = next(iter(form.errors.values()))[0]
        return render(request, "tournaments/test_estimate.html", {"wrong": wrong})
    data, asked = form.cleaned_data, form.hypotheses
    if asked.elo1 - asked.elo0 < LEAST_WIDTH:
        wrong = gettext("The upper bound must be above the lower one, by at least %(width)s.") % {
            "width": LEAST_WIDTH
        }
        return render(request, "tournaments/test_estimate.html", {"wrong": wrong})
    foretold = foretell(asked, data["pairs"], data["variant"], (data["tested"].pk, data["against"].pk))
    context = {"lengths": foretold, "asked": asked, "most": data["pairs"], "stop_by": data["stop_by"]}
    return render(request, "tournaments/test_estimate.html", context)


def _blame(form: forms.Form, error: InvalidTournament) -> None:
    """Put a sentence of the services at the field it is about."""
    name = FIELDS.get(error.field, error.field)
    form.add_error(name if name in form.fields else None, str(error))


@login_required
@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a version of one's own in a tournament that is open for registration."""
    tournament = get_object_or_404(Tournament, slug=slug)
    version = request.POST.get("version", "")
    try:
        if not version.isdecimal():
            raise InvalidTournament(gettext("Choose one of your versions."))
        entry = registration.join(
            tournament, int(version), cast("User", request.user), request.POST.get("key", "")
        )
    except CompetitionError as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request, gettext("%(version)s has entered the tournament.") % {"version": entry.version}
        )
    return redirect(tournament)


@login_required
@require_POST
def leave(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a version of one's own out again."""
    entry = get_object_or_404(
        Entry.objects.select_related("tournament", "version__bot"), tournament__slug=slug, number=number
    )
    tournament, user = entry.tournament, cast("User", request.user)
    if not entry.version.bot.is_owned_by(user) and not may_manage(tournament, user):
        messages.error(request, gettext("Only its owners and organisers can remove a version."))
        return redirect(tournament)
    done = gettext("%(version)s has left the tournament.") % {"version": entry.version}
    attempt(request, done, registration.leave, entry, by=user)
    return redirect(tournament)


@login_required
@require_POST
def clone(request: HttpRequest, slug: str) -> HttpResponse:
    """Hold a tournament again: same rules and entrants, new deals; a draft that its owner starts."""
    tournament = get_object_or_404(Tournament, slug=slug)
    try:
        again = registration.clone_tournament(tournament, cast("User", request.user))
    except CompetitionError as error:
        messages.error(request, str(error))
        return redirect(tournament)
    messages.success(request, gettext("Copied with new deals. Start it when you are ready."))
    return redirect(again)
