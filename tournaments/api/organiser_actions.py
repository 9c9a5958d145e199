"""What organisers do besides, and what everyone takes home: announcements, keys, estimates, score sheets."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest
from ninja import Body, Path, Router, Status
from pydantic import Field

from analysis.formats.matches import rule_of
from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.schemas.common import Key, Number, Schema, Slug, Url
from arena.web.processes.capacity import games_at_once
from bots.models import Scope
from tournaments.api.tournaments import find, find_managed, read_wish
from tournaments.api.tournaments_schemas import TournamentWish
from tournaments.events import announcements, creation, registration
from tournaments.events.announcements import LONGEST
from tournaments.events.estimates import estimate_words, estimated_seconds, staged_words
from tournaments.games import score_sheets
from tournaments.models import Announcement, Tournament
from tournaments.operation.queue import games_before
from tournaments.pairing import hidden_results_reveal
from tournaments.pairing.groups import group_rule
from tournaments.pairing.hidden_results_reveal import reveal_page_of

if TYPE_CHECKING:
    from tournaments.games.score_sheets import Sheet, SheetDeal, SheetEntry
    from tournaments.models import Pairing
    from tournaments.pairing.hidden_results_reveal import Reveal

router = Router()


class EstimateOut(Schema):
    """How large a tournament would be, and how long it would take if nothing else were played."""

    rounds: int
    pairings: int
    pairs: int
    games: int
    seconds: float = Field(examples=[540.0])
    games_before: int = Field(
        description="About how many games from the queue are played before its last one; `text` counts them.",
        examples=[0],
    )
    text: str = Field(examples=["This is 60 games in 3 rounds. It takes about 9 minutes, 2 games at a time."])


class PlaceOut(Schema):
    """One place of the final table that is revealed."""

    place: int
    name: str
    points: str = Field(examples=["3.5"])
    url: Url


class RevealOut(Schema):
    """What an event hides, and the places revealed so far, best first."""

    text: str
    played: bool = Field(description="Whether all games are played, so that places can be revealed.")
    over: bool = Field(description="Whether everything is revealed.")
    revealed: int = Field(description="How many places are revealed, from the bottom.")
    items: list[PlaceOut]


class RevealWish(Schema):
    """What to reveal."""

    after: int | None = Field(
        None, ge=0, description="Reveal one more place if so many are revealed; null: reveal everything."
    )


class JoinKey(Schema):
    """What somebody needs to enter an invited event; empty if everyone may enter."""

    key: str = Field(examples=["Zr9yJb3u1xkq"])


class AnnouncementIn(Schema):
    """Something to tell everyone who looks at an event."""

    text: str = Field(min_length=3, max_length=LONGEST, examples=["Round 3 begins at noon."])


class AnnouncementOut(Schema):
    """What an organiser tells everyone."""

    id: Key
    text: str = Field(examples=["Round 3 begins at noon."])
    at: datetime


class Announcements(Schema):
    """The announcements of an event, newest first."""

    items: list[AnnouncementOut]


class PartOut(Schema):
    """What points were written down for."""

    words: str = Field(examples=["12 cards left"])
    points: int


class SheetEntryOut(Schema):
    """What one side wrote down for a game; `total` is null if the deal does not count."""

    parts: list[PartOut]
    made: int
    total: int | None


class SheetLineOut(Schema):
    """A game: the first entrant's seat, from 1, and both sides' entries once it is over."""

    url: str = Field(examples=["/games/6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d/"])
    seat: int
    reason: str
    entries: list[SheetEntryOut]


class SheetDealOut(Schema):
    """A deal of the match. One that does not count was over after the match was decided."""

    number: int
    run: int
    status: str = Field(examples=["accepted"])
    counts: bool
    lines: list[SheetLineOut]


class SheetOut(Schema):
    """The score sheet of a match."""

    state: str = Field(examples=["Planner v3 won by 42 points after 6 deals."])
    rule: str = Field(examples=["The match ends after 6 deals if a side is ahead."])
    points: list[int] = Field(description="Of the first and the second entrant.")
    over: bool
    fair_margin: float | None = Field(description="The margin without luck; null while it is not measured.")
    deals: list[SheetDealOut]


def announcement_out(one: Announcement) -> dict[str, Any]:
    """An announcement."""
    return {"id": one.pk, "text": one.text, "at": one.at}


def sheet_out(sheet: Sheet, *, cancelled: bool) -> dict[str, Any]:
    """A score sheet."""
    return {
        "state": sheet.state_words(cancelled=cancelled),
        "rule": sheet.rule_words,
        "points": [side.points for side in sheet.sides],
        "over": sheet.stands.over,
        "fair_margin": sheet.fair_margin,
        "deals": [_deal(one) for one in sheet.deals],
    }


def _deal(one: SheetDeal) -> dict[str, Any]:
    return {
        "number": one.number,
        "run": one.run,
        "status": one.status,
        "counts": one.counts,
        "lines": [
            {
                "url": line.url,
                "seat": line.seat,
                "reason": line.reason,
                "entries": [_entry(each) for each in line.entries],
            }
            for line in one.lines
        ],
    }


def _entry(one: SheetEntry) -> dict[str, Any]:
    parts = [{"words": words, "points": points} for words, points in one.parts]
    return {"parts": parts, "made": one.made, "total": one.total}


def reveal_out(found: Reveal) -> dict[str, Any]:
    """A reveal as everyone sees it."""
    return {
        "text": found.note.words,
        "played": found.played,
        "over": found.over,
        "revealed": found.revealed,
        "items": [
            {"place": one.shown_number, "name": one.name, "points": one.points, "url": one.url}
            for one in found.places
            if one.name
        ],
    }


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
def withdraw_announcement(request: HttpRequest, slug: Path[Slug], announcement: Path[Key]) -> Status[Any]:
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
