"""Endings solved in the core, against looking at everything that can happen by the rules as they are."""

from collections import Counter
from random import Random

import pytest

import engine
from engine.turns.core import WIN, Core, Solver
from tests.property.command_line import COMPILED

VARIANTS = [name for name, rules in engine.VARIANTS.items() if not rules.in_ticks]
POSITIONS, TRIES = (8, 60) if COMPILED else (2, 20)
MOST, DEEP = 3_000, 400


def _small(variant: str, rng: Random) -> Core | None:
    """A position with few cards, most of them stuck in houses, shortly before the limits of RULES 3."""
    rules = engine.variant(variant)
    least = rng.randrange(6, 13)
    heights, cards = [], []
    for suit in range(4):
        each = sorted(rng.choice([13, 13, rng.randrange(least, 13), rng.randrange(2, 13)]) for _ in "12")
        heights.append(each[::-1])
        for height in each:
            cards += [4 * (13 * suit + rank) for rank in range(height, 13)]
    if not 6 <= len(cards) <= (12 if rules.stop_calls else 24):  # calls of stop double what can happen
        return None
    cards = [card + cards[:place].count(card) for place, card in enumerate(cards)]
    rng.shuffle(cards)
    piles: list[list[int]] = [[] for _ in range(29)]
    for seat in (0, 1):
        own = (20, 24, 16) if rules.has_reserve else (20, 24)
        for pile in own:
            piles[pile + seat] = [cards.pop() for _ in range(rng.choice([0, 1, 1, 2])) if cards]
        if not any(piles[pile + seat] for pile in own):
            return None
    for place, card in enumerate(cards):
        piles[place % 8].append(card)
    core = Core(rules, 2)
    limits = rng.choice([97, 99]), rng.choice([196, 197, 198, 199])
    core.load(piles, heights, [0, 0], [], [], (rng.randrange(2), 0, 0, *limits, 0, 0, 0, 0))
    return core


def _worth(core: Core, known: dict[int, int], depth: int = 0) -> int:
    """What the game is worth to seat 0 if both play their best: every move and every call of stop is tried.

    Raises:
        OverflowError: there is too much to try.
    """
    key = core.canonical_hash()
    if key in known:
        return known[key]
    if len(known) > MOST or depth > DEEP:
        raise OverflowError
    if core.over:
        known[key] = 0 if core.over != WIN else 1 - 2 * core.tally()[2][0]
        return known[key]
    sign, best = 1 - 2 * core.turn, -1
    for move in core.legal():
        token = core.push(move)
        found = sign * _worth(core, known, depth + 1)
        if core.can_stop():
            stop = core.stop()
            found = min(found, sign * _worth(core, known, depth + 1))
            core.undo(stop)
        core.undo(token)
        best = max(best, found)
        if best == 1:
            break
    known[key] = sign * best
    return known[key]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_said_of_an_ending_is_what_looking_at_everything_says(variant: str) -> None:
    rng = Random(f"endings of {variant}")
    seen: Counter[tuple[int, int | None]] = Counter()
    for _ in range(TRIES):
        core = _small(variant, rng)
        if core is None or core.over or seen.total() >= POSITIONS:
            continue
        solver = Solver(core, 4096, 2048)
        found = solver.search(100_000)
        if found == 1 and seen[1, 1] >= POSITIONS // 2:
            continue
        known: dict[int, int] = {}
        try:
            true = _worth(core.clone(), known) * (1 - 2 * core.turn)
        except OverflowError:
            continue
        seen[true, found] += 1
        assert found in {true, None}, [core.pile(pile) for pile in range(29)]
        if found == 1:
            after = core.clone()
            for move in solver.line():
                after.push(move)
            assert after.over == WIN or _worth(after, known) == 1 - 2 * core.turn
    assert seen[1, 1]
