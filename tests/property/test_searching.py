"""The searches: whole turns, stacks moved card by card, the planner's lines, solved endings."""

from collections import Counter
from random import Random
from threading import Thread

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import engine
from engine.policies.planner import search
from engine.turns.core import WIN, Core, Solver
from engine.turns.game import TurnGame
from engine.turns.search import plans
from engine.turns.search.stacks import expand
from tests.oracle.moves import legal
from tests.oracle.play import BadMove, apply
from tests.oracle.position import State, parse
from tests.property.command_line import COMPILED
from tests.property.playing import EXAMPLES, games, numbers, problematic, tables

MOST = 150


def _table_of(state: State) -> tuple[object, ...]:
    """The cards with the houses as a multiset: what a plan is told apart by."""
    return (
        tuple(sorted(state.houses)),
        str(state.foundations),
        tuple(state.reserves),
        tuple(state.hands),
        tuple(state.discards),
        state.drawn,
        state.turn,
    )


def _reachable(start: State) -> tuple[set[tuple[object, ...]], bool]:
    """All tables that the mover can bring about in this turn, by the oracle; and whether that was all."""
    found = {_table_of(start)}
    waiting = [start]
    while waiting:
        here = waiting.pop(0)
        if here.result is not None or here.turn != start.turn:
            continue
        for move in legal(here):
            after = here.copy()
            try:
                apply(after, move.removesuffix("!"))
            except BadMove:  # would turn up an unknown card
                continue
            table = _table_of(after)
            if table not in found:
                found.add(table)
                waiting.append(after)
        if len(found) > MOST:
            return found, False
    return found, True


@EXAMPLES
@given(games())
def test_a_plan_leads_where_it_says(game: engine.TurnGame) -> None:
    start = engine.TurnGame(game.position.public())
    position = start.position
    seen = set()
    for plan in plans(start, limit=60):
        replay = engine.TurnGame.replay(position, plan.moves)
        assert replay.error is None
        assert replay.game.position == plan.game.position
        over = plan.game.finished or plan.game.turn_number != start.turn_number
        assert plan.ends_turn == over
        for word in plan.reveals:
            with pytest.raises(engine.HiddenCard):
                replay.game.push(word)
        seen.add(plan.game.core.table_hash())
    assert start.position == position
    found = list(plans(start, limit=60))
    assert len(seen) == len(found)
    assert [plan.moves for plan in plans(start, limit=2)] == [plan.moves for plan in found[:2]]
    assert list(plans(start, limit=0)) == []


@EXAMPLES
@given(tables, numbers)
def test_the_plans_are_all_that_the_oracle_finds(table: tuple[str, int], number: int) -> None:
    start = engine.TurnGame(problematic(table, number).position.public())
    expected, complete = _reachable(parse(str(start.position)))
    assume(complete)
    found = [_table_of(parse(str(plan.game.position))) for plan in plans(start)]
    assert len(found) == len(set(found))
    assert set(found) == expected


@EXAMPLES
@given(numbers, st.integers(min_value=1, max_value=6), st.integers(min_value=0, max_value=4))
def test_a_stack_is_carried_over_in_its_order_if_the_empty_houses_allow_it(
    number: int, cards: int, free: int
) -> None:
    rng = Random(number)
    ranks = "KQJT98765432"[rng.randrange(5) :][: cards + 1]
    stack = [rank + ("S" if index % 2 else "H") for index, rank in enumerate(ranks)]
    onto, moving = stack[0], stack[1:]
    houses = ["9C" + "".join(moving), onto, *["."] * free, *["KC", "KD", "KC", "KD", "2D", "2C"][: 6 - free]]
    line = f"crapette-it 0 play - {'/'.join(houses)} 0,0/0,0/0,0/0,0 AD/./. AC/./. 0,0,0,.,. 0,0/./."
    position = engine.TurnPosition.parse(line)
    if len(moving) > 2**free:
        with pytest.raises(engine.IllegalMove, match=rf"^expected at most {2**free} cards with so few empty"):
            expand(position, "t1", "t2", len(moving))
        return
    moves = expand(position, "t1", "t2", len(moving))
    after = engine.TurnGame.replay(position, map(str, moves)).game.position
    assert after.houses == (("9C",), tuple(stack), *position.houses[2:])


NODE_COUNTS = st.sampled_from([1, 9, 64, 500] if COMPILED else [1, 9, 40])


@EXAMPLES
@given(games(), NODE_COUNTS)
def test_the_core_finds_the_lines_of_the_search_in_the_same_order(game: engine.TurnGame, nodes: int) -> None:
    core = game.core
    before = core.hash()
    found = [] if core.over else search(core, nodes).lines
    wanted = sorted(found, key=lambda line: -round(100 * line.worth))
    plans = core.plans(nodes, 4096)
    assert [moves for _, moves in plans] == [line.moves for line in wanted]
    assert core.planned(nodes) == (wanted[0].moves if wanted else ())
    assert core.hash() == before
    steps = [
        (left[0] - right[0], round(100 * (one.worth - other.worth)))
        for left, right, one, other in zip(plans, plans[1:], wanted, wanted[1:], strict=False)
    ]
    # A line that wins is worth more than any other in both, but not by the same number.
    assert all(inside == outside for inside, outside in steps if inside < 10**5)


def test_a_search_of_no_positions_or_too_many_is_refused() -> None:
    core = TurnGame.deal("crapette", "00" * 32, 3).core
    with pytest.raises(ValueError, match="512 nodes"):
        core.plans(0, 1)
    with pytest.raises(ValueError, match="512 nodes"):
        core.planned(513)


VARIANTS = [name for name, rules in engine.VARIANTS.items() if not rules.in_ticks]
POSITIONS, TRIES = (8, 60) if COMPILED else (2, 20)
MOST_KNOWN, DEEP = 3_000, 400


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
    if len(known) > MOST_KNOWN or depth > DEEP:
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


def test_an_ending_whose_turns_are_reached_in_very_many_ways_is_given_up_when_told() -> None:
    # Each way counts in the numbers of those before it, which reach their limit here.
    line = "crapaud 0 play - KCQDJSTD/JHTS9H8S7H6S5H/KSQDJCTH9C8D7S6H/KDQSJD/TC9D/KS/JSTH9S8H/QS"
    start = engine.TurnPosition.parse(f"{line} 9,5/9,3/11,7/13,8 4HQHJHQHKH/./KH ./TS/QCKD 0,1,0,.,. 0,1/1/.")
    solver = Solver(TurnGame(start).core)
    positions = 100_000 if COMPILED else 10_000
    searching = Thread(target=solver.search, args=(positions,), daemon=True)
    searching.start()
    searching.join(60)
    assert not searching.is_alive()
    assert solver.positions >= positions or solver.exhausted
