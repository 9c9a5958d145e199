"""Policies that play `vitesse` inside this process, like `policies` for games with turns.

A policy is told the game as everybody may know it (`race_table.RaceTable.view`) and its seat, and answers the
core's number of an action.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.racecore import DISCARD, NOTHING, RESERVE, STOP, TURN
from engine.vitesse import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from engine.racecore import RaceCore

    RacePolicy = Callable[[RaceCore, int], int]

AHEAD: Final = 12
"""Ticks that the planner looks ahead."""
SURE, RESERVE_CARD = 25.0, 1.5
"""What a won game and a card of the reserve are worth to it, in points."""
BELIEF, ROUNDS = 0.5, 60
"""How much of the other's choice it takes for natural, and its rounds of fictitious play."""
KING: Final = 12
_SLOTS_FIRST = ("s1-f", "s2-f", "s3-f", "s4-f", "r-f", "d-f", "turn", "wait")
_RESERVE_FIRST = ("r-f", *_SLOTS_FIRST[:4], *_SLOTS_FIRST[5:])
_PREFERRED: Final = tuple(map(ACTIONS.index, _SLOTS_FIRST))
_GREEDY: Final = tuple(map(ACTIONS.index, _RESERVE_FIRST))
GREEDY: Final = (bytes(_GREEDY) * 2, True)
"""How two greedy bots play, as `RaceCore.play_greedily` takes it."""
NATURAL: Final = (bytes(_PREFERRED) * 2, False)
"""What the planner takes for natural."""


def greedy(core: RaceCore, seat: int) -> int:
    """Play like the greedy bot: cards to foundations, reserve first; stop if the other has more left."""
    legal = core.legal(seat)
    if STOP in legal and _left(core, seat) < _left(core, 1 - seat):
        return STOP
    return _first(_GREEDY, legal)


def perturbed(rng: Random, share: float) -> RacePolicy:
    """The greedy bot that takes any legal action at random in a `share` of its ticks."""

    def choose(core: RaceCore, seat: int) -> int:
        if rng.random() < share:
            return int(rng.choice(core.legal(seat)))
        return greedy(core, seat)

    return choose


def planner(core: RaceCore, seat: int) -> int:
    """The house planner: for every pair of what both could do, how the next ticks would go; its answer to
    an other that does half the time what is natural, half the time what is hard to guess."""
    legal = core.both()
    if STOP in legal[seat] and _stop_wins(core, seat):
        return STOP
    own, others = (_choices(legal[one]) for one in (seat, 1 - seat))
    if own[0] == TURN and len(own) == 2:
        return TURN
    worth = [[_worth(core, seat, mine, theirs) for theirs in others] for mine in own]
    natural = others.index(_natural(core, 1 - seat, legal[1 - seat]))
    guess = [(1 - BELIEF) * share + BELIEF * (place == natural) for place, share in enumerate(_mixed(worth))]
    values = [sum(map(float.__mul__, row, guess)) for row in worth]
    return own[values.index(max(values))]


def _left(core: RaceCore, seat: int) -> int:
    """The cards that a seat still has."""
    in_slots = sum(1 for kind in core.slots_of(seat) if kind != NOTHING)
    return in_slots + sum(int(core.size(pile, seat)) for pile in range(3))


def _first(preferred: Sequence[int], legal: Sequence[int]) -> int:
    return next(action for action in preferred if action in legal)


def _choices(legal: Sequence[int]) -> list[int]:
    """Return a seat's actions. Waiting comes last except for stopping, so it is not preferred to equals."""
    return [*(action for action in _PREFERRED if action in legal), *([STOP] if STOP in legal else [])]


def _natural(core: RaceCore, seat: int, legal: Sequence[int]) -> int:
    """Return the action of a seat that looks only at its own cards, and stops if that wins."""
    if STOP in legal and core.points(seat) + 20 > core.points(1 - seat) + 1:
        return STOP
    return _first(_PREFERRED, legal)


def _stop_wins(core: RaceCore, seat: int) -> bool:
    """Whether calling stop in this tick wins whatever the other does."""
    other = 1 - seat
    legal = core.legal(other)
    if STOP in legal and core.tick % 2 == other:
        return core.points(seat) > core.points(other) + 20  # it may call first
    tops = {0: core.pile(DISCARD, other)[-1:], 1: core.pile(RESERVE, other)[-1:]}
    slots = core.slots_of(other)
    cards = [tops[action][0] if action in tops else slots[action - 2] for action in legal if action < STOP]
    gain = max((11 if card % 13 == KING else 1 for card in cards), default=0)
    return core.points(seat) + 20 > core.points(other) + gain


def _worth(core: RaceCore, seat: int, mine: int, theirs: int) -> float:
    """How good it is for a seat, in points, after both play on naturally for some ticks."""
    after = core.clone()
    after.push(*((mine, theirs) if seat == 0 else (theirs, mine)))
    after.play_greedily(*NATURAL, AHEAD)
    ahead = float(after.points(seat) - after.points(1 - seat))
    if not after.over:
        return ahead + RESERVE_CARD * (after.size(RESERVE, 1 - seat) - after.size(RESERVE, seat))
    return ahead + (SURE if ahead > 0 else -SURE if ahead < 0 else 0)


def _mixed(worth: Sequence[Sequence[float]]) -> list[float]:
    """Return how the other mixes its actions if both play well, by fictitious play (Brown 1951)."""
    rows, columns = [0.0] * len(worth), [0.0] * len(worth[0])
    counts = [0] * len(columns)
    for _ in range(ROUNDS):
        row = worth[rows.index(max(rows))]
        columns = [total + value for total, value in zip(columns, row, strict=True)]
        chosen = columns.index(min(columns))
        counts[chosen] += 1
        rows = [total + each[chosen] for total, each in zip(rows, worth, strict=True)]
    return [count / ROUNDS for count in counts]
