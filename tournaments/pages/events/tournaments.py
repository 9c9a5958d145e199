"""Pages of tournaments: the list, a new one, one with its standings, and what its owner may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Case, F, Value, When
from django.db.models.functions import Coalesce
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from arena.web.audit_log import doer_name
from arena.web.cache.pages import everybody, shared_page
from arena.web.cache.values import shared_rows
from arena.web.i18n.phrases import people_links
from arena.web.variants import variant_title
from bots.models import Bot, Version, prefetch_co_owners
from bots.pages.common import attempt
from bots.port import port
from tournaments.events.brackets import BRACKETED
from tournaments.events.organiser_rights import (
    co_organisers,
    invitation,
    may_manage,
    organises,
    takes_organisers,
)
from tournaments.events.standings import count, tournament_progress
from tournaments.events.standings import progress as progress_of
from tournaments.events.winners import endings
from tournaments.models import Announcement, Organiser, Tournament
from tournaments.pages.events import bracket, schedule, standings
from tournaments.pages.events.event_story import TIE_BREAKS, duel_story, left_words, schedule_words, story
from tournaments.pages.events.groups import group_tables, with_stages
from tournaments.pages.events.ladder import ladder_page
from tournaments.pages.events.meetings import meeting_url
from tournaments.pages.events.sequential_tests import sequential_page
from tournaments.pages.games import game_rows as games
from tournaments.pairing.embargo import hidden_words, stuck_pairs
from tournaments.pairing.progress import ACTIONS
from tournaments.ratings.leaderboards import asleep, board_of, list_tournaments
from tournaments.ratings.leaderboards import ladders as every_ladder
from tournaments.series.events import part_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.core.paginator import Page
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from arena.accounts.models import User
    from tournaments.events.winners import EventEnding
    from tournaments.models import Entry
    from tournaments.pages.events.standings import TournamentRow

ENDLESS = (Tournament.Format.LADDER, Tournament.Format.SPRT)
"""Formats that do not say beforehand how many games they take."""
GAMES_SHOWN = 12
DONE = {
    "start": gettext_lazy("The tournament has started."),
    "pause": gettext_lazy("Paused. Games in progress are played to the end."),
    "resume": gettext_lazy("The tournament has resumed."),
    "cancel": gettext_lazy("Cancelled. Results so far are kept, and no more games are played."),
}
"""What is said of each of `progress.ACTIONS`."""
PER_PAGE: Final = 20
Status = Tournament.Status
NOW: Final = (Status.RUNNING, Status.PAUSED)


@dataclass(frozen=True, slots=True)
class RegistrationPage:
    """A draft's entrants; `own` are the visitor's versions that could be entered, while it is `open`.

    Organisers need no key for an invited event. `refused` says why the visitor may not enter, if so.
    """

    entries: list[Entry]
    open: bool
    own: list[Version]
    mine: set[int]
    needs_no_key: bool
    refused: str


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """What is played now, what comes, what is over; the first page has the ladders beside it."""
    return render(request, "tournaments/list.html", {"list": load_list(request.GET.get("page"))})


def _own_parts(request: HttpRequest, slug: str) -> dict[str, str] | None:
    """What a visitor may do with a tournament; None for a draft, which says what they may enter."""
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None or tournament.status == Tournament.Status.DRAFT:
        return None
    context = {"tournament": tournament, **_rights(request, tournament)}
    return {"manage": render_to_string("tournaments/manage.html", context, request)}


@shared_page(seconds=1, own=_own_parts)
@gzip_page
@require_safe
def tournament_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One tournament; its figures are a fragment that renews itself while games are played."""
    return render(request, "tournaments/detail.html", _context(request, _found(slug)))


@shared_page(seconds=1, own=_own_parts)
@gzip_page
@require_safe
def tournament_live(request: HttpRequest, slug: str) -> HttpResponse:
    """The figures of a tournament alone, for the page to put in place."""
    return render(
        request, "tournaments/detail.html", {**_context(request, _found(slug)), "base": "parts/bare.html"}
    )


def _found(slug: str) -> Tournament:
    """The tournament, which nobody may change."""
    found = _find_tournament(slug)
    if found is None:
        raise Http404(f"expected a tournament, got {slug!r}")
    return found


@shared_rows
def _find_tournament(slug: str) -> Tournament | None:
    """The tournament of this slug with its owner and what it hides, or None."""
    return Tournament.objects.select_related("owner", "hidden_results").filter(slug=slug).first()


