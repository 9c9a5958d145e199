"""Ratings: asked for with every accepted pair, computed once for a burst, always from all accepted pairs."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import CharField, DateTimeField, F, Max, Q

import engine
from analysis.intervals import Z95
from analysis.ratings.elo import ANCHOR_ELO
from analysis.ratings.inputs import FitInputs, intervals, pack, pack_covariance
from analysis.ratings.inputs import count_orders as counted_rankings
from analysis.ratings.scheduling import ENOUGH_PAIRS, SETTLED_ERROR
from arena.web.database import database_clock
from arena.web.database.prepared_sql import Param, PreparedUpdate
from arena.web.database.snapshot import consistent_reads
from arena.web.variants import OPEN
from bots.models import Version
from engine.boards import board_name, parse_board
from tournaments.events.news import first_place, tell_beaten
from tournaments.game_messages import rate_on_commit
from tournaments.models import Rating, RatingAnchor, RatingInputs, RatingPoint, RatingState, Tournament
from tournaments.models.embargo import as_shown
from tournaments.ratings.linked_owners import owners_of
from tournaments.ratings.tallies import VersionTally, group_rankings, matches, tallies
from tournaments.ratings.twins import records

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from analysis.ratings.elo import Estimate, Fit
    from analysis.ratings.plackett_luce import GroupFit

DELAY_SECONDS = 5.0
"""How long a first pair waits for others to be counted with it."""

DELAY_A_VERSION = 0.02
"""How much longer for each rated version: a large pool takes long to rate, and a pair moves it little."""

LONGEST_DELAY = 40.0

FORGOTTEN = timedelta(seconds=60)
"""A computation asked for that long ago was lost, and may be asked for again."""

HISTORY_STEP = timedelta(minutes=10)

ANCHOR = "greedy"
"""The house bot whose version is the first fixed point of a scale."""

ANCHOR_ERROR = 12.0
ANCHOR_PAIRS = 300
"""A house version known that well, by so many pairs, becomes an anchor too; its error then stays."""


def request_ratings(tournament: Tournament) -> None:
    """Note that a pair changed and ask for new ratings, once for many. Call in the pair's transaction."""
    if not tournament.rated:
        return
    now, pool = database_clock.now(), pool_of(tournament)
    state = RatingState.objects.filter(variant=pool)
    # Of most pairs the ratings are asked for already.
    if _requested_again(variant=pool, since=now - FORGOTTEN):
        return
    if not state.update(requested=F("requested") + 1):
        RatingState.objects.bulk_create([RatingState(variant=pool)], ignore_conflicts=True)
        state.update(requested=F("requested") + 1)
    idle = Q(scheduled_at=None) | Q(scheduled_at__lt=now - FORGOTTEN)
    if state.filter(idle).update(scheduled_at=now):
        rate_on_commit(pool, delay(pool))


def pool_of(tournament: Tournament) -> str:
    """The pool in which a rated event counts: its variant's, or that of the variant's open boards."""
    return OPEN + tournament.variant if tournament.admits_remote else tournament.variant


@PreparedUpdate
def _requested_again() -> tuple[QuerySet[RatingState], dict[str, Any]]:
    asked = RatingState.objects.filter(variant=Param("variant", CharField()))
    asked = asked.filter(scheduled_at__gte=Param("since", DateTimeField()))
    return asked, {"requested": F("requested") + 1}


def delay(variant: str) -> float:
    """Seconds until a variant is rated again, more for a large pool: it takes a small share of a core."""
    rated = Rating.every.filter(variant=variant).count()
    return min(DELAY_SECONDS + DELAY_A_VERSION * rated, LONGEST_DELAY)


def rate_everything() -> None:
    """Have every variant rated again: whose bots count together has changed. The sweep sees to it."""
    RatingState.objects.update(requested=F("requested") + 1)


