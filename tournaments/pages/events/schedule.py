"""Rounds, brackets, and two against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

import engine
from analysis.errors import CompetitionError
from analysis.values import measures_luck
from arena.web.cache.pages import shared_page
from arena.web.variants import variant_title
from bots.models import Bot
from tournaments.events.organiser_rows import may_manage
from tournaments.games import score_sheets
from tournaments.models import Pair, Tournament
from tournaments.pages.events import matches, meetings
from tournaments.pages.events import rounds as found
from tournaments.pages.events.meetings import meeting_url
from tournaments.pages.events.sentences import match_length
from tournaments.pairing.void_requests import ask_or_void

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from tournaments.models import Entry


@shared_page(seconds=1)
@gzip_page
@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """One round of a tournament: who meets whom, and how it went; the one being played unless asked."""
    tournament = get_object_or_404(Tournament, slug=slug)
    numbers = found.rounds(tournament)
    asked = request.GET.get("round", "")
    number = int(asked) if asked.isdecimal() and int(asked) in numbers else found.current_round(tournament)
    context = {
        "tournament": tournament,
        "numbers": numbers,
        "number": number,
        "meetings": found.round_meetings(tournament, number),
    }
    return render(request, "tournaments/rounds.html", context)


@shared_page(seconds=1)
@gzip_page
@require_safe
def meeting(request: HttpRequest, slug: str, one: int, other: int) -> HttpResponse:
    """Every pair of two entrants, and what they say about who is better."""
    tournament = get_object_or_404(Tournament, slug=slug)
    first, second = _entry(tournament, one), _entry(tournament, other)
    if first == second:
        raise Http404(f"expected two entrants, got number {one} twice")
    both = meetings.of_entries(tournament, first, second)
    page = Paginator(both.pairs, meetings.SHOWN).get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "length": match_length(tournament.match_rule) if tournament.match_rule else "",
        "variant": variant_title(tournament.variant),
        "first": first.version,
        "second": second.version,
        "verdicts": both.verdicts,
        "picture": both.picture,
        "page": page,
        "rows": both.rows(max(page.start_index() - 1, 0)),
        "may_manage": may_manage(tournament, request.user) and not tournament.rated,
        "may_ask": _may_ask(request, tournament, (first, second)),
        "matches": matches.matches_of(tournament, first, second),
        "turned": meeting_url(tournament, second, first),
    }
    return render(request, "tournaments/meeting.html", context)


@shared_page(seconds=1)
@gzip_page
@require_safe
def sheet(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    """The score sheet of a match to points."""
    tournament = get_object_or_404(Tournament, slug=slug)
    pairings = tournament.pairings.select_related("first__version__bot", "second__version__bot")
    pairing = get_object_or_404(pairings, round=number, table=table, second__isnull=False)
    rule = tournament.match_rule
    if rule is None or pairing.second is None:
        raise Http404("expected a match to points, got pairs that are counted one by one")
    found_sheet = score_sheets.sheet(pairing, rule)
    cancelled = tournament.status == Tournament.Status.CANCELLED
    context = {
        "tournament": tournament,
        "pairing": pairing,
        "first": pairing.first.version,
        "second": pairing.second.version,
        "variant": variant_title(tournament.variant),
        "sheet": found_sheet,
        "state": found_sheet.state_words(cancelled=cancelled),
        "length": match_length(rule),
        "has_luck": measures_luck(tournament.variant, tournament.players),
        "ticks": engine.variant(tournament.variant).in_ticks,
        "meeting": meeting_url(tournament, pairing.first, pairing.second),
    }
    return render(request, "tournaments/sheet.html", context)


def _may_ask(request: HttpRequest, tournament: Tournament, entries: tuple[Entry, Entry]) -> bool:
    """Whether this is an owner of one of the bots of a rated event, or staff, who can ask to void a pair."""
    user = request.user
    if not user.is_authenticated or not tournament.rated:
        return False
    return user.is_staff or any(entry.version.bot.is_owned_by(user) for entry in entries)


def _entry(tournament: Tournament, number: int) -> Entry:
    return get_object_or_404(tournament.entries.select_related("version__bot"), number=number)


@shared_page(seconds=1)
@gzip_page
@require_safe
def head_to_head(request: HttpRequest, one: str, other: str) -> HttpResponse:
    """What two bots made against each other in all tournaments of a variant."""
    first, second = get_object_or_404(Bot, slug=one), get_object_or_404(Bot, slug=other)
    variants = meetings.variants_met(first, second)
    variant = request.GET.get("variant", "")
    if variant not in variants:
        variant = variants[0] if variants else next(iter(engine.VARIANTS))
    both = meetings.of_bots(first, second, variant)
    page = Paginator(both.pairs, meetings.SHOWN).get_page(request.GET.get("page"))
    context = {
        "first": first,
        "second": second,
        "variant": variant_title(variant),
        "chosen": variant,
        "variants": [(name, variant_title(name)) for name in variants],
        "verdicts": both.verdicts,
        "picture": both.picture,
        "page": page,
        "rows": both.rows(max(page.start_index() - 1, 0)),
    }
    return render(request, "tournaments/head_to_head.html", context)


@login_required
@require_POST
def void(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Void a pair and play it again on the same deal, with a public reason.

    Staff may do so where nothing is rated, and the event's organisers. In a rated one the owner of a bot can
    ask, and staff; it is decided without seeing the result.
    """
    pair = get_object_or_404(
        Pair.objects.select_related("pairing__tournament", "pairing__first", "pairing__second"),
        pk=pair_id,
        pairing__tournament__slug=slug,
    )
    tournament = pair.pairing.tournament
    user: User = request.user  # type: ignore[assignment]  # signed in
    try:
        done = ask_or_void(pair, user, request.POST.get("reason", ""))
    except CompetitionError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, done)
    second = pair.pairing.second
    if second is None or tournament.players > 2:
        return redirect(tournament)
    return redirect(meeting_url(tournament, pair.pairing.first, second))
