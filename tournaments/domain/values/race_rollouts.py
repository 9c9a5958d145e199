"""What a card turned up in `vitesse` is worth by playing on: how greedy games end with it and with others.

As in `rollouts` the unknown cards are dealt anew many times and the game is played to its end, here from the
first card on: in the engine's core a whole game takes 6 µs. Each deal is played twice, with the card that
came and with one that could have come, the two in each other's place; each of these has its turn equally
often. The mean is that of playing all of them in every deal, but it varies less for as many games, since the
card that came is in half of them.

The mean over all deals that could be is zero exactly (`tournaments.domain.luck`): how the unknown cards are
shuffled depends on their number alone, so that no deal becomes likelier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from tournaments.domain.values.race_policies import GREEDY
from tournaments.domain.values.race_table import KINDS, NAMES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.racecore import RaceCore
    from tournaments.domain.values.race_table import Turned

    Floats = NDArray[np.float64]
    Names = NDArray[np.uint8]

GAMES: Final = 1000
"""About so many games are played for a card turned up, half of them with it."""


def card_luck(core: RaceCore, turned: Turned, number: int, games: int = GAMES) -> Floats:
    """What the card brought seat 0, in result (-1 to 1) and margin in points, (2,): its value less the mean
    over all cards that it could have been.

    `core` is the full position after the tick; nothing in the answer depends on where unseen cards lie in it
    but by chance. `number` counts the cards turned up: it chooses the shuffles, the same in every game.
    """
    others = np.array(turned.unseen[turned.seat], dtype=np.uint8)
    rounds = max(1, round(games / 2 / len(others)))
    names = _shuffled(turned, rounds * len(others), number)
    came = core.play_all(names.tobytes(), *GREEDY)
    _exchange(names, turned, np.tile(others, rounds))
    could = core.play_all(names.tobytes(), *GREEDY)
    luck: Floats = (np.array(came, dtype=np.float64) - np.array(could)) / len(names)
    return luck


def _shuffled(turned: Turned, deals: int, number: int) -> Names:
    """Names as `RaceCore.play_all` takes them, (deals, 2 * KINDS), by which unseen cards change places."""
    # The old generator: its stream is promised never to change.
    chance = np.random.RandomState(number)
    names = np.tile(np.frombuffer(NAMES, dtype=np.uint8), (deals, 1))
    for seat, unseen in enumerate(turned.unseen):
        pool = np.array(
            [kind for kind in unseen if (seat, kind) != (turned.seat, turned.card)], dtype=np.uint8
        )
        order = chance.random_sample((deals, len(pool))).argsort(axis=1, kind="stable")
        names[:, KINDS * seat + pool] = pool[order]
    return names


def _exchange(names: Names, turned: Turned, cards: Names) -> None:
    """Let in each deal one of `cards` be turned up, and the card that was lie in its place."""
    own = names[:, KINDS * turned.seat : KINDS * turned.seat + KINDS]
    own[np.arange(len(own)), (own == cards[:, None]).argmax(axis=1)] = turned.card
    own[:, turned.card] = cards
