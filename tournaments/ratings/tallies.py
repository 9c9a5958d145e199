"""What ratings are made of: accepted pairs, summed by who met whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, F, OuterRef, Q, Sum, Window
from django.db.models.functions import RowNumber

from analysis.luck.subtracted_share import adjust_pairs
from analysis.ratings.inputs import played_before_comparison
from analysis.ratings.match_arrays import Match
from analysis.ratings.pools import HOUSE, may_meet
from analysis.ratings.scheduling import FIRST_PAIRS
from analysis.scores import Leg, margins, pair_outcome
from analysis.sequential_standing import luck_of_pair
from arena.web.variants import OPEN, variant_title
from bots.models import ActiveVersion, Bot
from tournaments.models import GameLuck, Pair, Pairing, Rating, Result, Seat
from tournaments.ratings.linked_owners import owners_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

PENTA = ("penta_0", "penta_1", "penta_2", "penta_3", "penta_4")
AT_ONCE = 500
"""Keys in one query; databases limit how many there may be."""


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
    """All accepted pairs of rated tournaments in a variant, by the keys of the two versions; those of open
    boards without luck, as no pair there shares a deal that would cancel it.

    `records` are those of `twins.records`.
    """
    among_house = _scale_of(variant) & Q(
        first__version__bot__is_house=True, second__version__bot__is_house=True
    )
    fair = _fair_sums(variant, records) if variant.startswith(OPEN) else {}
    return [
        Match(
            row["one"], row["other"], tuple(row[f"sum_{name}"] for name in PENTA), fair=fair.get(row["met"])
        )
        for row in _rows(variant, records, among_house)
    ]


def _fair_sums(pool: str, records: Mapping[int, int]) -> dict[tuple[int, int], tuple[float, float]]:
    """For each two versions that met on an open board, the sum of the first's scores without luck over pairs,
    and the sum of their squares. A pair whose luck is not measured counts as it was played."""
    uncounted = set(_uncounted(_first_pairs(pool, sorted(records)), records))
    measured: dict[int, dict[int, float]] = {}
    lucks = GameLuck.objects.filter(in_pool(pool, "game__tournament__"), game__tournament__players=2)
    whole = F("deal_result") + F("cards_result")
    for pair, leg, luck in lucks.values_list("game__pair", "game__leg", whole).iterator():
        measured.setdefault(pair, {})[leg] = luck
    pairs = Pair.objects.filter(
        in_pool(pool, "pairing__tournament__"),
        status=Pair.Status.ACCEPTED,
        pairing__tournament__players=2,
    ).order_by("pk")
    played: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for key, *met, score in pairs.values_list(
        "pk", "pairing__first__version", "pairing__second__version", "score"
    ).iterator():
        if key not in uncounted:
            legs = measured.get(key, {})
            luck = luck_of_pair((legs[0], 0.0), (legs[1], 0.0))[0] if legs.keys() >= {0, 1} else 0.0
            played.setdefault((met[0], met[1]), []).append(((score or 0) / 4 - 0.5, luck))
    sums = {}
    for versions, scores_and_lucks in played.items():
        scores = [2 * (0.5 + one) for one in adjust_pairs(scores_and_lucks)]
        sums[versions] = (sum(scores), sum(score * score for score in scores))
    return sums


def in_pool(pool: str, way: str = "tournament__") -> Q:
    """A filter for what counts in a variant's pool, or that of its open board; `way` leads to the event."""
    return Q(
        **{
            f"{way}variant": pool.removeprefix(OPEN),
            f"{way}rated": True,
            f"{way}admits_remote": pool.startswith(OPEN),
        }
    )


def _scale_of(pool: str, way: str = "tournament__") -> Q:
    """Where an open board's scale comes from: what house bots played against each other on the sandboxed
    ladder decides their ratings here, too. So they need not play each other twice."""
    return in_pool(pool.removeprefix(OPEN), way) if pool.startswith(OPEN) else Q(pk__in=())


