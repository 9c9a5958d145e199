"""The published value functions, read from `weights/`: networks evaluated with NumPy, and playing on.

A revealed card is valued by playing on: how games end with it, and with the cards it could have been.

A network only judges the table from a distance, but who wins depends on the order of the unknown cards. So
these are dealt in a number of ways (`engine.turns.core.Completions`). At each card turned up, the game is
played to its end in every way: once with the card that the way has in that place, and once with the true
card, swapped with it. The difference is that card's luck. The core plays all of it, without the interpreter.

*Nothing is biased.* A way is a permutation of the true order of the cards, chosen without looking at them.
Permuting cards that nobody has seen makes no position more likely. So, averaged over all possible orders, the
games with the card and those without it have exactly the same mean, for each way (`luck.measurement`).

*The noise cancels.* A way keeps its cards until they are turned up. The next card starts from the games that
the previous one ended with, in the same ways. If the seats play like the policies that play on, these are
the very same games, which need not even be played again, and only the noise of the first card remains. With
new ways for each card, the noise of a hundred cards would add up, and making it a hundred times smaller would
take a hundred times the games.

*How many ways*: the fewest whose noise is at most a fifth (`training.train.NOISE`) of what the adjustment
leaves of the game's own variance, of result and of margin. The noise is half the variance of the difference
of two estimates with different seeds; `train shares` measures it and publishes it with the shares. It adds no
bias, only this much variance to the adjusted result. With fewer ways, more games of bots would be needed to
be certain of anything. With more, luck would cost more CPU time than the games it saves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import engine
from analysis.errors import UnknownValues
from analysis.values import FITTED_VERSION, SHARPNESS, WEIGHTS, covers, weights_of
from analysis.values.features import EncodedPositions, encode, features
from analysis.values.public_game import Table, kinds_known, kinds_of, settle
from analysis.values.seat_policies import UNKNOWNS, full, ranks, ways
from engine.policies.greedy import EMPTIES_HOUSE
from engine.policies.tick_greedy import GREEDY
from engine.ticks.core import TickCompletions
from engine.ticks.position import NAME
from engine.turns.core import Completions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from analysis.values.public_game import Chance
    from analysis.values.public_game_ticks import TickTable, Turned
    from analysis.values.seat_policies import Policies
    from engine.variants import Variant

    Floats = NDArray[np.float64]

PHASES: Final = (48, 24, -1)
"""A game is in the first of these phases in which more cards than that are unseen."""
WAYS: Final = 32
FULL: Final = 48
"""So often games are played on in all ways, then in fewer and fewer. Where seats do nothing as the greedy bot
does, its games tell little of theirs and are not worth more; how often is no secret of unseen cards."""
SEED: Final = 0
"""The ways are the same in every game: a seed made from hidden cards would not be blind to them."""
MOST: Final = 0.98
"""The highest chance that is told of a game that is not decided."""


@dataclass(frozen=True, slots=True)
class Sharpness:
    """How the chance is told that the value function gives seat 0 (`training.sharpness`): its log odds are
    multiplied by `least` once no card is hidden, and by `card` more for each that is. `first` is added to
    them, where seat 0 always begins: what beginning is worth to bots other than greedy."""

    least: float = 1.0
    card: float = 0.0
    first: float = 0.0

    def sharpen(self, odds: Floats, hidden: Floats) -> Floats:
        """The log odds that are told, with so many hidden cards in the mean of both seats."""
        return odds * (self.least + self.card * hidden) + self.first

    def blunt(self, told: Floats, hidden: Floats) -> Floats:
        """The inverse of `sharpen`."""
        return (told - self.first) / (self.least + self.card * hidden)


PLAIN: Final = Sharpness()


@dataclass(frozen=True, slots=True)
class Rollouts:
    """How games are played on; `shares` are what part of the luck that is seen is taken away, by phase, of
    result and margin."""

    shares: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * len(PHASES)
    ways: int = WAYS
    seed: int = SEED
    full: int = FULL

    def begin(self, table: Table, policies: Policies = UNKNOWNS) -> Completions:
        """The ways in which the unseen cards of a game may lie, to be told of each card turned up; `policies`
        are by which each seat is played on."""
        return Completions(
            table.core,
            table.pools(),
            self.ways_for(policies),
            self.seed,
            ranks(tuple(one.name for one in policies)),
            EMPTIES_HOUSE,
            full(policies, self.full),
            [one.nodes for one in policies],
        )

    def ways_for(self, policies: Policies) -> int:
        """In how many ways games of such seats are played on."""
        return ways(policies, self.ways)


ROLLOUTS: Final = Rollouts()


def phase(unseen: int) -> int:
    """Return the phase (from 0) of a card that left this many unseen."""
    return next(number for number, fewest in enumerate(PHASES) if unseen > fewest)


@dataclass(frozen=True, slots=True)
class Network:
    """One hidden layer of tanh: ``outputs = tanh(inputs · first + bias) · second + last``.

    The outputs are the result from -1 to 1 (not clipped) and the margin in units of `scale`.
    """

    first: Floats
    bias: Floats
    second: Floats
    last: Floats
    scale: float

    def __call__(self, inputs: Floats) -> Floats:
        """Return result and margin, (n, 2), for the seat to move."""
        found = np.tanh(inputs @ self.first + self.bias) @ self.second + self.last
        found[:, 1] *= self.scale
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the network as JSON, rounded as in the file."""
        parts = {name: getattr(self, name) for name in ("first", "bias", "second", "last")}
        return {"scale": self.scale, **{name: np.round(part, 3).tolist() for name, part in parts.items()}}

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Network:
        """The inverse of `as_dict`."""
        first, bias, second, last = (
            np.asarray(found[name], dtype=np.float64) for name in ("first", "bias", "second", "last")
        )
        return cls(first, bias, second, last, float(found["scale"]))