@shared_rows
def _announcements(tournament: int) -> list[Announcement]:
    """The announcements of a tournament in their order."""
    return list(Announcement.objects.filter(tournament=tournament).select_related("author"))


def _rights(request: HttpRequest, tournament: Tournament) -> dict[str, object]:
    """Whether a visitor may manage a tournament, or is asked to."""
    manages = may_manage(tournament, request.user)
    asked = not manages and takes_organisers(tournament)
    asks = invitation(tournament, request.user, Organiser.Status.INVITED) if asked else None
    return {"may_manage": manages, "invitation": asks}


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, object]:
    ordered = standings.StandingsTable(tournament)
    page = Paginator(range(ordered.entrants), standings.LINES).get_page(request.GET.get("page"))
    counted = count([tournament])[tournament.pk]
    playing = tournament.status == Tournament.Status.RUNNING
    pace = tournament_progress(tournament, counted, ordered.entrants) if playing else None
    start = max(page.start_index() - 1, 0)
    lines = ordered.lines(start)
    may_be_stuck = counted.void or tournament.hides_results  # a game of such a pair is void, or hidden
    stuck = stuck_pairs([tournament]).get(tournament.pk, 0) if may_be_stuck else 0
    played = progress_of(tournament, counted, ordered.entrants, stuck)
    drawing = bracket.drawing(tournament) if tournament.format in BRACKETED else None
    groups = group_tables(tournament) if tournament.format == Tournament.Format.GROUPS else None
    if groups is not None:
        lines = with_stages(groups, drawing, lines)
    told = tournament.format not in ENDLESS
    met = ordered.duel
    tale = story(tournament, lines, drawing, played, groups) if told and not start else None
    if met and tournament.status != Tournament.Status.CANCELLED and any(line.row.games for line in lines):
        tale = duel_story(tournament, met, played)
    is_ladder = tournament.format == Tournament.Format.LADDER
    idle = is_ladder and Tournament.objects.filter(asleep(), pk=tournament.pk).exists()
    others = co_organisers(tournament.pk)
    running, recent = games.going_on(
        GAMES_SHOWN, tournament, running=counted.running > 0, recent=counted.finished > 0
    )
    return {
        "tournament": tournament,
        "page": page,
        "variant_title": variant_title(tournament.variant),
        "schedule": schedule_words(tournament),
        "ladder": ladder_page(tournament, idle=idle) if is_ladder and not start else None,
        "progress": played,
        "story": tale,
        "duel": met,
        "meeting": meeting_url(tournament, *met.first) if met else "",
        "pace": pace,
        "rest_known": pace and pace.seconds_left and tournament.format not in ENDLESS,
        "performed": tournament.players == 2 and not tournament.match_rule,
        "lines": lines,
        "placed": any(line.row.games for line in lines),
        "rounds": ordered.rounds,
        "has_byes": any(line.bye_rounds for line in lines),
        "performances": ordered.performances(),
        "by_chance": standings.by_chance(groups.crosstables if groups else (line.cells for line in lines)),
        "running": running,
        "recent": recent,
        "part_of": part_of(tournament.pk),
        "tie_breaks": TIE_BREAKS,
        "co_organisers": others,
        "organisers": _organiser_names(tournament, others),
        **_rights(request, tournament),
        "bracket": drawing,
        "groups": groups,
        "has_rounds": tournament.format in schedule.ROUNDED and tournament.players == 2,
        "test": sequential_page(tournament) if tournament.format == Tournament.Format.SPRT else None,
        "registration": _registration(tournament, request.user),
        "announcements": _signed(tournament, _announcements(tournament.pk), others),
        "hidden": hidden_words(tournament.hiding) if tournament.hiding else None,
        "left": left_words(tournament) if told else "",
    }


def _organiser_names(tournament: Tournament, others: Iterable[User]) -> SafeString:
    """All organisers of an event with links, its founder first; empty where the house organises it."""
    return people_links([tournament.owner, *others] if tournament.owner else [])


def _signed(
    tournament: Tournament, said: Iterable[Announcement], others: list[User]
) -> list[tuple[Announcement, str]]:
    """Announcements with who made each: where an event has several organisers, or it was none of them."""
    keys = {tournament.owner_id, *(one.pk for one in others)}
    told = [(one, str(doer_name(one.author, keys))) for one in said]
    alone = tournament.owner.get_username() if tournament.owner and not others else ""
    return [(one, "" if who == alone else who) for one, who in told]


