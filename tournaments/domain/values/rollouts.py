"""What a card turned up is worth by playing on: how greedy games end from deals that it could have been.

A network sees the table from afar; who wins hangs on the order of the few cards that are still unknown. So
once they are few, they are dealt anew many times, with each card that could have been turned up in its
place, and the game is played to its end. The card that it is exchanged for lies where it lay, others stay:
what differs is that card's doing.

The mean over all deals that could be is zero exactly, however few are tried (`tournaments.domain.luck`): to
exchange cards that nobody has seen makes no deal likelier.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from engine.core import NOBODY
from tournaments.domain.values.ends import Ends
from tournaments.domain.values.policies import EMPTIES_HOUSE, rank_table

if TYPE_CHECKING:
    from engine.core import Core
    from engine.variants import Variant
    from tournaments.domain.values.table import Chance, Table

HIDDEN: Final = 24
"""With more unknown cards than this a game is too long and too wild to be played on often enough."""
GAMES: Final = 1000
"""About so many games are played for a card turned up, however many it could have been."""
FEWEST: Final = 2
_THEMSELVES: Final = bytes(range(NOBODY + 1))


@dataclass(slots=True)
class Rollouts:
    """The rollouts of one variant; not for two threads."""

    rules: Variant
    share: tuple[float, float] = (1.0, 1.0)
    """What part of the luck that is seen is to be taken away, of result and margin."""
    games: int = GAMES
    _ends: Ends = field(init=False)

    def __post_init__(self) -> None:
        self._ends = Ends(self.rules)

    def covers(self, table: Table) -> bool:
        """Whether so few cards are unknown that games are played on."""
        return len(table.hidden) <= HIDDEN

    def luck(self, table: Table, chance: Chance, number: int) -> tuple[float, float]:
        """What the card brought seat 0, in result and margin: how games end with it less how they end with
        each card that it could have been, weighed by their numbers.

        `number` counts the cards turned up: it chooses the deals, the same for every game.
        """
        pools = [table.unseen(chance.seat)]
        if not self.rules.one_pack:
            pools.append(table.unseen(1 - chance.seat))
        rng = Random(number)  # noqa: S311 (not for secrets)
        total = sum(count for _, count in chance.others)
        deals = max(FEWEST, self.games // len(chance.others))
        result = margin = 0.0
        for _ in range(deals):
            names = _dealt(pools, rng)
            places = {name: card for card, name in enumerate(names)}
            for card, count in chance.others:
                ended = self._ends.of(self._played(table.core, names, chance.card, card, places[card]))
                share = (card == chance.card) - count / total
                result += share * ended[0]
                margin += share * ended[1]
        return result / deals, margin / deals

    def _played(self, core: Core, names: bytearray, shown: int, card: int, place: int) -> Core:
        """The end of the game in which `card` was turned up and `shown` lies in its place."""
        names[place], names[shown] = shown, card
        copy = core.exchanged(bytes(names))
        names[shown], names[place] = shown, card
        copy.play_ranked(rank_table(), EMPTIES_HOUSE)
        return copy


def _dealt(pools: list[list[int]], rng: Random) -> bytearray:
    """For each card which one takes its place when each pool's cards are shuffled."""
    names = bytearray(_THEMSELVES)
    for pool in pools:
        shuffled = pool[:]
        rng.shuffle(shuffled)
        for card, name in zip(pool, shuffled, strict=True):
            names[card] = name
    return names
