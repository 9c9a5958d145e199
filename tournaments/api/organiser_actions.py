"""What organisers do besides, and what everyone takes home: announcements, keys, estimates, score sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest
from ninja import Body, Path, Router, Status

from analysis.formats.matches import rule_of
from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.schemas.common import Key as RowKey
from arena.api.schemas.common import Number, Slug
from arena.web.processes.capacity import games_at_once
from bots.models import Scope
from tournaments.api.organiser_actions_schemas import (
    AnnouncementIn,
    AnnouncementOut,
    Announcements,
    EstimateOut,
    JoinKey,
    RevealOut,
    RevealWish,
    SheetOut,
    announcement_out,
    reveal_out,
    sheet_out,
)
from tournaments.api.tournaments import find, find_managed, read_wish
from tournaments.api.tournaments_schemas import TournamentWish
from tournaments.events import announcements, creation, registration
from tournaments.events.estimates import estimate_words, estimated_seconds, staged_words
from tournaments.games import score_sheets
from tournaments.models import Announcement, Tournament
from tournaments.operation.queue import games_before
from tournaments.pairing import hidden_results_reveal
from tournaments.pairing.groups import group_rule
from tournaments.pairing.hidden_results_reveal import reveal_page_of

if TYPE_CHECKING:
    from tournaments.models import Pairing

router = Router()


@route(router, "POST", "tournaments/estimate/", EstimateOut, needs=Scope.COMPETE)
def estimate_tournament(request: HttpRequest, wish: Body[TournamentWish]) -> dict[str, Any]:
    """How many games a tournament would have, and how long it would take.

    Nothing is created.
    """
    new = creation.with_usual_rounds(read_wish(wish, user_of(request)))
    size, match = new.size(), rule_of(new.options)
    seconds = estimated_seconds(
        size, new.variant, new.versions, players=new.players, matches=match is not None
    )
    before = games_before(user_of(request).pk, size.games)
    words = estimate_words(
        size,
        seconds,
        games_at_once(),
        kind=new.format,
        open_to_all=new.registration_until is not None,
        match=match,
        deals=new.pairs_per_pairing,
        groups=staged_words(rule, len(new.versions)) if (rule := group_rule(new)) else "",
        before=before,
    )
    numbers = {name: getattr(size, name) for name in ("rounds", "pairings", "pairs", "games")}
    return {**numbers, "seconds": seconds, "games_before": before, "text": " ".join(words)}


@route(router, "GET", "tournaments/{slug}/announcements/", Announcements)
def list_announcements(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """What the organiser of an event tells everyone, newest first."""
    return {"items": [announcement_out(one) for one in find(slug).announcements.all()]}


@route(router, "POST", "tournaments/{slug}/announcements/", AnnouncementOut, needs=Scope.COMPETE, status=201)
def announce(request: HttpRequest, slug: Path[Slug], said: Body[AnnouncementIn]) -> Status[Any]:
    """Post an announcement that everyone who looks at your event sees."""
    made = announcements.announce(find_managed(request, slug), user_of(request), said.text)
    return Status(201, announcement_out(made))


@route(router, "DELETE", "tournaments/{slug}/announcements/{announcement}/", needs=Scope.COMPETE, status=204)
def withdraw_announcement(request: HttpRequest, slug: Path[Slug], announcement: Path[RowKey]) -> Status[Any]:
    """Take an announcement of your event back."""
    found = Announcement.objects.filter(pk=announcement, tournament=find_managed(request, slug)).first()
    if found is None:
        raise Http404(f"Expected an announcement of {slug!r}, got {announcement}.")
    announcements.withdraw(found, by=user_of(request))
    return Status(204, None)


@route(router, "GET", "tournaments/{slug}/key/", JoinKey, needs=Scope.COMPETE)
def get_join_key(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """The join key of your invited event."""
    return {"key": find_managed(request, slug).join_key}


@route(router, "POST", "tournaments/{slug}/key/", JoinKey, needs=Scope.COMPETE, refuses=(409,))
def renew_join_key(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Replace the join key of your invited event, because the old one leaked."""
    tournament = find_managed(request, slug)
    registration.renew_key(tournament, by=user_of(request))
    tournament.refresh_from_db(fields=["join_key"])
    return {"key": tournament.join_key}


@route(router, "GET", "tournaments/{slug}/reveal/", RevealOut)
def get_reveal(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """What an event hides, and which places of its final table are revealed."""
    return _reveal(find(slug))


@route(router, "POST", "tournaments/{slug}/reveal/", RevealOut, needs=Scope.COMPETE, refuses=(409,))
def reveal_results(request: HttpRequest, slug: Path[Slug], wish: Body[RevealWish]) -> dict[str, Any]:
    """Reveal the hidden results of your event, place by place or all at once."""
    tournament = find_managed(request, slug)
    if wish.after is None:
        hidden_results_reveal.reveal(tournament, by=user_of(request))
    else:
        hidden_results_reveal.reveal_next(tournament, wish.after, by=user_of(request))
    return _reveal(find(slug))


def _reveal(tournament: Tournament) -> dict[str, Any]:
    found = reveal_page_of(tournament, organiser=False)
    if found is None:
        raise Http404(f"Expected an event with hidden results, got {tournament.slug!r}.")
    return reveal_out(found)


@route(router, "GET", "tournaments/{slug}/matches/{round}/{table}/sheet/", SheetOut)
def get_sheet(
    request: HttpRequest, slug: Path[Slug], round: Path[Number], table: Path[Number]
) -> dict[str, Any]:
    """The score sheet of a match: what each side wrote down, deal by deal."""
    tournament = find(slug)
    pairings = tournament.pairings.select_related("first__version__bot", "second__version__bot")
    pairing: Pairing | None = pairings.filter(round=round, table=table, second__isnull=False).first()
    rule = tournament.match_rule
    if pairing is None or rule is None:
        raise Http404(f"Expected a match of {slug!r} with a score sheet, got round {round}, table {table}.")
    cancelled = tournament.status == Tournament.Status.CANCELLED
    return sheet_out(score_sheets.sheet(pairing, rule), cancelled=cancelled)
