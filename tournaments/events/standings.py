"""Where a tournament stands: its table, made of who met whom with which result, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any

from django.db.models import BigAutoField, Count, DateTimeField, Min, Q, Sum
from django.utils import timezone

from analysis.errors import InvalidTournament
from analysis.formats.bracket import order_by_place
from analysis.formats.groups import rank_groups
from analysis.formats.plans import size
from analysis.formats.standings import Meeting, Row, forfeit, standings
from analysis.ratings.match_arrays import Match
from analysis.ratings.shared_deals import DealtPair
from analysis.scores import margins
from arena.web.cache.values import shared_rows
from arena.web.database.prepared_sql import Param, some, values_of
from tournaments.events.brackets import KNOCK_OUT, current_bracket
from tournaments.models import Entry, Game, Pair, Pairing, Result
from tournaments.models.embargo import prepare_query
from tournaments.pairing.groups import forfeits, match_meetings, pairing_meetings
from tournaments.ratings.tallies import PENTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from tournaments.models import Tournament


RECENT = timedelta(minutes=5)
"""What counts as lately."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant with its row, which has tie-breaks and place, and the rounds of its byes."""

    entry: Entry
    row: Row
    byes: Sequence[int] = ()


def tournament_standings(tournament: Tournament, met: Sequence[Meeting] | None = None) -> list[Standing]:
    """All entrants, best first: the only standings there are, for pages, pairings and downloads.

    `met` are the tournament's `meetings`, if the caller has read them already. In a knock-out the bracket
    decides the places: points do not say how far an entrant came, as some had byes. Whoever is still in it
    shares the first place. With groups it does so before the places in the groups.
    """
    entries = entrants(tournament.pk)  # seen by everybody: they must not be changed
    gauntlet = tournament.format == tournament.Format.GAUNTLET
    met = meetings(tournament) if met is None else met
    byes, worth = bye_rounds(tournament), bye_worth(tournament)
    bonus = {entry: worth * len(rounds) for entry, rounds in byes.items()}
    rows = standings(list(entries), met, bonus, per_game=gauntlet)
    if tournament.format in KNOCK_OUT and len(entries) > 1:
        state = current_bracket(tournament, list(entries.values())).state
        rows = order_by_place(rows, rank_groups((), list(entries), state))
    elif tournament.format == tournament.Format.GROUPS:
        rows = _staged(tournament, entries, rows)
    return [Standing(entries[row.entrant], row, byes.get(row.entrant, ())) for row in rows]


def _staged(tournament: Tournament, entries: dict[int, Entry], rows: list[Row]) -> list[Row]:
    """The rows of an event with groups by the places in its bracket, then in the groups."""
    if len(entries) < 2:
        return rows
    found = current_bracket(tournament, list(entries.values()))
    if found.stage is None:
        return rows
    tables = [group.table for group in found.stage.groups]
    return order_by_place(rows, rank_groups(tables, found.stage.decided, found.state))


@shared_rows
def entrants(tournament: int) -> dict[int, Entry]:
    """The entries of a tournament with their bots and owners, by key in the order of their numbers."""
    found = Entry.objects.filter(tournament=tournament).select_related("version__bot__owner")
    return {entry.pk: entry for entry in found.order_by("number")}


def meetings(tournament: Tournament) -> list[Meeting]:
    """What entrants have made against each other so far; in groups everyone plays everyone.

    What bots forfeited that left the event counts as lost by them.
    """
    if tournament.players > 2:
        return group_meetings(tournament)
    if tournament.match_rule is not None:
        met = Pairing.objects.filter(~Q(match=Pairing.Match.OPEN), tournament=tournament)
        return [found for one in met for found in match_meetings(one)]
    met_here = _met().rows(tournament=tournament.pk)
    found = [
        Meeting(first, second, wins, draws, losses, tuple(penta), 2 * margin)
        for first, second, wins, draws, losses, margin, _, _, *penta in met_here
        if wins or draws or losses
    ]
    for first, second, *_, pairs, by in (row[:8] for row in met_here if row[7] is not None):
        found += forfeit((first, second), by, 2 * pairs)
    return found