@dataclass(frozen=True, slots=True)
class Seen:
    """Positions ready to be valued: played on and encoded, with the exact value of finished games."""

    batch: EncodedPositions
    signs: Floats
    """1 where seat 0 is to move, -1 where seat 1 is."""
    ended: dict[int, tuple[float, float]]

    @classmethod
    def together(cls, parts: Sequence[Seen]) -> Seen:
        """Combine many into one, so that the network is evaluated once per game."""
        batches = [part.batch for part in parts]
        batch = EncodedPositions(
            *(np.concatenate([getattr(one, name) for one in batches]) for name in ("rows", "unseen", "known"))
        )
        ended, first = {}, 0
        for part in parts:
            ended.update({first + index: value for index, value in part.ended.items()})
            first += len(part.signs)
        return cls(batch, np.concatenate([part.signs for part in parts]), ended)


class ValueFunction:
    """The value function of one variant: the result (-1 to 1) and the margin that seat 0 can expect.

    `start` is its mean over all deals: zero where the seats are alike, measured for `crapo`, where seat 0
    always begins. `share` is what part of the luck of the deal's open cards is taken away, for result and
    margin: chosen when it was trained, so that the adjustment stays unbiased. `rollouts` see the cards turned
    up later, with shares of their own. `sharpness` makes of a result the chance that a page tells (`chance`).
    """

    def __init__(
        self,
        rules: Variant,
        network: Network,
        start: Floats,
        share: Floats,
        rollouts: Rollouts = ROLLOUTS,
        *,
        sharpness: Sharpness = PLAIN,
    ) -> None:
        self.rules, self.network, self.start, self.share = rules, network, start, share
        self.rollouts, self.sharpness = rollouts, sharpness

    def look(self, table: Table, chance: Chance | None = None) -> Seen:
        """Look at the table as it is or, given a chance event, with each card that could have come."""
        states = [(table.core.clone(), -1)] if chance is None else table.instead(chance)
        hidden = table.hidden
        known = [kinds_known(table.core, hidden, seat) for seat in range(2)]
        unseen = [kinds_of(table.unseen(seat)) for seat in range(2)]
        rows, order = [], []
        ended: dict[int, tuple[float, float]] = {}
        for index, (core, card) in enumerate(states):
            if chance is not None:
                hidden.add(chance.card)
                hidden.discard(card)
            settle(core, hidden)
            rows.append(encode(core, hidden))
            order.append((0, 1) if core.turn == 0 else (1, 0))
            if core.over:
                ended[index] = core.worth()
            if chance is not None:
                hidden.add(card)
        turns = np.asarray(order)
        pools = np.repeat(np.asarray(unseen, dtype=np.float64)[None], len(rows), axis=0)
        if chance is not None:
            hidden.discard(chance.card)
            kinds = np.asarray([card >> 2 for card, _ in chance.others])
            for seat in range(2) if self.rules.one_pack else (chance.seat,):
                pools[:, seat, chance.card >> 2] += 1
                pools[np.arange(len(rows)), seat, kinds] -= 1
        line = np.arange(len(rows))[:, None]
        batch = EncodedPositions(
            np.asarray(rows), pools[line, turns], np.asarray(known, dtype=np.float64)[turns]
        )
        return Seen(batch, 1.0 - 2.0 * turns[:, 0], ended)

    def value(self, seen: Seen) -> Floats:
        """Result (about -1 to 1; not clipped, so that luck adds up) and margin for seat 0, (n, 2)."""
        found = self.network(features(self.rules, seen.batch)) * seen.signs[:, None]
        for index, exact in seen.ended.items():
            found[index] = exact
        return found

    def chance(self, seen: Seen) -> Floats:
        """`value` as it is told to people, by the variant's `sharpness`.

        Nothing is certain (`MOST`) but the end of a game.
        """
        found = self.value(seen)
        exact = np.zeros(len(found), dtype=bool)
        exact[list(seen.ended)] = True
        won = np.clip(0.5 + found[:, 0] / 2, 1 - MOST, MOST)
        hidden = seen.batch.unseen.sum(axis=2).mean(axis=1)
        told = np.tanh(self.sharpness.sharpen(np.log(won / (1 - won)), hidden) / 2)
        found[:, 0] = np.where(exact, found[:, 0], np.clip(told, 1 - 2 * MOST, 2 * MOST - 1))
        return found


