"""The planner's search in the core, games played on by it, and lines tried on guesses of the hidden cards."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.policies.greedy import EMPTIES_HOUSE, TARGETS, rank_table
from engine.policies.halving import AHEAD, NODES, played_on, shaped
from engine.policies.planner import search
from engine.turns.core import HAND, NOBODY, Core, Guesses
from engine.turns.game import TurnGame
from tests.property.command_line import COMPILED
from tests.property.playing import EXAMPLES, dealt, games, numbers, play_on

if TYPE_CHECKING:
    import engine

WIDE = st.sampled_from([("crapette", 3), ("crapette", 4)])
NODE_COUNTS = st.sampled_from([1, 9, 64, 500] if COMPILED else [1, 9, 40])
GUESSED = 1000 if COMPILED else 60
NEAR = 6 * 0.5 / GUESSED**0.5  # six standard deviations of a share of one half


def ranks(core: Core) -> bytes:
    """How all seats play greedily."""
    return rank_table((TARGETS,) * core.players)


def first_line(core: Core) -> tuple[int, ...]:
    """The line that planner plays."""
    moves: tuple[int, ...] = core.planned(64)
    assume(moves)
    return moves


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


@EXAMPLES
@given(games(), st.sampled_from([1, 9, 64]), st.integers(min_value=0, max_value=12))
def test_playing_on_by_planner_is_playing_its_lines_one_after_the_other(
    game: engine.TurnGame, nodes: int, lines: int
) -> None:
    core, other = game.core.clone(), game.core.clone()
    played = core.play_planned(lines, nodes)
    for _ in range(played):
        number = other.state()[-1]
        for move in other.planned(nodes):
            other.push(move)
            if other.can_stop() and other.counters() >> 22 & 3 == 2:
                other.stop()
            if other.over or other.state()[-1] != number:
                break
    assert (core.hash(), core.tally()) == (other.hash(), other.tally())
    assert played == lines or core.over or not core.planned(nodes)


@EXAMPLES
@given(WIDE, numbers)
def test_a_line_tried_without_hidden_cards_ends_as_it_is_played_on(
    table: tuple[str, int], number: int
) -> None:
    core = play_on(dealt(table, number), Random(number), number % 150).core
    assume(not core.over)
    line = first_line(core)
    result, ahead = Guesses(core, [], ranks(core), EMPTIES_HOUSE).tried(line, number, 2, AHEAD, NODES)
    end = played_on(core, line)
    assert result + ahead / 52 == pytest.approx(shaped(end, core.turn))


@given(number=numbers)
@EXAMPLES
def test_each_way_in_which_hidden_cards_may_lie_is_equally_likely(number: int) -> None:
    core = TurnGame.deal("crapette", f"{number:064x}", 3).core
    line, order, cards = first_line(core), ranks(core), core.pile(HAND + 1)[-2:]
    names = bytearray(range(NOBODY + 1))
    names[cards[0]], names[cards[1]] = cards[1], cards[0]
    ends = [
        Guesses(world, [], order, EMPTIES_HOUSE).tried(line, 0, 1, 0, 1)[1]
        for world in (core, core.exchanged(bytes(names)))
    ]
    assume(ends[0] != ends[1])
    guesses = Guesses(core, [[], [*cards]], order, EMPTIES_HOUSE)
    _, mean = guesses.tried(line, number, GUESSED, 0, 1)
    share = (mean - ends[0]) / (ends[1] - ends[0])
    assert abs(share - 0.5) < NEAR
    assert guesses.tried(line, number, GUESSED, 0, 1)[1] == mean
    assert core.pile(HAND + 1)[-2:] == cards


def test_what_cannot_be_tried_is_refused() -> None:
    core = TurnGame.deal("crapette", "00" * 32, 3).core
    order = ranks(core)
    with pytest.raises(ValueError, match="each once"):
        Guesses(core, [[1], [1]], order, EMPTIES_HOUSE)
    with pytest.raises(ValueError, match="each once"):
        Guesses(core, [[NOBODY]], order, EMPTIES_HOUSE)
    with pytest.raises(ValueError, match="ranks"):
        Guesses(core, [], order[1:], EMPTIES_HOUSE)
    guesses, line = Guesses(core, [], order, EMPTIES_HOUSE), core.planned(64)
    illegal = next(move for move in range(448) if move not in core.legal())
    for moves in ((illegal,), (*line, *line), (448,), (-1,)):
        with pytest.raises(ValueError, match="expected"):
            guesses.tried(moves, 1, 1, 0, 1)
    for count, nodes in ((0, 1), (1, 0), (1, 513)):
        with pytest.raises(ValueError, match="expected"):
            guesses.tried(line, 1, count, 0, nodes)
    with pytest.raises(ValueError, match="512 nodes"):
        core.plans(0, 1)
    with pytest.raises(ValueError, match="512 nodes"):
        core.planned(513)
    with pytest.raises(ValueError, match="512 nodes"):
        core.play_planned(1, 0)
