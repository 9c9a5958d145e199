"""The audit: computes everything that was counted along the way again from the results, and compares. It also
searches for ratings that hang on one owner, and for matches that contradict everything else."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.db.models import Count, F, Q

from analysis.ratings.group_pools import group_shifts, odd_couples
from analysis.ratings.pools import FLAGGED_RESIDUAL, shifts
from arena.web.database import database_clock
from arena.web.database.snapshot import consistent_reads
from arena.web.processes.alarms import clear_alarm, raise_alarm
from arena.web.variants import OPEN
from bots.models import Version
from engine.boards import parse_board
from tournaments.models import Alarm, Game, Pair, Pairing, Rating, RatingState, Result
from tournaments.pairing.matches import forfeited_match, match_state
from tournaments.pairing.pairs import outcome_of, points_of
from tournaments.ratings.ratings import VALUES, boards, freeze_anchors, rate, rated_inputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from analysis.ratings.inputs import FitInputs
    from analysis.ratings.pools import Shift

    Rows = list[dict[str, Any]]

TOLERANCE = 1e-6
SHOWN = 20


def audit_all() -> dict[str, list[str]]:
    """Audit every variant with accepted pairs; return differences by variant.

    Any difference raises an alarm.
    """
    variants = set(RatingState.objects.values_list("variant", flat=True)) | set(
        Pairing.objects.filter(pairs_done__gt=0).values_list("tournament__variant", flat=True).distinct()
    )
    return {variant: audit(variant) for variant in sorted(variants)}


def audit(variant: str) -> list[str]:
    """Return the differences found in a variant, as sentences; there should be none."""
    found = [*_games(variant), *_pairings(variant), *_matches(variant), *_ratings(variant)]
    freeze_anchors(variant)
    now = database_clock.now()
    RatingState.objects.update_or_create(
        variant=variant,
        defaults={
            "audited_at": now,
            "audit": {"differences": found[:SHOWN], "count": len(found), "integrity": examine(variant)},
        },
    )
    if found:
        raise_alarm(Alarm.Kind.AUDIT, variant, f"{len(found)} differences, the first: {found[0]}")
    else:
        clear_alarm(Alarm.Kind.AUDIT, variant)
    return found


def _games(variant: str) -> list[str]:
    """Check that finished games have one result and record, and accepted pairs all their legs."""
    ours = Q(tournament__variant=variant)
    lost = Game.objects.filter(ours, status=Game.Status.FINISHED).filter(Q(result=None) | Q(record=None))
    early = Result.objects.filter(game__tournament__variant=variant).exclude(
        game__status__in=(Game.Status.FINISHED, Game.Status.VOID)
    )
    uneven = (
        Pair.objects.filter(pairing__tournament__variant=variant, status=Pair.Status.ACCEPTED)
        .annotate(results=Count("games__result"))
        .exclude(results=F("pairing__tournament__players"))
    )
    return [
        *(f"Game {game.pk} is finished without a result or record." for game in lost[:SHOWN]),
        *(f"Game {result.pk} has a result but is not finished." for result in early[:SHOWN]),
        *(f"Pair {pair.pk} is accepted with {pair.results} results." for pair in uneven[:SHOWN]),
    ]


def _pairings(variant: str) -> list[str]:
    """Check that each pairing's counters are the sums over its accepted pairs, all of one moment."""
    with consistent_reads():
        return _sums_differ(variant)


def _sums_differ(variant: str) -> list[str]:
    added: dict[int, list[float]] = {}
    results = (
        Result.objects.filter(game__tournament__variant=variant, game__pair__status=Pair.Status.ACCEPTED)
        .select_related("game__pair")
        .order_by("game__pair_id", "game__leg")
    )
    differences = []
    for pair, group in groupby(results.iterator(chunk_size=2000), key=lambda result: result.game.pair):
        legs = list(group)
        outcome = outcome_of(pair, legs)
        points = points_of(legs)
        if pair.points_first is not None and points != (pair.points_first, pair.points_second):
            differences.append(
                f"Pair {pair.pk} has points {pair.points_first} and {pair.points_second}, its games {points}."
            )
        sums = added.setdefault(pair.pairing_id, [0, 0, 0, 0, 0.0])
        for index, value in enumerate((1, outcome.wins, outcome.draws, outcome.losses, outcome.margin)):
            sums[index] += value
    for pairing in Pairing.objects.filter(tournament__variant=variant).iterator(chunk_size=2000):
        *expected, margin = added.get(pairing.pk, [0, 0, 0, 0, 0.0])
        counted = [pairing.pairs_done, pairing.wins, pairing.draws, pairing.losses]
        if expected != counted or abs(margin - pairing.margin_sum) > TOLERANCE * (1 + abs(margin)):
            differences.append(f"Pairing {pairing.pk} counts {counted}, its pairs add up to {expected}.")
    return differences


