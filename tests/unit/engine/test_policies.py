"""The bots in the core: greedy, halving and the search of vitesse."""

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from random import Random

import pytest

import engine
from analysis.values.public_game_ticks import TickTable
from engine import TickGame, TickPosition, TurnGame
from engine.cards import PACK, Card
from engine.policies.greedy import EMPTIES_HOUSE, NEVER, greedy, playout, ranks
from engine.policies.halving import Tried, halved
from engine.policies.tick_planner import tick_planner
from engine.policies.tick_search import searched
from engine.ticks import ACTIONS, TickTracker
from engine.ticks.conversion import to_core, to_position
from engine.ticks.core import TickCore
from engine.ticks.position import TickSeat
from engine.ticks.sampling import cores
from engine.turns.core import NOBODY, Core


def by_rule(core: Core) -> int:
    """The legal move of the least rank, of equal ones the lowest number."""
    table, houses = ranks(core.players, core.turn), 8 if core.players == 2 else 16

    def rank(move: int) -> int:
        source, target = divmod(move, houses)
        empties = move < houses**2 and core.size(source) == 1 and core.top_of(target) != NOBODY
        return EMPTIES_HOUSE if table[move] == NEVER and empties else table[move]

    return min(map(int, core.legal()), key=lambda move: (rank(move), move))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_core_makes_the_greedy_move_with_any_number_of_seats(players: int) -> None:
    looked_at = emptied = 0
    for deal in range(12):
        core = TurnGame.deal("crapette", f"{deal:064x}", players).core.clone()
        while not core.over:
            move = greedy(core)
            assert move == by_rule(core)
            emptied += ranks(players, core.turn)[move] == NEVER
            looked_at += 1
            core.push(move)
    assert looked_at > 1000
    assert emptied > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_playout_is_greedy_play_to_the_end(players: int) -> None:
    core = TurnGame.deal("crapette", "0c" * 32, players).core
    before, expected = core.hash(), core.clone()
    while not expected.over:
        expected.push(by_rule(expected))
    ended = playout(core)
    assert (ended.hash(), ended.tally()) == (expected.hash(), expected.tally())
    assert core.hash() == before


CORE = engine.TurnGame.deal("crapette", "00" * 32).core


def lines() -> list[Tried]:
    """Eight lines, each known by its only move; a higher one is better."""
    return [Tried(0.0, (number,)) for number in range(8)]


def worth(_: Core, moves: Sequence[int]) -> float:
    return moves[0] / 10


def test_the_best_lines_are_left_and_have_most_samples() -> None:
    tried = lines()
    left = halved(tried, repeat(CORE), worth, samples=240, keep=2)
    assert [each.moves for each in left] == [(7,), (6,)]
    assert [each.games for each in tried] == [10] * 4 + [30] * 4
    (best,) = halved(lines(), repeat(CORE), worth, samples=240)
    assert best.games == 70


def test_each_round_has_its_share_of_the_time() -> None:
    judged = 0

    def judge(core: Core, moves: Sequence[int]) -> float:
        nonlocal judged
        judged += 1
        return worth(core, moves)

    tried = lines()
    (best,) = halved(tried, repeat(CORE), judge, samples=10**6, spent=lambda: judged / 240)
    assert judged == 240
    assert best.moves == (7,)
    assert sorted(each.games for each in tried) == [10] * 4 + [30] * 2 + [70] * 2


LOST_BY_PLANNER = (
    "vitesse 140 8,4/13,4/12,1/11,9 KDQCKS/3D,9H,KC,JS/6SJHTS6DTCQDTD5S7DQS6H/7H9S "
    "5DJD2DQC8S/JS,KC,KS,8H/8DQH7SKHQSTHKD9DTS9SJC/4D5H 1 1,0/."
)
"""Seat 0 loses if it plays 9S at once, as planner does, and wins if it waits."""


@pytest.mark.parametrize("seat", [0, 1])
def test_it_finds_the_action_that_wins_where_planner_plays_one_that_loses(seat: int) -> None:
    core = to_core(_swapped(LOST_BY_PLANNER) if seat else TickPosition.parse(LOST_BY_PLANNER))
    choice = searched(core, seat, _always(core), late=lambda: False)
    assert (ACTIONS[core.planned(seat)], ACTIONS[choice.action]) == ("d-f", "wait")
    assert choice.worth is not None
    assert choice.worth > 1
    assert choice.expected == core.planned(1 - seat)
    ends = [_after(core, seat, action, core.planned(1 - seat)) for action in (0, choice.action)]
    assert ends[0] < 0 < ends[1]


