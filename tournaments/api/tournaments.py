"""Tournaments and ladders: what they are, where they stand, and what their owners do."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count
from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import Body, Path, Query, Router, Status

from analysis.errors import InvalidTournament
from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.paging import USUAL, Cursor, Key, Limit, moment, number, page
from arena.api.schemas.common import Key as RowKey
from arena.api.schemas.common import Number, Slug, Variant
from arena.web import names
from bots.models import Scope
from engine.boards import board_name
from tournaments.api.tournaments_schemas import (
    Action,
    Done,
    Entering,
    Entrant,
    Entries,
    EntryOut,
    Format,
    Ladders,
    MatchPage,
    PairPage,
    StandingsOut,
    StatusName,
    TournamentChanges,
    TournamentOut,
    TournamentPage,
    TournamentWish,
    VoidWish,
    entry_out,
    match_out,
    pair_out,
    standings_out,
    tournament_out,
)
from tournaments.events import creation, registration
from tournaments.events.brackets import find_bracket
from tournaments.events.edits import EventDetails, edit_event
from tournaments.events.organiser_rights import may_manage
from tournaments.events.standings import count
from tournaments.events.standings import progress as progress_of
from tournaments.models import Entry, Pair, Tournament
from tournaments.pairing import progress
from tournaments.pairing.embargo import Hiding, stuck_pairs
from tournaments.pairing.groups import with_groups
from tournaments.pairing.matches import with_match
from tournaments.pairing.pairs import ask_or_void
from tournaments.ratings.leaderboards import board_of, ladders
from tournaments.ratings.tallies import by_rating
from tournaments.series import events as series_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.accounts.models import User

router = Router()
NEWEST = (Key("created_at", moment), Key("pk", number))
BY_TABLE = (Key("round", number, descending=False), Key("table", number, descending=False))
LAST_MADE = (Key("pk", number),)
COLUMNS = {"closes": "registration_until", "starts": "starts_at", "pairs": "pairs_per_pairing"}
TIMES = ("closes", "starts")
AS_ENTERED = (Tournament.Format.ROUND_ROBIN, Tournament.Format.GAUNTLET)


def describe(found: Sequence[Tournament]) -> list[dict[str, Any]]:
    """Tournaments as everyone sees them; the same few queries for all of them."""
    counted = count(found)
    entered = dict(
        Entry.objects.filter(tournament__in=[one.pk for one in found])
        .order_by()
        .values_list("tournament")
        .annotate(Count("pk"))
    )
    stuck = stuck_pairs(found)
    return [
        tournament_out(
            one,
            entered.get(one.pk, 0),
            progress_of(one, counted[one.pk], entered.get(one.pk, 0), stuck.get(one.pk, 0)),
        )
        for one in found
    ]


def find(slug: str, **narrowed: Any) -> Tournament:
    """A tournament by its slug; a 404 if there is none."""
    found = Tournament.objects.select_related("owner").filter(slug=slug, **narrowed).first()
    if found is None:
        raise Http404(f"Expected a tournament, got {slug!r}.")
    return found


def find_managed(request: HttpRequest, slug: str) -> Tournament:
    """A tournament that the caller may manage: an organiser's, or any for staff."""
    found = find(slug)
    if not may_manage(found, user_of(request)):
        raise PermissionDenied
    return found


def versions_of(
    entrants: Sequence[Entrant], user: User, field: str, board: str, *, remote: bool = False
) -> list[int]:
    """The keys of versions named by bot and number, as far as the user may enter them on a board; without a
    number, of the version that plays there."""
    enterable = creation.enterable(user, board, remote=remote)
    keys = []
    for one in entrants:
        named = enterable.filter(bot__slug=one.bot)
        named = named.active_on(board) if one.version is None else named.filter(number=one.version)
        version = named.first()
        if version is None:
            what = f"{one.bot!r} version {one.version}" if one.version else repr(one.bot)
            raise InvalidTournament(f"Expected a version that you may enter, got {what}.", field)
        keys.append(version.pk)
    return keys