@cache
def load(variant: str, version: int = FITTED_VERSION) -> ValueFunction:
    """Return the published value function of a variant.

    Raises:
        UnknownValues: there is none.
    """
    path = weights_of(variant, version)
    if not covers(variant) or not path.exists():
        raise UnknownValues(f"expected a variant with values of version {version}, got {variant!r}")
    found = json.loads(path.read_text("utf-8"))
    network = found["network"]
    if isinstance(network, int):  # that of an earlier version
        network = json.loads(weights_of(variant, network).read_text("utf-8"))["network"]
    start, share = (np.asarray(found[name], dtype=np.float64) for name in ("start", "share"))
    rules = engine.variant(variant)
    rollouts = Rollouts(tuple(map(tuple, found["rollouts"])), found["ways"]) if "ways" in found else ROLLOUTS
    sharpness = Sharpness(**json.loads(SHARPNESS.read_text("utf-8"))[variant])
    return ValueFunction(rules, Network.from_dict(network), start, share, rollouts, sharpness=sharpness)


TICK_PHASES: Final = (60, 24, -1)
"""A game is in the first of these phases in which more cards than that are unseen, those of both together."""


@dataclass(frozen=True, slots=True)
class TickValues:
    """`shares` are what part of the luck that is seen is taken away, by phase, of result and margin."""

    shares: tuple[tuple[float, float], ...] = ((1.0, 1.0),) * len(TICK_PHASES)
    ways: int = WAYS
    seed: int = SEED
    full: int = FULL

    def begin(self, table: TickTable, policies: Policies = UNKNOWNS, *, whole: bool) -> TickCompletions:
        """The ways in which the unseen cards of a game may lie (of a `whole` deal all cards), to be told of
        each card turned up; `policies` are by which each seat is played on."""
        pools = table.pools(whole=whole)
        plans = [one.searches for one in policies]
        often = full(policies, self.full)
        return TickCompletions(table.core, pools, self.ways_for(policies), self.seed, *GREEDY, often, plans)

    def ways_for(self, policies: Policies) -> int:
        """In how many ways games of such seats are played on."""
        return ways(policies, self.ways)


def tick_phase(turned: Turned) -> int:
    """The phase in which a card was turned up, counted from 0; of a deal's open cards always the first."""
    return next(number for number, fewest in enumerate(TICK_PHASES) if turned.unseen > fewest)


@cache
def load_ticks(version: int = FITTED_VERSION) -> TickValues:
    """The published value function. Raises FileNotFoundError if that version is none."""
    found: dict[str, Any] = json.loads((WEIGHTS / f"{NAME}-{version}.json").read_text("utf-8"))
    return TickValues(tuple((result, margin) for result, margin in found["shares"]), found["ways"])