def test_it_calls_stop_where_that_is_sure_to_win_and_turns_where_nothing_else_can_be_done() -> None:
    for line, action in (
        ("vitesse 7 4,2/13,0/0,0/0,0 ./9C,-,-,-/./. 4D/5C,6C,7C,8C/2C3C4C6D7D8D/9D 0 1,0/.", "stop"),
        ("vitesse 7 4,2/4,0/0,0/0,0 4S/9C,TC,JC,QC/KS/. 4D/5C,6C,7C,8C/2C3C4C6D7D8D/9D 0 0,0/.", "turn"),
    ):
        core = to_core(TickPosition.parse(line))
        choice = searched(core, 0, iter(()), late=lambda: False)  # no sample is asked for
        assert (ACTIONS[choice.action], choice.worth, choice.expected) == (action, None, None)


def test_planners_that_play_on_do_what_each_would_do_if_asked_in_every_tick() -> None:
    for number in range(6):
        table = TickTable(TickGame.deal("vitesse", f"{number:064x}").position)
        game, view = table.core.clone(), table.view()
        ticks = game.play_planned(view)
        while not table.core.over:
            seen = table.view()
            table.push(tick_planner(seen, 0), tick_planner(seen, 1))
        assert to_position(game) == to_position(table.core)
        assert ticks == game.tick == view.tick
        assert to_position(view).public() == to_position(game).public()


@pytest.mark.parametrize("missed", [0, 1, 30])
def test_a_tracker_knows_what_may_be_hidden_and_each_sample_fits(missed: int) -> None:
    for number in range(4):
        rng = Random(number)
        game, tracker = TickGame.deal("vitesse", rng.randbytes(32)), None
        while not game.finished:
            tick = game.push(*(rng.choice(game.legal(seat)) for seat in range(2)))
            if game.ply == missed + 1 or not missed:
                tracker = tracker or TickTracker(game.start if not missed else game.position)
            if tracker is None:
                continue
            if not missed or game.ply > missed + 1:
                tracker.see(tick)
            if game.finished or rng.random() < 0.9:
                continue
            seen = game.position.public()
            known = tracker.known(seen)
            for seat, pool in enumerate(tracker.copy().pools(seen)):
                hidden = _hidden(known.seats[seat], game.position.seats[seat])
                assert hidden <= set(pool)
                assert missed or len(pool) == len(hidden)
            for core in islice(cores(tracker, seen, rng), 3):
                sample = to_position(core)
                assert sample.public() == seen
                for own in sample.seats:
                    cards = [*own.reserve, *filter(None, own.slots), *own.hand, *own.discard]
                    assert len(set(cards)) == len(cards)
                    assert set(cards) <= set(PACK)


def _hidden(known: TickSeat, true: TickSeat) -> set[Card]:
    """The cards of a seat that lie where only unknown ones are known of."""
    piles = ("reserve", "hand", "discard")
    pairs = [pair for pile in piles for pair in zip(getattr(known, pile), getattr(true, pile), strict=True)]
    return {card for shown, card in pairs if shown == "??"}


def _always(core: TickCore) -> Iterator[TickCore]:
    while True:
        yield core


def _after(core: TickCore, seat: int, mine: int, theirs: int) -> int:
    """How many points a seat is ahead at the end if planners play on from a tick."""
    game, view = core.clone(), core.clone()
    for each in (game, view):
        each.push(*((mine, theirs) if seat == 0 else (theirs, mine)))
    game.play_planned(view)
    return int(game.points(seat) - game.points(1 - seat))


def _swapped(line: str) -> TickPosition:
    """The same position with the seats exchanged, a tick later so that the same seat has priority."""
    name, tick, foundations, first, second, stall, tally = line.split(" ")
    completed = ",".join(reversed(tally[:3].split(",")))
    return TickPosition.parse(f"{name} {int(tick) + 1} {foundations} {second} {first} {stall} {completed}/.")