@route(router, "GET", "tournaments/", TournamentPage)
def list_tournaments(
    request: HttpRequest,
    status: StatusName | None = Query(None),
    format: Format | None = Query(None),
    variant: Variant | None = Query(None),
    owner: str = Query("", max_length=150, description="A user name."),
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> dict[str, Any]:
    """Tournaments, newest first; ladders and tests are among them."""
    narrowed = {"status": status, "format": format, "variant": variant, "owner__username": owner}
    found = Tournament.objects.filter(**{name: value for name, value in narrowed.items() if value})
    rows, following = page(found.select_related("owner"), NEWEST, cursor, limit)
    return {"items": describe(rows), "next": following}


@route(router, "POST", "tournaments/", TournamentOut, needs=Scope.COMPETE, status=201)
def create_tournament(request: HttpRequest, wish: Body[TournamentWish]) -> Status[Any]:
    """Hold a tournament.

    It starts at once, unless others may enter first or it has a later start.
    """
    with transaction.atomic():
        tournament = creation.create_tournament(read_wish(wish, user := user_of(request)), user)
        series_events.put(tournament, user, wish.series)
    if tournament.registration_until is None and tournament.starts_at is None:
        progress.start_in_a_worker(tournament)
    return Status(201, describe([find(tournament.slug)])[0])


def _hiding(wish: TournamentWish) -> Hiding | None:
    if wish.hide is None:
        return None
    hide = wish.hide
    return Hiding(hide.last_rounds, hide.since, hide.reveal, hide.reveal_at, hide.organiser_sees)


def read_wish(wish: TournamentWish, user: User) -> creation.NewTournament:
    """The tournament that a user asks for. Raises InvalidTournament."""
    flaw = names.hidden_flaw(wish.name)
    if flaw:
        raise InvalidTournament(flaw, "name")
    board = board_name(wish.variant, wish.players)
    keys = versions_of(wish.entrants, user, "entrants", board, remote=wish.admits_remote)
    if wish.format not in AS_ENTERED:
        keys = by_rating(keys, wish.variant)
    closes = wish.closes or (
        timezone.now() + timedelta(minutes=wish.registration) if wish.registration else None
    )
    new = creation.NewTournament(
        name=wish.name,
        description=wish.description,
        versions=tuple(keys),
        variant=wish.variant,
        players=wish.players,
        format=wish.format,
        cycles=wish.cycles,
        rounds=wish.rounds,
        pairs_per_pairing=wish.pairs,
        bank_ms=wish.bank_ms,
        increment_ms=wish.increment_ms,
        rated=wish.rated or not user.is_staff,
        registration_until=closes,
        starts_at=wish.starts,
        invited=wish.invited,
        admits_remote=wish.admits_remote,
        hiding=_hiding(wish),
    )
    if wish.format == Tournament.Format.GROUPS:
        rule = (wish.groups, wish.advance, 0 if wish.match else wish.knockout_pairs)
        new = with_groups(new, *rule)
    return new if wish.match is None else with_match(new, wish.match.kind, wish.match.target)


@route(router, "GET", "tournaments/{slug}/", TournamentOut)
def get_tournament(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """A tournament, and how far it has come."""
    return describe([find(slug)])[0]


@route(router, "PATCH", "tournaments/{slug}/", TournamentOut, needs=Scope.COMPETE, refuses=(409,))
def edit_tournament(
    request: HttpRequest, slug: Path[Slug], changes: Body[TournamentChanges]
) -> dict[str, Any]:
    """Change a tournament of yours before it starts.

    The owners of its bots are told when a time changes.
    """
    tournament = find_managed(request, slug)
    sent = changes.model_dump(exclude_unset=True).items()
    asked = {COLUMNS.get(name, name): one for name, one in sent if one is not None or name in TIMES}
    if (name := asked.get("name")) and name != tournament.name and (flaw := names.hidden_flaw(name)):
        raise InvalidTournament(flaw, "name")
    edit_event(tournament, replace(EventDetails.of(tournament), **asked), by=user_of(request))
    return describe([find(slug)])[0]


@route(router, "GET", "tournaments/{slug}/standings/", StandingsOut)
def get_standings(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """The standings of a tournament, best first."""
    return {"tournament": slug, "items": standings_out(find(slug))}


@route(router, "GET", "tournaments/{slug}/entries/", Entries)
def list_entries(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Everyone entered in a tournament, in the order of the draw."""
    entries = find(slug).entries.select_related("version__bot").order_by("number")
    return {"items": [entry_out(one) for one in entries]}


@route(
    router,
    "POST",
    "tournaments/{slug}/entries/",
    EntryOut,
    needs=Scope.COMPETE,
    status=201,
    refuses=(409,),
)
def enter_tournament(request: HttpRequest, slug: Path[Slug], entrant: Body[Entering]) -> Status[Any]:
    """Enter a version of yours in a tournament whose registration is open."""
    tournament, user = find(slug), user_of(request)
    board, remote = board_of(tournament), tournament.admits_remote
    version = versions_of([entrant], user, "bot", board, remote=remote)[0]
    return Status(201, entry_out(registration.join(tournament, version, user, entrant.key)))


@route(
    router,
    "DELETE",
    "tournaments/{slug}/entries/{number}/",
    needs=Scope.COMPETE,
    status=204,
    refuses=(409,),
)
def leave_tournament(request: HttpRequest, slug: Path[Slug], number: Path[Number]) -> Status[Any]:
    """Remove a version from a tournament whose registration is open.

    Its owners and the organisers of the tournament may.
    """
    tournament, user = find(slug), user_of(request)
    entry = tournament.entries.select_related("tournament", "version__bot").filter(number=number).first()
    if entry is None:
        raise Http404(f"Expected an entrant of {slug!r}, got number {number}.")
    if not entry.version.bot.is_owned_by(user) and not may_manage(tournament, user):
        raise PermissionDenied
    registration.leave(entry, by=user)
    return Status(204, None)


@route(router, "POST", "tournaments/{slug}/clone/", TournamentOut, needs=Scope.COMPETE, status=201)
def clone_tournament(request: HttpRequest, slug: Path[Slug]) -> Status[Any]:
    """Copy a tournament, with the same rules and entrants and new deals.

    The copy is a draft of yours. Start it when you are ready.
    """
    again = registration.clone_tournament(find(slug), user_of(request))
    return Status(201, describe([again])[0])


@route(router, "GET", "tournaments/{slug}/matches/", MatchPage)
def list_matches(
    request: HttpRequest, slug: Path[Slug], cursor: Cursor = "", limit: Limit = USUAL
) -> dict[str, Any]:
    """Who meets whom in a tournament, by round and table."""
    tournament = find(slug)
    numbers = dict(tournament.entries.values_list("pk", "number"))
    rows, following = page(tournament.pairings.all(), BY_TABLE, cursor, limit)
    bracket = find_bracket(tournament)
    return {"items": [match_out(tournament, one, numbers, bracket) for one in rows], "next": following}


@route(router, "GET", "tournaments/{slug}/pairs/", PairPage)
def list_pairs(
    request: HttpRequest,
    slug: Path[Slug],
    round: Number | None = Query(None),
    table: Number | None = Query(None),
    cursor: Cursor = "",
    limit: Limit = USUAL,
) -> dict[str, Any]:
    """The pairs of a tournament, the last made first."""
    narrowed = {"pairing__round": round, "pairing__table": table}
    found = Pair.objects.filter(
        pairing__tournament=find(slug), **{name: value for name, value in narrowed.items() if value}
    )
    rows, following = page(
        found.select_related("pairing").prefetch_related("games"), LAST_MADE, cursor, limit
    )
    return {"items": [pair_out(one) for one in rows], "next": following}


@route(
    router,
    "POST",
    "tournaments/{slug}/pairs/{pair}/void/",
    Done,
    needs=Scope.COMPETE,
    refuses=(409,),
)
def void_pair(
    request: HttpRequest, slug: Path[Slug], pair: Path[RowKey], wish: Body[VoidWish]
) -> dict[str, Any]:
    """Void a pair, so that it is played again on the same deal.

    The tournament's organisers and staff can do this. In a rated event, staff and the owners of the pair's
    bots can only ask for it; staff who do not see the result then decide.
    """
    found = (
        Pair.objects.select_related("pairing__tournament", "pairing__first", "pairing__second")
        .filter(pk=pair, pairing__tournament__slug=slug)
        .first()
    )
    if found is None:
        raise Http404(f"Expected a pair of {slug!r}, got {pair}.")
    return {"message": ask_or_void(found, user_of(request), wish.reason)}


@route(router, "GET", "ladders/", Ladders)
def list_ladders(request: HttpRequest) -> dict[str, Any]:
    """Every ladder, in the order of the boards."""
    return {"items": describe(ladders())}


# Last, as it would take any of the addresses above for an action.
@route(
    router,
    "POST",
    "tournaments/{slug}/{action}/",
    TournamentOut,
    needs=Scope.COMPETE,
    refuses=(409,),
)
def manage_tournament(request: HttpRequest, slug: Path[Slug], action: Path[Action]) -> dict[str, Any]:
    """Start, pause, resume or cancel a tournament of yours.

    An event that an organiser cancels is no longer rated.
    """
    tournament = find_managed(request, slug)
    progress.ACTIONS[action](tournament, by=user_of(request))
    return describe([find(slug)])[0]