@as_shown()
def compute_ratings(variant: str) -> bool:
    """Rate the variant's versions again if pairs have changed since; False if there was nothing to do.

    Two at once do the same work and store the same; the later request wins.
    """
    RatingState.objects.filter(variant=variant).update(scheduled_at=None)
    state = RatingState.objects.filter(variant=variant).first()
    if state is None or state.computed >= state.requested:
        return False
    first_anchor(variant)
    rows, inputs, fits = rate(variant)
    covariances = {board: pack_covariance(one, in_play(inputs[board], board)) for board, one in fits.items()}
    now = database_clock.now()
    for row in rows:
        row.computed_at = now
    with transaction.atomic():
        newest = RatingState.objects.select_for_update().get(pk=variant)
        if newest.computed >= state.requested:
            return False
        leaders = {board: first_place(board) for board in boards(variant)}
        Rating.every.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["version", "variant"],
            update_fields=[*VALUES, "computed_at"],
            batch_size=500,
        )
        for board in boards(variant):
            kept = [row for row in rows if row.variant == board]
            rated = [row.version_id for row in kept]
            Rating.every.filter(variant=board).exclude(version__in=rated).delete()
            _remember(board, kept, now)
            tell_beaten(board, leaders[board], now)
            RatingInputs.objects.update_or_create(
                board=board,
                defaults={
                    "data": pack(inputs[board]),
                    "covariance": covariances[board],
                    "computed_at": now,
                },
            )
        RatingState.objects.filter(pk=variant).update(computed=state.requested, computed_at=now)
        # House bots have the same ratings on the open boards.
        RatingState.objects.filter(pk=OPEN + variant).update(requested=F("requested") + 1)
    return True


def _remember(variant: str, rows: list[Rating], now: datetime) -> None:
    """Keep a point of history for each version that has none of the last minutes and has played since."""
    latest = (
        RatingPoint.every.filter(variant=variant)
        .values("version")
        .annotate(last=Max("at"), played=Max("games"))
        .values_list("version", "last", "played")
    )
    known = {version: (last, played) for version, last, played in latest}
    RatingPoint.every.bulk_create(
        RatingPoint(
            version_id=row.version_id, variant=variant, at=now, elo=row.elo, error=row.error, games=row.games
        )
        for row in rows
        if row.version_id not in known
        or (known[row.version_id][0] <= now - HISTORY_STEP and known[row.version_id][1] != row.games)
    )


VALUES = (
    "elo",
    "error",
    "low",
    "high",
    "provisional",
    "anchored",
    "pairs",
    "games",
    "wins",
    "draws",
    "losses",
    "margin",
    "superiority",
)
"""The fields of a rating that the accepted pairs decide."""


def rate(variant: str) -> tuple[list[Rating], dict[str, FitInputs], dict[str, Fit | GroupFit]]:
    """The ratings of a variant as a pure function of the accepted pairs, not stored; and by board what they
    were computed from and the fit.

    Games of three and four seats are rated apart, as `crapette/3` and `crapette/4`.
    """
    with consistent_reads():
        shared = records()
        counted = {variant: tallies(variant, shared)}
        inputs = {variant: pool_inputs(variant, shared)}
        for board in boards(variant)[1:]:
            inputs[board], counted[board] = _group_inputs(board, shared)
    pool = inputs[variant]
    weighed = pool.rate()
    fitted, ends = weighed.fit, intervals(weighed)
    estimates = zip(fitted.players, fitted.estimates, strict=True)
    of_records = {key: (one, counted[variant].get(key, VersionTally()), ends[key]) for key, one in estimates}
    rows = [_row(variant, key, *found) for key, found in pool.with_sharers(of_records).items()]
    rows.sort(key=lambda row: (row.provisional, -row.elo, row.version_id))
    for row, following in pairwise(rows):
        one, other = pool.record_of(row.version_id), pool.record_of(following.version_id)
        row.superiority = fitted.superiority(one, other)
    fits: dict[str, Fit | GroupFit] = {variant: fitted}
    for board in boards(variant)[1:]:
        of_group = fits[board] = inputs[board].rate_groups()
        by_record = inputs[board].with_sharers(counted[board])
        rated = inputs[board].with_sharers(of_group.by_player())
        rows += [_row(board, key, one, by_record[key]) for key, one in rated.items()]
    return rows, inputs, fits


def boards(variant: str) -> list[str]:
    """The names under which a pool's ratings are kept, by number of seats; two seats first."""
    name = variant.removeprefix(OPEN)
    before = variant.removesuffix(name)
    return [before + board_name(name, seats) for seats in engine.variant(name).players]


