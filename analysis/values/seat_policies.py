"""Chooses the policy that plays a seat on: the known policy that the seat's bot is most like.

The policies of house bots are known. For any other bot, the choice depends on its earlier games
(`analysis.luck.policy_agreement`), never on the game that is measured, so the measured luck is right on
average whatever is chosen.

*How many ways.* Where both seats do just what their policies do, the games before a card and after the last
one are the same and only those of the first card count: few ways tell much. A seat that searches and does
otherwise now and then takes more of them, but each costs more; where a bot is like none of the policies, the
games tell little, and few are played.

*What share.* Of the luck that greedy games see, the published share is taken away, which least squares found.
A policy that searches is chosen because the bot plays like it: of what its games see, all is taken away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.policies.greedy import TARGETS as GREEDY_TARGETS
from engine.policies.greedy import rank_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Tally = Mapping[str, int]

SEARCHES: Final = {"searches-24": 24, "searches-64": 64, "planner": 500}
"""Policies that search like the house planner, with the number of positions they look at."""
TARGETS: Final = {"greedy": GREEDY_TARGETS, "discards": "drft", "reserves": "rdft"}
"""Policies that rank moves by target, best first: foundation, reserve, discard, house."""
POLICIES: Final = (*TARGETS, *SEARCHES)
"""The policies for games of turns, cheapest first."""
AHEAD: Final = ("plans",)
"""Those that plan ticks ahead as the house planner does."""
TICK_POLICIES: Final = ("greedy", *AHEAD)
"""Those for games in ticks."""
STRETCHES: Final = "stretches"
"""In a tally: how often it was seen what the bot does."""
CHEAP: Final = 64
"""A policy that looks at more positions is used where it is sure alone."""
ENOUGH: Final = 60
"""Stretches that a choice takes, about what one seat plays in a game."""
SURE: Final = 0.995
"""Who agrees so often plays by the policy."""
CLOSE: Final = 0.95
"""A bot that agrees less often with a policy that searches is not played on by it: that would cost much and
tell no more than the greedy bot's games do."""
FAINT: Final = 0.5
"""Who agrees less often plays like none."""
OFTEN: Final = 8
"""So often games that cost much, or tell little, are played on in all ways."""
FEW, SEVERAL, MANY = 4, 8, 16
"""Ways where a bot is like no policy; where both seats are sure and one searches; and where one searches and
is not sure, or often does otherwise than its policy: each card then costs games with it and without."""


class SeatPolicy(NamedTuple):
    """A policy's name, and how often the bot does as it does, 0 to 1."""

    name: str
    agreement: float

    @property
    def nodes(self) -> int:
        """How many positions it looks at, 0 if it does not search."""
        return SEARCHES.get(self.name, 0)

    @property
    def searches(self) -> bool:
        """Whether it looks ahead."""
        return self.name in SEARCHES or self.name in AHEAD


Policies = tuple[SeatPolicy, SeatPolicy]
"""Of seat 0 and of seat 1."""
UNKNOWN: Final = SeatPolicy("greedy", CLOSE)
"""A bot that nobody has seen play."""
UNKNOWNS: Final[Policies] = (UNKNOWN, UNKNOWN)


def choose_policy(tallies: Sequence[Tally], known: SeatPolicy = UNKNOWN) -> SeatPolicy:
    """The policy that a bot is most like by the tallies of its earlier games of a variant, of equal ones the
    cheapest; what is `known` of it where they say too little.

    >>> choose_policy([{"stretches": 100, "greedy": 60, "searches-24": 96, "planner": 96}])
    SeatPolicy(name='searches-24', agreement=0.96)
    """
    total = sum(tally[STRETCHES] for tally in tallies)
    if total < ENOUGH:
        return known
    found = [
        SeatPolicy(name, sum(tally.get(name, 0) for tally in tallies) / total)
        for name in (*POLICIES, *AHEAD)
        if any(name in tally for tally in tallies)
    ]
    return max((one for one in found if one.agreement >= _least(one.name)), key=lambda one: one.agreement)


def _least(name: str) -> float:
    """The agreement that a policy takes: most the one that costs most."""
    if name not in SEARCHES:
        return CLOSE if name in AHEAD else 0.0
    return CLOSE if SEARCHES[name] <= CHEAP else SURE


def of_house(name: str, *, ticks: bool) -> SeatPolicy | None:
    """The policy of a house bot by its name, in whatever language it is written; None where only its games
    can tell. One that plays at random is like none.

    >>> of_house("greedy-js", ticks=False)
    SeatPolicy(name='greedy', agreement=1.0)
    """
    match name.partition("-")[0]:
        case "random":
            return SeatPolicy("greedy", 0.0)
        case "greedy":
            return SeatPolicy("greedy", 1.0)
        case "planner":
            return SeatPolicy("plans" if ticks else "planner", 1.0)
    return None


def searches(policies: Policies) -> bool:
    """Whether a seat looks ahead: then all of the luck seen is taken away."""
    return any(one.searches for one in policies)


def ways(policies: Policies, published: int) -> int:
    """In how many ways games are played on, given how many those of greedy bots are."""
    if any(one.agreement < FAINT for one in policies):
        return FEW
    if not searches(policies):
        return published if all(one.agreement >= CLOSE for one in policies) else min(published, MANY)
    return SEVERAL if all(one.agreement >= SURE for one in policies) else MANY


def full(policies: Policies, published: int) -> int:
    """How often games are played on in all ways, given how often those of greedy bots are: then in fewer and
    fewer. Who does otherwise than a policy that searches makes each card cost a search."""
    return OFTEN if searches(policies) or ways(policies, MANY) == FEW else published


def ranks(names: tuple[str, ...]) -> bytes:
    """The rank tables of both seats as `turns.core.Core.play_ranked` takes them; the greedy bot's for a seat
    that searches, for where it finds nothing to do."""
    first, second = (TARGETS.get(name, TARGETS["greedy"]) for name in names)
    return rank_table((first, second))