@prepare_query
def _met() -> QuerySet[Pairing, tuple[Any, ...]]:
    """Who met in a tournament. Plain rows: of 19,900 pairings the objects alone would cost half a second."""
    here = Pairing.objects.filter(tournament=Param("tournament", BigAutoField()))
    met = here.filter(Q(pairs_done__gt=0) | Q(forfeited_by__isnull=False), second__isnull=False)
    forfeited = ("pairs_forfeited", "forfeited_by")
    return met.values_list("first", "second", "wins", "draws", "losses", "margin_sum", *forfeited, *PENTA)


def counted_pairs(tournament: Tournament, met: Sequence[Meeting]) -> int:
    """How many pairs an event's performances are computed from; `met` are its meetings."""
    if tournament.players == 2 and tournament.match_rule is None:
        return sum(sum(one.penta) for one in met)
    return tournament.pairings.aggregate(made=Sum("pairs_done"))["made"] or 0


def entrants_matches(tournament: Tournament) -> tuple[Match, ...]:
    """The accepted pairs of an event between two, by entry, in matches to points, too."""
    rows = Pairing.objects.filter(tournament=tournament, second__isnull=False, pairs_done__gt=0)
    return tuple(
        Match(first, second, tuple(penta))
        for first, second, *penta in rows.values_list("first", "second", *PENTA)
    )


def dealt_pairs(tournament: Tournament) -> list[DealtPair]:
    """The same pairs one by one, with their deals."""
    rows = Pair.objects.filter(
        pairing__tournament=tournament, pairing__second__isnull=False, status=Pair.Status.ACCEPTED
    )
    met = rows.values_list("deal_seed", "pairing__first", "pairing__second", "score")
    return [
        DealtPair(deal, first, second, score)
        for deal, first, second, score in met
        if second is not None and score is not None
    ]


def group_deals(tournament: Tournament) -> list[list[list[list[int]]]]:
    """The finishing orders of entries in games of several seats, in lists of one deal each."""
    deals: dict[str, list[list[list[int]]]] = {}
    for result in group_results(tournament):
        seats = {seat.seat: seat.entry_id for seat in result.game.seats.all()}
        ranking = [[seats[seat] for seat in group] for group in result.ranking]
        deals.setdefault(result.game.pair.deal_seed, []).append(ranking)
    return list(deals.values())


def group_results(tournament: Tournament) -> Iterable[Result]:
    """Results of the accepted pairs, with their seats."""
    return (
        Result.objects.filter(game__tournament=tournament, game__pair__status=Pair.Status.ACCEPTED)
        .select_related("game__pair")
        .prefetch_related("game__seats")
        .order_by("pk")
    )


def group_meetings(tournament: Tournament) -> list[Meeting]:
    """Each game of several seats as a meeting of each two of its seats: won by whoever is ranked higher."""
    found = []
    for result in group_results(tournament):
        seats = {seat.seat: seat.entry_id for seat in result.game.seats.all()}
        rank = {seat: place for place, group in enumerate(result.ranking) for seat in group}
        worth = margins(result.points, result.left, result.culprit)
        for one, other in combinations(sorted(seats), 2):
            ahead, behind = rank[one] < rank[other], rank[one] > rank[other]
            found.append(
                Meeting(
                    seats[one],
                    seats[other],
                    int(ahead),
                    int(not (ahead or behind)),
                    int(behind),
                    margin=(worth[one] - worth[other]) * (len(seats) - 1) / len(seats),
                )
            )
    for pairing in Pairing.objects.filter(tournament=tournament, forfeited_by__isnull=False):
        found += forfeits(tournament, pairing)
    return found