def by_rating(versions: Sequence[int], variant: str) -> list[int]:
    """Keys of versions in the order of their board; those without a rating last, in the order given."""
    rated = Rating.objects.filter(variant=variant, version__in=versions, games__gt=0)
    places = {key: place for place, key in enumerate(rated.values_list("version", flat=True))}
    return sorted(versions, key=lambda key: places.get(key, len(places)))


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

    First alone counts as won, last alone as lost, anything else as drawn. Of an open board, the games among
    house bots are those of the sandboxed ladder, which no tally counts.
    """
    others = Seat.objects.filter(game=OuterRef("game"), version__bot__is_house=False)
    among_house = _scale_of(variant, "game__tournament__") & ~Exists(others)
    results = (
        Result.objects.filter(
            in_pool(variant, "game__tournament__") | among_house,
            game__tournament__players=players,
            game__pair__status=Pair.Status.ACCEPTED,
        )
        .select_related("game__pair", "game__tournament")
        .prefetch_related("game__seats")
        .order_by("game__pair", "game__leg")
    )
    seated = {
        result.game.pair_id: [seat.version_id for seat in result.game.seats.all()] for result in results
    }
    uncounted = played_before_comparison(seated.items(), records)
    deals: dict[str, list[list[list[int]]]] = {}
    counted: dict[int, VersionTally] = {}
    owners = owners_of(seat.version_id for result in results for seat in result.game.seats.all())
    for result in results:
        if result.game.pair_id in uncounted:
            continue
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
            if result.game.tournament.admits_remote != variant.startswith(OPEN):
                continue
            # A pair is as many games as there are seats.
            tally.add(
                int(won), int(not (won or lost)), int(lost), int(result.game.leg == 0), worth[seat] / players
            )
    return list(deals.values()), counted


def _rows(variant: str, records: Mapping[int, int], also: Q | None = None) -> Iterator[dict[str, Any]]:
    """Sums over pairings, a row for each two versions that met (in the order they were named), by record.

    What near-twins played before they were compared is left out. `also` are further pairings.
    """
    wanted = in_pool(variant) if also is None else in_pool(variant) | also
    sums: Any = (
        Pairing.objects.filter(wanted, tournament__players=2, pairs_done__gt=0)
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
    less = _before_comparison(variant, records)
    for row in sums:
        for name, amount in less.get((row["one"], row["other"]), {}).items():
            row[name] -= amount
        row["met"] = (row["one"], row["other"])
        row["one"], row["other"] = (records.get(key, key) for key in (row["one"], row["other"]))
        if row["one"] != row["other"] and row["sum_pairs"]:
            yield row


def _uncounted(pairs: Mapping[int, tuple[int, int]], records: Mapping[int, int]) -> list[int]:
    """The keys of the pairs that count for no record."""
    return sorted(played_before_comparison(sorted(pairs.items()), records))


def _before_comparison(variant: str, records: Mapping[int, int]) -> dict[tuple[int, int], dict[str, float]]:
    """The sums over pairs that count for no record, by who met, with the names of `_rows`."""
    pairs = _first_pairs(variant, sorted(records))
    uncounted = _uncounted(pairs, records)
    found: dict[tuple[int, int], dict[str, float]] = {}
    for start in range(0, len(uncounted), AT_ONCE):
        legs: dict[int, list[Leg]] = {}
        chosen = Result.objects.filter(game__pair__in=uncounted[start : start + AT_ONCE])
        for one in chosen.select_related("game").order_by("game__pair", "game__leg"):
            leg = Leg(one.game.leg, one.ranking, one.points, one.left, one.culprit)
            legs.setdefault(one.game.pair_id, []).append(leg)
        for key, played in legs.items():
            outcome, sums = pair_outcome(played), found.setdefault(pairs[key], {})
            for name, amount in (
                ("sum_wins", outcome.wins),
                ("sum_draws", outcome.draws),
                ("sum_losses", outcome.losses),
                ("sum_pairs", 1),
                ("sum_margin", outcome.margin),
                (f"sum_penta_{outcome.score}", 1),
            ):
                sums[name] = sums.get(name, 0) + amount
    return found


def _first_pairs(variant: str, versions: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The first pairs of these versions that count, at least `FIRST_PAIRS` of each, with who met in them."""
    found: dict[int, tuple[int, int]] = {}
    counted = Pair.objects.filter(
        in_pool(variant, "pairing__tournament__"),
        status=Pair.Status.ACCEPTED,
        pairing__tournament__players=2,
    )
    for side in ("pairing__first__version", "pairing__second__version"):
        place = Window(RowNumber(), partition_by=F(side), order_by=F("pk").asc())
        for start in range(0, len(versions), AT_ONCE):
            of_these = counted.filter(**{f"{side}__in": versions[start : start + AT_ONCE]})
            rows = of_these.annotate(place=place).filter(place__lte=FIRST_PAIRS)
            for key, one, other in rows.values_list(
                "pk", "pairing__first__version", "pairing__second__version"
            ):
                if other is not None:
                    found[key] = (one, other)
    return found


