"""Pages of tournaments: the list, a new one, one with its standings, and what its owner may do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from analysis.errors import CompetitionError
from analysis.formats.standings import TIE_BREAKS
from arena.common.shared_pages import everybody, shared_page
from tournaments.models import Tournament
from tournaments.selectors.brackets import KNOCK_OUT
from tournaments.selectors.pages import games, schedule, tables
from tournaments.selectors.pages.registration import registration_page
from tournaments.selectors.pages.sequential import sequential_page
from tournaments.selectors.progress import tournament_progress
from tournaments.services import progress

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PER_PAGE = 20
GAMES_SHOWN = 12
ACTIONS = {
    "start": (progress.start_tournament, "The tournament has started."),
    "pause": (progress.pause_tournament, "Paused: games being played are finished, no more begin."),
    "resume": (progress.resume_tournament, "The tournament goes on."),
    "cancel": (progress.cancel_tournament, "Cancelled: what was accepted stays, nothing more is played."),
}


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Tournaments newest first."""
    page = Paginator(tables.listed(), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/list.html", {"page": page, "rows": tables.rows(list(page))})


@shared_page(seconds=1)
@gzip_page
@require_safe
def tournament_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One tournament; its figures are a fragment that renews itself while games are played."""
    tournament = get_object_or_404(Tournament.objects.select_related("owner"), slug=slug)
    return render(request, "tournaments/detail.html", _context(request, tournament))


@shared_page(seconds=1)
@gzip_page
@require_safe
def tournament_live(request: HttpRequest, slug: str) -> HttpResponse:
    """The figures of a tournament alone, for the page to put in place."""
    tournament = get_object_or_404(Tournament.objects.select_related("owner"), slug=slug)
    return render(request, "tournaments/live.html", _context(request, tournament))


def _context(request: HttpRequest, tournament: Tournament) -> dict[str, object]:
    entrants = range(tournament.entries.count())
    page = Paginator(entrants, tables.LINES).get_page(request.GET.get("page"))
    test = tournament.format == Tournament.Format.SPRT
    knock_out = tournament.format in KNOCK_OUT
    lines = tables.table(tournament, max(page.start_index() - 1, 0))
    return {
        "tournament": tournament,
        "page": page,
        "variant_title": games.variant_title(tournament.variant),
        "progress": tables.progress(tournament),
        "pace": tournament_progress(tournament) if tournament.status == Tournament.Status.RUNNING else None,
        "lines": lines,
        "by_chance": tables.by_chance(lines),
        "running": games.running(GAMES_SHOWN, tournament=tournament),
        "recent": games.recent(GAMES_SHOWN, tournament=tournament),
        "tie_breaks": TIE_BREAKS,
        "may_manage": may_manage(request, tournament),
        "columns": schedule.bracket_columns(tournament) if knock_out else [],
        "has_rounds": tournament.format in schedule.ROUNDED and tournament.players == 2,
        "test": sequential_page(tournament) if test else None,
        "registration": registration_page(tournament, request.user),
    }


def may_manage(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether this is its owner or staff."""
    user = request.user
    return user.is_authenticated and (user.is_staff or tournament.owner_id == user.pk)


@login_required
@require_POST
def tournament_action(request: HttpRequest, slug: str) -> HttpResponse:
    """Start, pause, resume or cancel, by the owner or staff."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not may_manage(request, tournament):
        raise PermissionDenied
    name = request.POST.get("action", "")
    if name not in ACTIONS:
        return HttpResponseBadRequest(f"expected one of {', '.join(ACTIONS)}, got {name!r}")
    act, sentence = ACTIONS[name]
    try:
        if name == "cancel":
            progress.cancel_tournament(tournament, by=request.user)  # type: ignore[arg-type]  # signed in
        else:
            act(tournament)
    except CompetitionError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, sentence)
    return redirect(tournament)