def bye_worth(tournament: Tournament) -> float:
    """What a bye is worth in points: half of the games of a round in a Swiss, else nothing."""
    if tournament.format != tournament.Format.SWISS:
        return 0.0
    return 0.5 if tournament.match_rule else tournament.players * tournament.pairs_per_pairing / 2


def bye_rounds(tournament: Tournament) -> dict[int, list[int]]:
    """The rounds in which entries, by key, had byes that are worth points."""
    found: dict[int, list[int]] = {}
    if tournament.format == tournament.Format.SWISS:
        byes = tournament.pairings.filter(second=None).order_by("round")
        for entry, number in byes.values_list("first", "round"):
            found.setdefault(entry, []).append(number)
    return found


@dataclass(frozen=True, slots=True)
class RoundResult:
    """Points from so many games of a round, forfeited ones too; of a bye `opponent` is None."""

    points: float
    games: int = 0
    opponent: int | None = None


def round_results(tournament: Tournament) -> list[dict[int, RoundResult]]:
    """What each entrant (by key) of a Swiss made in each of its rounds; they add up to its points."""
    found: list[dict[int, RoundResult]] = []
    for pairing in tournament.pairings.order_by("round", "table"):
        found += [{} for _ in range(pairing.round - len(found))]
        here = found[pairing.round - 1]
        if pairing.second_id is None:
            here[pairing.first_id] = RoundResult(bye_worth(tournament))
            continue
        made = pairing_meetings(tournament, pairing)
        games = sum(one.wins + one.draws + one.losses for one in made)
        seen = [one if one.first == pairing.first_id else one.reverse() for one in made]
        points = sum(one.wins + one.draws / 2 for one in seen)
        here[pairing.first_id] = RoundResult(points, games, pairing.second_id)
        here[pairing.second_id] = RoundResult(games - points, games, pairing.first_id)
    return found