def bot_ratings(bots: Iterable[Bot], *, on_open_boards: bool = False) -> dict[int, list[Rating]]:
    """The ratings that speak for bots, by key, one a board, the headline first and the most played next.

    On each board the version that plays there speaks, or where that has no rating the newest that has one.
    The headline is on the board that the owner chose, as long as the bot plays and is rated there, else on
    the one that it played most. Open boards count only where they are asked for, and then alone. Two queries,
    however many there are.
    """
    chosen = {bot.pk: bot.headline_board for bot in bots}
    plays = set(ActiveVersion.objects.filter(bot__in=chosen).values_list("version", "board"))
    spoken: dict[int, dict[str, Rating]] = {}
    pool = Rating.every.filter(variant__startswith=OPEN) if on_open_boards else Rating.objects
    rated = pool.filter(version__bot__in=chosen, games__gt=0).select_related("version")
    for rating in rated.order_by("variant", "-version__number"):
        boards = spoken.setdefault(rating.version.bot_id, {})
        if (rating.version_id, rating.variant.removeprefix(OPEN)) in plays:
            boards[rating.variant] = rating
        else:
            boards.setdefault(rating.variant, rating)
    found = {}
    for key, boards in spoken.items():
        here = [(one.version_id, one.variant.removeprefix(OPEN)) in plays for one in boards.values()]
        ranked = [
            (not active, one.variant != chosen[key] or not active, -one.games, one.variant, one)
            for active, one in zip(here, boards.values(), strict=True)
        ]
        found[key] = [one for *_, one in sorted(ranked, key=lambda entry: entry[:4])]
    return found


def headline_ratings(bots: Sequence[Bot]) -> dict[int, Rating]:
    """The headline rating of each bot that has any, by the bot's key."""
    return {key: ratings[0] for key, ratings in bot_ratings(bots).items()}


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """Single games of a bot against another in one variant."""

    bot: str
    url: str
    name: str
    variant: str
    wins: int
    draws: int
    losses: int
    rate: float
    remote: bool


def opponents(bot: Bot) -> list[OpponentRow]:
    """A bot's results by opponent and variant, in two-seat tournaments."""
    total: dict[tuple[str, str, str, str], list[int]] = {}
    for side, other in (("first", "second"), ("second", "first")):
        sums = (
            Pairing.objects.filter(Q(**{f"{side}__version__bot": bot}), pairs_done__gt=0)
            .exclude(**{f"{other}__version__bot": bot})
            .filter(**{f"{other}__isnull": False})
            .values(
                variant=F("tournament__variant"),
                name=F(f"{other}__version__bot__name"),
                slug=F(f"{other}__version__bot__slug"),
                kind=F(f"{other}__version__bot__kind"),
            )
            .annotate(won=Sum("wins"), drawn=Sum("draws"), lost=Sum("losses"))
            .order_by()
        )
        for one in sums:
            counts = total.setdefault((one["variant"], one["name"], one["slug"], one["kind"]), [0, 0, 0])
            won, lost = (one["won"], one["lost"]) if side == "first" else (one["lost"], one["won"])
            for index, value in enumerate((won, one["drawn"], lost)):
                counts[index] += value
    return [_opponent(key, counts) for key, counts in sorted(total.items())]


def _opponent(key: tuple[str, str, str, str], counts: list[int]) -> OpponentRow:
    variant, name, slug, kind = key
    wins, draws, losses = counts
    games = sum(counts)
    rate = (wins + draws / 2) / games if games else 0.5
    is_remote = kind == Bot.Kind.REMOTE
    return OpponentRow(name, slug, variant, variant_title(variant), wins, draws, losses, rate, is_remote)
