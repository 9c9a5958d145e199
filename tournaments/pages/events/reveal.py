"""The reveal of hidden results: its page for everybody, and the buttons of the organiser."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from analysis.errors import CompetitionError
from tournaments.events.organiser_rights import may_manage, organises
from tournaments.models import Tournament
from tournaments.pairing.hidden_results_reveal import reveal, reveal_next, reveal_page_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User


@never_cache
@require_safe
def reveal_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The final table, as far as it is revealed."""
    return render(request, "tournaments/reveal.html", _context(request, slug))


@never_cache
@require_safe
def reveal_rows(request: HttpRequest, slug: str) -> HttpResponse:
    """The same without the page around it, for the page to put in place, with the sentence above it."""
    context = {**_context(request, slug), "base": "parts/bare.html"}
    return render(request, "tournaments/reveal.html", context)


def _context(request: HttpRequest, slug: str) -> dict[str, object]:
    tournament = get_object_or_404(Tournament, slug=slug)
    manages = may_manage(tournament, request.user)
    # Staff may have bots in it, and the event says only that its organisers see the table.
    sees = manages and (tournament.owner_id is None or organises(tournament, request.user))
    found = reveal_page_of(tournament, organiser=sees)
    if found is None:
        raise Http404(f"expected an event with hidden results, got {slug!r}")
    return {"tournament": tournament, "reveal": found, "may_manage": manages}


@login_required
@require_POST
def reveal_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Reveal the next place, or everything, by an organiser or staff."""
    tournament = get_object_or_404(Tournament, slug=slug)
    user = cast("User", request.user)
    if not may_manage(tournament, user):
        raise PermissionDenied
    after = request.POST.get("after", "")
    if after and not (after.isascii() and after.isdecimal() and len(after) < 9):
        raise BadRequest(f"expected a number of places, got {after[:20]!r}")
    try:
        if after:
            reveal_next(tournament, int(after), by=user)
        else:
            reveal(tournament, by=user)
    except CompetitionError as error:
        messages.error(request, str(error))
    return redirect("tournaments:reveal", slug)