@dataclass(frozen=True, slots=True)
class Progress:
    """Games of a tournament: how many it has (so far as is known), and how fast they go."""

    planned: int
    finished: int
    running: int
    waiting: int
    per_minute: float
    seconds_left: float | None

    @property
    def percent(self) -> float:
        """Finished of planned."""
        return 100 * self.finished / self.planned if self.planned else 0.0


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted of a tournament: pairs planned in the pairings made so far, those that were forfeited
    besides, pairs that count, games by status, and of the games finished lately how many, and when the first
    of them began."""

    made_pairs: int = 0
    forfeited_pairs: int = 0
    done_pairs: int = 0
    finished: int = 0
    running: int = 0
    queued: int = 0
    void: int = 0
    recent: int = 0
    first: datetime | None = None

    def per_minute(self, now: datetime) -> float:
        """Games a minute, from the first finished within the last five minutes until now."""
        if not self.recent or self.first is None:
            return 0.0
        since = max(self.first, now - RECENT)
        return 60 * self.recent / max((now - since).total_seconds(), 1.0)


def count(tournaments: Iterable[Tournament], now: datetime | None = None) -> dict[int, Counted]:
    """What is counted of each tournament, by its key; three queries for all of them."""
    keys = [one.pk for one in tournaments]
    if not keys:
        return {}
    which = values_of(keys)
    since = (now or timezone.now()) - RECENT
    pairs = {key: [number or 0 for number in rest] for key, *rest in _pairs(len(keys)).rows(**which)}
    games: dict[int, dict[str, int]] = {key: {} for key in keys}
    for key, status, number in _by_status(len(keys)).rows(**which):
        games[key][status] = number
    lately = {key: (number, first) for key, number, first in _lately(len(keys)).rows(**which, since=since)}
    found = {}
    for key in keys:
        made, done, forfeited = pairs.get(key, (0, 0, 0))
        number, first = lately.get(key, (0, None))
        found[key] = Counted(
            made_pairs=made,
            forfeited_pairs=forfeited,
            done_pairs=done,
            finished=games[key].get(Game.Status.FINISHED, 0),
            running=games[key].get(Game.Status.RUNNING, 0),
            queued=games[key].get(Game.Status.QUEUED, 0),
            void=games[key].get(Game.Status.VOID, 0),
            recent=number,
            first=first,
        )
    return found


@prepare_query
def _pairs(count: int) -> QuerySet[Pairing, tuple[int, int | None, int | None, int | None]]:
    """The pairs of so many tournaments that are planned, count, and were forfeited, by tournament."""
    met = Pairing.objects.filter(tournament__pk__in=some(count, BigAutoField())).order_by()
    return met.values_list("tournament").annotate(
        made=Sum("pairs_planned", filter=Q(second__isnull=False)),
        done=Sum("pairs_done"),
        forfeited=Sum("pairs_forfeited"),
    )


@prepare_query
def _by_status(count: int) -> QuerySet[Game, tuple[int, str, int]]:
    """How many games so many tournaments have, by tournament and status."""
    played = Game.objects.filter(tournament__pk__in=some(count, BigAutoField())).order_by()
    return played.values_list("tournament", "status").annotate(Count("pk"))


@prepare_query
def _lately(count: int) -> QuerySet[Game, tuple[int, int, datetime]]:
    """How many games of so many tournaments ended since then, and when the first of them began."""
    since = Param("since", DateTimeField())
    played = Game.objects.filter(tournament__pk__in=some(count, BigAutoField())).order_by()
    finished = played.filter(status=Game.Status.FINISHED, finished_at__gt=since)
    return finished.values_list("tournament").annotate(Count("pk"), Min("started_at"))


def tournament_progress(
    tournament: Tournament, counted: Counted, entrants: int, now: datetime | None = None
) -> Progress:
    """How far a tournament with so many entrants has come, by what was counted of it."""
    pairs = counted.made_pairs
    if tournament.match_rule is not None or tournament.group_rule is not None:
        pairs = planned_pairs(tournament, entrants, counted)
    planned = pairs * tournament.players
    per_minute = counted.per_minute(now or timezone.now())
    left = planned - counted.finished
    return Progress(
        planned=planned,
        finished=counted.finished,
        running=counted.running,
        waiting=max(0, left - counted.running),
        per_minute=per_minute,
        seconds_left=60 * left / per_minute if per_minute else None,
    )


def planned_pairs(tournament: Tournament, entrants: int, counted: Counted) -> int:
    """How many pairs it will take, or took; for formats where results decide, those planned so far.

    Of matches it is about so many, while they are not over, and of a knock-out after groups at least so many.
    """
    made = counted.made_pairs
    if tournament.status == tournament.Status.FINISHED and tournament.format != tournament.Format.SPRT:
        return made
    try:
        expected = size(
            tournament.format,
            entrants,
            players=tournament.players,
            cycles=tournament.cycles,
            rounds=tournament.rounds,
            pairs=tournament.pairs_per_pairing,
            groups=tournament.group_rule,
        ).pairs
    except InvalidTournament:
        return made
    expected -= counted.forfeited_pairs
    if tournament.match_rule is None and tournament.group_rule is None:
        return expected
    return made if tournament.is_over else max(expected, made)


@dataclass(frozen=True, slots=True)
class ProgressShown:
    """How much of a tournament is played; `total` is exact unless results decide how long it takes."""

    done: int
    total: int
    running: int
    stuck: int

    @property
    def percent(self) -> int:
        """Rounded down, so that 100 means all."""
        return 100 * self.done // self.total if self.total else 0


def points_text(points: float) -> str:
    """Points with a half as people write it: ``3½``."""
    whole, half = divmod(round(points * 2), 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def progress(tournament: Tournament, counted: Counted, entrants: int, stuck: int = 0) -> ProgressShown:
    """How far a tournament with so many entrants has come, in pairs; `stuck` are those set aside."""
    total = planned_pairs(tournament, entrants, counted)
    return ProgressShown(counted.done_pairs, max(total, counted.done_pairs), counted.running, stuck)
