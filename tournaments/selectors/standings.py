"""A tournament's table: who met whom with which result, and the standings that follow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from django.db.models import BigAutoField, Q, Sum

from analysis.formats.groups import rank_groups
from analysis.formats.knockout import order_by_place
from analysis.formats.standings import Meeting, Row, forfeit, standings
from analysis.ratings.matches import Match
from analysis.ratings.shared_deals import DealtPair
from analysis.scores import margins
from arena.web.cache.values import shared_rows
from arena.web.prepared_sql import Given
from tournaments.models import Entry, Pair, Pairing, Result
from tournaments.models.hidden import worded
from tournaments.selectors.brackets import KNOCK_OUT, current_bracket
from tournaments.selectors.ratings import PENTA
from tournaments.selectors.stages import forfeits, match_meetings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.db.models import QuerySet

    from tournaments.models import Tournament


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


@worded
def _met() -> QuerySet[Pairing, tuple[Any, ...]]:
    """Who met in a tournament. Plain rows: of 19,900 pairings the objects alone would cost half a second."""
    here = Pairing.objects.filter(tournament=Given("tournament", BigAutoField()))
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
