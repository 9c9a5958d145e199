"""Games to test properties on: deals played on by random moves, and problem positions."""

from collections import Counter
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import engine
from tests.oracle.problems import problem
from tests.oracle.rulesets import TABLES
from tests.property.command_line import COMPILED
from tests.thorough import THOROUGH

EXAMPLES = settings(
    max_examples=15 if not COMPILED else 60 if THOROUGH else 15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
"""Fewer uncompiled, where it is the same source and slower.

At no speed does one fail: how long an example takes says how busy the machine is.
"""
MOST_PLIES = 400

tables = st.sampled_from(TABLES)
numbers = st.integers(min_value=0, max_value=2**32)
lengths = st.integers(min_value=0, max_value=MOST_PLIES)


def dealt(table: tuple[str, int], number: int) -> engine.TurnGame:
    variant, players = table
    return engine.TurnGame.deal(variant, Random(number).randbytes(32).hex(), players)


def problematic(table: tuple[str, int], number: int) -> engine.TurnGame:
    """A game from a problem position, a finished one now and then."""
    return engine.TurnGame(engine.TurnPosition.parse(str(problem(Random(number), *table))))


def move_on(game: engine.TurnGame, rng: Random) -> bool:
    """Play a random move, or call stop where one may; False if the game is over."""
    if game.can_stop() and rng.random() < 0.05:
        game.stop()
        return True
    legal = game.legal_moves()
    if not legal:
        return False
    forward = [move for move in legal if move[0] != "t" or move.endswith("f")]
    game.push(rng.choice(forward if forward and rng.random() < 0.7 else legal))
    return True


def play_on(game: engine.TurnGame, rng: Random, plies: int) -> engine.TurnGame:
    """Play so many random moves, fewer if the game ends; answers the game."""
    for _ in range(plies):
        if not move_on(game, rng):
            break
    return game


@st.composite
def games(draw: st.DrawFn) -> engine.TurnGame:
    """A game in any state: just dealt, somewhere on the way, over, or begun from a problem."""
    table, number = draw(tables), draw(numbers)
    begin = problematic if draw(st.booleans()) else dealt
    return play_on(begin(table, number), Random(number + 1), draw(lengths))


def cards_of(position: engine.TurnPosition) -> Counter[str]:
    """Every card of a position, those under the tops of the foundations too."""
    rules = position.rules
    held = Counter([position.drawn] if position.drawn else [])
    for pile in (*position.houses, *(pile for seat in position.seats for pile in seat.piles)):
        held.update(pile)
    for suit, heights in zip("SHDC", position.foundations, strict=True):
        for height in heights:
            held.update(rank + suit for rank in rules.ranks[:height])
    return held
