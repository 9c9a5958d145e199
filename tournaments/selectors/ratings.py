"""What ratings are made of: accepted pairs, summed by who met whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F, Sum

from analysis.ratings.matches import Match
from analysis.ratings.pools import HOUSE, may_meet
from analysis.scores import margins
from tournaments.models import Pair, Pairing, Rating, Result
from tournaments.selectors.owners import owners_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PENTA = ("penta_0", "penta_1", "penta_2", "penta_3", "penta_4")


@dataclass(slots=True)
class VersionTally:
    """A version's games in a variant."""

    pairs: int = 0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    margin_sum: float = 0.0

    def add(self, wins: int, draws: int, losses: int, pairs: int, margin: float) -> None:
        """Count a match as this version sees it."""
        self.wins += wins
        self.draws += draws
        self.losses += losses
        self.games += wins + draws + losses
        self.pairs += pairs
        self.margin_sum += margin


def matches(variant: str, records: Mapping[int, int]) -> list[Match]:
    """All accepted pairs of rated tournaments in a variant, by the keys of the two versions.

    `records` are those of `selectors.twins.records`.
    """
    return [
        Match(row["one"], row["other"], tuple(row[f"sum_{name}"] for name in PENTA))
        for row in _rows(variant, records)
    ]


def by_rating(versions: Sequence[int], variant: str) -> list[int]:
    """Keys of versions, the best rated first; those without a rating last, in the order given."""
    elo = dict(Rating.objects.filter(variant=variant, version__in=versions).values_list("version", "elo"))
    return sorted(versions, key=lambda key: -elo.get(key, float("-inf")))


def tallies(variant: str, records: Mapping[int, int]) -> dict[int, VersionTally]:
    """Each record's games, wins, draws, losses and margins in rated tournaments of a variant."""
    found: dict[int, VersionTally] = {}
    rows = list(_rows(variant, records))
    owners = owners_of(key for row in rows for key in (row["one"], row["other"]))
    for row in rows:
        if not may_meet(owners[row["one"]], owners[row["other"]]):
            continue
        wins, draws, losses = row["sum_wins"], row["sum_draws"], row["sum_losses"]
        pairs, margin = row["sum_pairs"], row["sum_margin"]
        found.setdefault(row["one"], VersionTally()).add(wins, draws, losses, pairs, margin)
        found.setdefault(row["other"], VersionTally()).add(losses, draws, wins, pairs, -margin)
    return found


def group_rankings(
    variant: str, players: int, records: Mapping[int, int]
) -> tuple[list[list[list[list[int]]]], dict[int, VersionTally]]:
    """The rankings of all games of several seats in accepted pairs, in lists of one deal each, and each
    version's tally.

    First alone counts as won, last alone as lost, anything else as drawn.
    """
    results = (
        Result.objects.filter(
            game__tournament__variant=variant,
            game__tournament__players=players,
            game__tournament__rated=True,
            game__pair__status=Pair.Status.ACCEPTED,
        )
        .select_related("game__pair")
        .prefetch_related("game__seats")
    )
    deals: dict[str, list[list[list[int]]]] = {}
    counted: dict[int, VersionTally] = {}
    owners = owners_of(seat.version_id for result in results for seat in result.game.seats.all())
    for result in results:
        versions = {
            seat.seat: records.get(seat.version_id, seat.version_id) for seat in result.game.seats.all()
        }
        authors = [owners[version] for version in versions.values() if owners[version] != HOUSE]
        if len(set(authors)) < len(authors):
            continue  # two bots of one author may help each other
        ranking = [[versions[seat] for seat in group] for group in result.ranking]
        deals.setdefault(result.game.pair.deal_seed, []).append(ranking)
        worth = margins(result.points, result.left, result.culprit)
        for seat, version in versions.items():
            won, lost = ranking[0] == [version], ranking[-1] == [version]
            tally = counted.setdefault(version, VersionTally())
            # A pair is as many games as there are seats.
            tally.add(
                int(won), int(not (won or lost)), int(lost), int(result.game.leg == 0), worth[seat] / players
            )
    return list(deals.values()), counted


def _rows(variant: str, records: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """Sums over pairings, a row for each two versions that met (in the order they were named), by record."""
    sums: Any = (
        Pairing.objects.filter(
            tournament__variant=variant, tournament__rated=True, tournament__players=2, pairs_done__gt=0
        )
        .values(one=F("first__version"), other=F("second__version"))
        .annotate(
            sum_wins=Sum("wins"),
            sum_draws=Sum("draws"),
            sum_losses=Sum("losses"),
            sum_pairs=Sum("pairs_done"),
            sum_margin=Sum("margin_sum"),
            **{f"sum_{name}": Sum(name) for name in PENTA},
        )
        .order_by("one", "other")
    )
    for row in sums:
        row["one"], row["other"] = (records.get(key, key) for key in (row["one"], row["other"]))
        if row["one"] != row["other"]:
            yield row