def _registration(tournament: Tournament, user: Any) -> RegistrationPage | None:
    """What the page of a draft says of registration; None once the tournament has started."""
    if tournament.status != Tournament.Status.DRAFT:
        return None
    found = tournament.entries.select_related("version__bot__owner").order_by("number")
    entries = list(found.prefetch_related(prefetch_co_owners("version__bot__")))
    until = tournament.registration_until
    is_open = until is not None and until > timezone.now()
    own: list[Version] = []
    mine: set[int] = set()
    if user.is_authenticated:
        mine = {entry.number for entry in entries if entry.version.bot.is_owned_by(user)}
        if is_open:
            entered = [entry.version_id for entry in entries]
            fit = Version.objects.fit_for(remote=tournament.admits_remote)
            fit = fit.filter(bot__in=Bot.objects.of(user)).playing(board_of(tournament))
            own = list(fit.exclude(pk__in=entered).select_related("bot").order_by("bot__name", "-number"))
    organiser = organises(tournament, user)
    refused = "" if organiser else port().why_not_enter(tournament.pk, user)
    return RegistrationPage(entries, is_open, own, mine, needs_no_key=organiser, refused=refused)


@login_required
@require_POST
def tournament_action(request: HttpRequest, slug: str) -> HttpResponse:
    """Start, pause, resume or cancel, by an organiser or staff."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_manage(tournament, request.user):
        raise PermissionDenied
    name = request.POST.get("action", "")
    if name not in ACTIONS:
        raise BadRequest(f"expected one of {', '.join(ACTIONS)}, got {name!r}")
    attempt(request, str(DONE[name]), ACTIONS[name], tournament, by=cast("User", request.user))
    return redirect(tournament)


@dataclass(frozen=True, slots=True)
class OverRow:
    """An event that is over, with who won it; several where even the tie-breaks are equal.

    Of a duel `score` is how it ended.
    """

    row: TournamentRow
    winners: list[Entry]
    score: str = ""
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class TournamentList:
    """One page of the list in its three parts; the first page has the ladders, too."""

    page: Page[Any]
    now: list[TournamentRow]
    coming: list[TournamentRow]
    over: list[OverRow]
    ladders: list[TournamentRow]

    @property
    def idle(self) -> int:
        """How many ladders have nothing to play."""
        return sum(one.is_idle for one in self.ladders)


def load_list(page: str | None) -> TournamentList:
    """A page of the list; the same few queries however long it is, once winners are known."""
    shown = _events(page)
    events = list(shown)
    ladders = every_ladder() if shown.number == 1 else []
    rows = standings.rows([*events, *ladders])
    won = endings(events)
    listed = rows[: len(events)]
    return TournamentList(
        shown,
        [one for one in listed if one.tournament.status in NOW],
        [one for one in listed if one.tournament.status == Status.DRAFT],
        [_over(one, won.get(one.tournament.pk)) for one in listed if one.tournament.is_over],
        rows[len(events) :],
    )


def _over(row: TournamentRow, ending: EventEnding | None) -> OverRow:
    if ending is None:
        return OverRow(row, [])
    return OverRow(row, ending.first, standings.score_text(ending), ending.is_drawn)


@shared_rows
def _events(number: str | None) -> Page[Any]:
    """The events on a page."""
    page = Paginator(_ordered(), PER_PAGE).get_page(number)
    page.object_list = list(page.object_list)
    return page


def _ordered() -> QuerySet[Tournament]:
    """Events by what they mean to a visitor now: running, paused, the next to start, the last to end."""
    rank = Case(
        When(status=Status.RUNNING, then=Value(0)),
        When(status=Status.PAUSED, then=Value(1)),
        When(status=Status.DRAFT, then=Value(2)),
        default=Value(3),
    )
    starts = Case(When(status=Status.DRAFT, then=Coalesce("starts_at", "registration_until")))
    return (
        list_tournaments()
        .exclude(format=Tournament.Format.LADDER)
        .annotate(rank=rank, soonest=starts)
        .order_by(
            "rank",
            F("soonest").asc(nulls_last=True),
            F("finished_at").desc(nulls_last=True),
            F("started_at").desc(nulls_last=True),
            "-created_at",
            "-id",
        )
    )