def rated_inputs(variant: str) -> dict[str, FitInputs]:
    """By board, all that a variant's ratings are a function of."""
    shared = records()
    found = {variant: pool_inputs(variant, shared)}
    return found | {board: _group_inputs(board, shared)[0] for board in boards(variant)[1:]}


def pool_inputs(variant: str, shared: Mapping[int, int]) -> FitInputs:
    """The inputs between two seats; `shared` are the records of near-twins."""
    met = tuple(matches(variant, shared))
    owners = owners_of(key for match in met for key in (match.first, match.second))
    return _only_met(FitInputs(anchors(variant), met, owners=owners, records=shared), owners)


def _group_inputs(board: str, shared: Mapping[int, int]) -> tuple[FitInputs, dict[int, VersionTally]]:
    """The inputs of several seats, and each record's tally."""
    name, seats = parse_board(board.removeprefix(OPEN))
    variant = OPEN + name if board.startswith(OPEN) else name
    rankings, tallied = group_rankings(variant, seats, shared)
    found = FitInputs(
        anchors(variant), rankings=counted_rankings(rankings), owners=owners_of(tallied), records=shared
    )
    return _only_met(found, tallied), tallied


def _only_met(inputs: FitInputs, players: Container[int]) -> FitInputs:
    """The inputs without the records of those who are not rated."""
    kept = {key: record for key, record in inputs.records.items() if record in players}
    return replace(inputs, records=kept)


def anchors(variant: str) -> dict[int, float]:
    """The versions with a fixed Elo in a pool, the oldest first; an open board has those of its variant."""
    frozen = RatingAnchor.objects.filter(variant=variant.removeprefix(OPEN))
    return dict(frozen.values_list("version", "elo"))


def first_anchor(variant: str) -> None:
    """See that a variant has an anchor: the present version of the anchor bot, at 1500 for good."""
    variant = variant.removeprefix(OPEN)
    if RatingAnchor.objects.filter(variant=variant).exists():
        return
    found = Version.objects.active_on(variant).filter(bot__slug=ANCHOR, bot__is_house=True).first()
    if found is not None:
        RatingAnchor.objects.get_or_create(variant=variant, version=found, defaults={"elo": ANCHOR_ELO})


def freeze_anchors(variant: str) -> int:
    """Make anchors of house versions that are well known, where they stand; how many new ones there are.

    With several of them the scale does not hang on one bot, nor move when it gets a new version.
    """
    known = Rating.objects.filter(
        variant=variant,
        version__bot__is_house=True,
        anchored=True,
        error__lte=ANCHOR_ERROR,
        pairs__gte=ANCHOR_PAIRS,
    ).exclude(version__in=RatingAnchor.objects.filter(variant=variant).values("version"))
    new = [RatingAnchor(variant=variant, version_id=row.version_id, elo=row.elo) for row in known]
    RatingAnchor.objects.bulk_create(new, ignore_conflicts=True)
    return len(new)


def in_play(inputs: FitInputs, board: str) -> set[int]:
    """The versions a board's ladder may still pair, active ones and anchors, by record."""
    active = Version.objects.active_on(board.removeprefix(OPEN)).filter(bot__withdrawn_at=None)
    return set(map(inputs.record_of, active.values_list("pk", flat=True))) | set(inputs.anchors)


def make_unrated(tournament: Tournament, reason: str) -> None:
    """Take an event out of the ratings as a whole, for good. Call in a transaction."""
    changed = Tournament.objects.filter(pk=tournament.pk, rated=True).update(
        rated=False, unrated_because=reason[:200]
    )
    if changed:
        request_ratings(tournament)  # which still says that it was rated
        tournament.rated, tournament.unrated_because = False, reason[:200]


def _row(
    variant: str,
    key: int,
    estimate: Estimate,
    tally: VersionTally,
    ends: tuple[float | None, float | None] | None = None,
) -> Rating:
    half = Z95 * estimate.error
    low, high = ends or (estimate.elo - half, estimate.elo + half)
    settled = estimate.error <= SETTLED_ERROR or tally.pairs >= ENOUGH_PAIRS
    return Rating(
        low=low,
        high=high,
        provisional=not settled,
        version_id=key,
        variant=variant,
        elo=estimate.elo,
        error=estimate.error,
        anchored=estimate.anchored,
        pairs=tally.pairs,
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        margin=tally.margin_sum / tally.pairs if tally.pairs else 0.0,
    )