def _matches(variant: str) -> list[str]:
    """Check that each match's score and winner follow from its pairs."""
    differences = []
    matches = Pairing.objects.filter(
        tournament__variant=variant, tournament__options__has_key="match", second__isnull=False
    ).select_related("tournament")
    for key in list(matches.values_list("pk", flat=True)):
        with consistent_reads():  # a pair may be accepted in between
            differences += _match_differs(matches.get(pk=key))
    return differences


def _match_differs(pairing: Pairing) -> list[str]:
    """How a match is written down otherwise than its pairs make it, as at most one sentence."""
    rule = pairing.tournament.match_rule
    if rule is None:
        return []
    found, stored = match_state(rule, pairing.pk), (pairing.points_first, pairing.points_second)
    result = forfeited_match(pairing) or found.result
    if (found.points, result) == (stored, pairing.match):
        return []
    return [
        f"Match {pairing.pk} is written down as {stored} {pairing.match!r}, "
        f"its pairs make it {found.points} {result!r}."
    ]


def _ratings(variant: str) -> list[str]:
    """Check that the stored ratings follow from the accepted pairs, unless some are being counted."""
    with consistent_reads():
        # House bots' ratings on open boards are those of the variant.
        states = RatingState.objects.filter(variant__in=(variant, variant.removeprefix(OPEN)))
        if not states.exists() or states.filter(computed__lt=F("requested")).exists():
            return []
        stored = {
            (row.variant, row.version_id): row for row in Rating.every.filter(variant__in=boards(variant))
        }
        rows, *_ = rate(variant)
    fresh = {(row.variant, row.version_id): row for row in rows}
    alone = sorted(stored.keys() ^ fresh.keys())
    differences = [f"Version {key} is rated on one side only in {board}." for board, key in alone]
    for key in sorted(stored.keys() & fresh.keys()):
        for name in VALUES:
            old, new = getattr(stored[key], name), getattr(fresh[key], name)
            if old != new and (old is None or new is None or abs(old - new) > TOLERANCE * (1 + abs(new))):
                differences.append(f"The {name} of version {key[1]} is stored as {old}, computed as {new}.")
    return differences


SHOWN = 50


def examine(variant: str) -> dict[str, Any]:
    """What is suspicious in a variant, as JSON for the integrity page; it changes no rating."""
    with consistent_reads():
        inputs = rated_inputs(variant)
        names = _names(key for one in inputs.values() for key in one.owners)
    moved, odd = list[dict[str, Any]](), list[dict[str, Any]]()
    for board, found in inputs.items():
        seats = parse_board(board.removeprefix(OPEN))[1]
        many = "" if seats == 2 else f" ({seats} seats)"
        for flags, rows in zip((moved, odd), (_pairs, _groups)[seats > 2](found, names), strict=True):
            flags += [row | {key: row[key] + many for key in ("bot", "first") if key in row} for row in rows]
    return {"shifts": moved[:SHOWN], "matches": odd[:SHOWN], "counts": [len(moved), len(odd)]}


def _pairs(inputs: FitInputs, names: Mapping[int, tuple[str, str]]) -> tuple[Rows, Rows]:
    """Ratings that hang on one owner, and odd matches, between two seats."""
    weighed = inputs.rate()
    odd = sorted(
        (
            (residual, match)
            for residual, match in zip(weighed.residuals, weighed.matches, strict=True)
            if abs(residual) > FLAGGED_RESIDUAL
        ),
        key=lambda one: -abs(one[0]),
    )
    matches = [
        _odd(names, match.first, match.second, match.pairs, residual) | {"weight": round(match.weight, 3)}
        for residual, match in odd
    ]
    return _moved(shifts(inputs.matches, inputs.owners, inputs.anchors), inputs, names), matches


def _groups(inputs: FitInputs, names: Mapping[int, tuple[str, str]]) -> tuple[Rows, Rows]:
    """The same for several seats."""
    found = odd_couples(inputs.rankings, inputs.rate_groups().by_player())
    couples = [_odd(names, one.first, one.second, one.deals, one.residual) for one in found]
    return _moved(group_shifts(inputs.rankings, inputs.owners, inputs.anchors), inputs, names), couples


def _moved(found: Iterable[Shift], inputs: FitInputs, names: Mapping[int, tuple[str, str]]) -> Rows:
    by_owner = {owner: names[key][1] for key, owner in inputs.owners.items()}
    return [
        {
            "owner": by_owner[one.owner],
            "bot": names[one.player][0],
            "elo": round(one.elo, 1),
            "errors": round(one.errors, 1),
        }
        for one in found
    ]


def _odd(
    names: Mapping[int, tuple[str, str]], first: int, second: int, pairs: int, residual: float
) -> dict[str, Any]:
    return {
        "first": names[first][0],
        "second": names[second][0],
        "pairs": pairs,
        "residual": round(residual, 1),
    }


def _names(versions: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Each version's name and its owner's."""
    found = Version.objects.in_bulk(list(versions))
    rows = Version.objects.filter(pk__in=list(found)).select_related("bot__owner")
    return {
        one.pk: (str(one), one.bot.owner.get_username() if one.bot.owner else "the house") for one in rows
    }
