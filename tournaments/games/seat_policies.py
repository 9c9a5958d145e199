"""Chooses the policy that plays each seat on when luck is measured, and tallies games for that choice.

Nothing that is chosen here may depend on the cards of the game that is measured, or its luck would not have
mean zero. So a bot's policy is chosen by games of other deals whose tallies were there before the first game
of the pair began. A version of a bot never changes: its first games in a variant are tallied, and only those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Min

import engine
from analysis.luck.policy_agreement import tallies
from analysis.values.seat_policies import UNKNOWN, choose_policy, of_house
from tournaments.models import Attempt, PolicyTally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analysis.values.seat_policies import Policies, SeatPolicy
    from bots.models import Version
    from engine import Position
    from tournaments.models import Game

TALLIED: Final = 20
"""So many games of a version in a variant are tallied."""


def policies_of(game: Game) -> Policies:
    """By which policy each of two seats is played on."""
    first, second = (_policy(game, seat.version) for seat in game.seats.all())
    return first, second


def tally(game: Game, start: Position, words: Sequence[str]) -> None:
    """Keep what the game tells about its bots, if that is still asked for. Raises BrokenRecord."""
    variant = game.tournament.variant
    asked = [
        seat
        for seat in game.seats.all()
        if _known(variant, seat.version) is None
        and PolicyTally.objects.filter(version=seat.version, variant=variant).count() < TALLIED
    ]
    if not asked:
        return
    found = tallies(start, words)
    PolicyTally.objects.bulk_create(
        [
            PolicyTally(game=game, seat=one.seat, version=one.version, variant=variant, tally=found[one.seat])
            for one in asked
        ],
        ignore_conflicts=True,
    )


def _policy(game: Game, version: Version) -> SeatPolicy:
    """The policy that a version is most like, by what was known when the pair began."""
    known = _known(game.tournament.variant, version)
    if known is not None:
        return known
    began = Attempt.objects.filter(game__pair=game.pair_id).aggregate(at=Min("started_at"))["at"]
    if began is None:  # it was never played by a worker
        return UNKNOWN
    variant = game.tournament.variant
    earlier = PolicyTally.objects.filter(version=version, variant=variant, tallied_at__lt=began)
    earlier = earlier.exclude(game__pair__deal_seed=game.pair.deal_seed)
    return choose_policy(list(earlier.values_list("tally", flat=True)))


def _known(variant: str, version: Version) -> SeatPolicy | None:
    """The policy of a house bot, None where only games can tell."""
    if not version.bot.is_house:
        return None
    return of_house(version.bot.slug.removeprefix("house-"), ticks=engine.variant(variant).in_ticks)
