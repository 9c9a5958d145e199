"""A valuer: what its net sees, the lines that it finds, and games played on by it."""

from __future__ import annotations

from array import array
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.policies.greedy import EMPTIES_HOUSE, rank_table
from engine.policies.valued import valuer
from engine.turns.core import DISCARD, DRAWN, HAND, RESERVE, Valuer, self_play
from engine.turns.knowledge.sampling import cores
from engine.turns.knowledge.tracker import Tracker
from engine.turns.moves import texts
from tests.property.command_line import COMPILED
from tests.property.playing import EXAMPLES, play_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.turns.core import Core

OF_TWO = [name for name, rules in engine.VARIANTS.items() if not rules.in_ticks]
NODES = 40 if COMPILED else 3
"""Few where the same source runs uncompiled, a hundred times slower."""
WEIGHTS = 122 * 48 + 2 * 48 + 1

variants = st.sampled_from(OF_TWO)
numbers = st.integers(min_value=0, max_value=2**32)


def begun(variant: str, number: int) -> tuple[engine.TurnGame, Tracker]:
    """A game after some moves, and what everybody who watched it knows."""
    rng = Random(number)
    game = play_on(engine.TurnGame.deal(variant, rng.randbytes(32).hex()), rng, rng.randrange(250))
    return game, Tracker.of(game.observation(0))


def net(core: Core, variant: str, nodes: int = NODES) -> Valuer:
    """The published valuer."""
    return valuer(core, engine.variant(variant), nodes)


@EXAMPLES
@given(variants, numbers)
def test_no_hidden_card_changes_what_a_line_is_worth(variant: str, number: int) -> None:
    game, tracker = begun(variant, number)
    if game.finished:
        return
    found = [net(world, variant).lines(world, 50) for world in islice(cores(tracker, Random(number)), 3)]
    for other in found[1:]:
        assert [moves for _, moves in other] == [moves for _, moves in found[0]]
        assert [worth for worth, _ in other] == pytest.approx([worth for worth, _ in found[0]])


@EXAMPLES
@given(variants, numbers)
def test_a_line_goes_up_to_the_next_card_turned_up(variant: str, number: int) -> None:
    game, _ = begun(variant, number)
    core = game.core
    before = core.hash()
    lines = net(core, variant).lines(core, 30)
    assert core.hash() == before
    names = texts(2, core.turn)
    for worth, moves in lines:
        after = core.clone()
        for move in moves[:-1]:
            piles = [RESERVE + core.turn, DISCARD + core.turn]
            left = [after.size(pile) for pile in piles]
            after.push(move)
            turned = [now < size and now for now, size in zip(map(after.size, piles), left, strict=True)]
            assert not after.over
            assert after.turn == core.turn
            assert names[move] not in {"draw", "pass"}
            assert not any(turned)
        after.push(moves[-1])
        if after.over == 1:
            assert worth > 900
    assert [worth for worth, _ in lines] == sorted((worth for worth, _ in lines), reverse=True)
    assert net(core, variant).planned(core) == (lines[0][1] if lines else ())


@EXAMPLES
@given(numbers)
def test_lines_hold_every_regular_end_and_no_irregular_move(number: int) -> None:
    """Where irregular moves can be stopped, against a plain search of the same positions."""
    game, _ = begun("crapette-it", number)
    core = game.core
    found = {
        (after(core, moves[:-1]).table_hash(), moves[-1])
        for _, moves in net(core, "crapette-it").lines(core, 4096)
    }
    expected = set()
    waiting, known = [core.clone()], {core.table_hash()}
    for node in waiting:
        if node.over:
            continue
        for move in node.legal():
            if node.irregular(move):
                continue
            reached = after(node, (move,))
            if texts(2, node.turn)[move] in {"draw", "pass"} or turned_up(node, reached) or reached.over:
                expected.add((node.table_hash(), move))
            elif len(waiting) < NODES and reached.table_hash() not in known:
                known.add(reached.table_hash())
                waiting.append(reached)
    assert found == expected


def after(core: Core, moves: Sequence[int]) -> Core:
    """How a position is after some moves."""
    reached = core.clone()
    for move in moves:
        reached.push(move)
    return reached


def turned_up(before: Core, reached: Core) -> bool:
    """Whether a move turned up a card or ended the turn."""
    piles = [RESERVE + before.turn, DISCARD + before.turn]
    left = [(before.size(pile), reached.size(pile)) for pile in piles]
    return before.turn != reached.turn or any(now < size and now for size, now in left)


@EXAMPLES
@given(variants, numbers)
def test_a_chance_is_one_where_the_line_wins_and_else_between(variant: str, number: int) -> None:
    game, _ = begun(variant, number)
    core = game.core
    before = core.hash()
    found = net(core, variant)
    for _, moves in found.lines(core, 3):
        chance = found.chance(core, moves, 3)
        after = core.clone()
        for move in moves:
            after.push(move)
        assert 0 <= chance <= 1
        if after.over == 1:
            assert chance == 1
        assert core.hash() == before


@EXAMPLES
@given(variants, numbers, st.integers(1, 4))
def test_a_line_is_tried_by_lines_of_the_net_and_a_greedy_game_after_them(
    variant: str, number: int, ahead: int
) -> None:
    game, _ = begun(variant, number)
    core = game.core
    before = core.hash()
    found = net(core, variant)
    for _, moves in found.lines(core, 3):
        chance, won, share = found.tried(core, moves, ahead, rank_table(), EMPTIES_HOUSE)
        end = after(core, moves)
        for _ in range(ahead - 1):
            end = after(end, found.planned(end))
        end.play_ranked(rank_table(), EMPTIES_HOUSE)
        sign = -1 if core.turn else 1
        left = [sum(end.size(pile + seat) for pile in (RESERVE, DISCARD, HAND)) for seat in range(2)]
        margin = sign * (left[1] - left[0]) / 104
        assert chance == found.chance(core, moves, ahead)
        assert won == (1 + sign * end.worth()[0]) / 2
        assert share == pytest.approx(0.5 + (sign * end.worth()[0] + margin) / 3)
        assert core.hash() == before


@EXAMPLES
@given(variants, numbers, st.integers(0, 1), st.sampled_from([0, 2, 3]))
def test_the_net_sees_no_difference_between_suits_of_a_colour(
    variant: str, number: int, seat: int, end: int
) -> None:
    game, _ = begun(variant, number)
    swapped = str(game.position).translate(str.maketrans("SC", "CS"))
    fields = swapped.split()
    spades, hearts, diamonds, clubs = fields[5].split("/")
    fields[5] = "/".join((clubs, hearts, diamonds, spades))
    other = engine.TurnGame(engine.TurnPosition.parse(" ".join(fields))).core
    found = net(other, variant)
    assert found.inputs(other, seat, end) == pytest.approx(found.inputs(game.core, seat, end))


@pytest.mark.parametrize("variant", OF_TWO if COMPILED else ["crapette"])
def test_a_game_against_itself_is_written_down_line_by_line(variant: str) -> None:
    core = engine.TurnGame.deal(variant, "00" * 32).core
    if not COMPILED:  # the end of a game
        while core.size(24) + core.size(25) > 12 and not core.over:
            core.playout(5, 40)
    rows = array("d", [0.0]) * (123 * 2000)
    found = net(core, variant, 8 if COMPILED else 1)
    before = core.hash()
    result, count = self_play(found, None, core, rows)
    assert core.hash() == before
    assert result in {-1, 0, 1}
    assert 0 < count <= 2000
    seats = {rows[123 * row] for row in range(count)}
    assert seats <= {0.0, 1.0}
    assert all(sum(rows[123 * row + 32 : 123 * row + 36]) == 1.0 for row in range(count))  # one end a line
    assert not any(rows[123 * count :])
    assert self_play(found, None, core, rows) == (result, count)


def test_an_error_changes_what_is_played_and_can_be_repeated() -> None:
    core = engine.TurnGame.deal("crapette", "11" * 32).core
    found = net(core, "crapette")
    true = found.lines(core, 4)
    found.err(2.0, 7)
    wrong = found.lines(core, 4)
    found.err(2.0, 7)
    assert found.lines(core, 4) == wrong != true
    found.err(0.0, 0)
    assert found.lines(core, 4) == true


def test_bad_arguments_are_refused() -> None:
    core = engine.TurnGame.deal("crapette", "00" * 32).core
    wide = engine.TurnGame.deal("crapette", "00" * 32, 3).core
    for bad in (
        (wide, False, 8, [0.0] * WEIGHTS),
        (core, False, 0, [0.0] * WEIGHTS),
        (core, False, 8, [0.0]),
    ):
        with pytest.raises(ValueError, match="expected two seats"):
            Valuer(*bad)
    found = Valuer(core, False, 8, [0.0] * WEIGHTS)
    with pytest.raises(ValueError, match="expected seat 0 or 1"):
        found.inputs(core, 2, 0)
    with pytest.raises(ValueError, match="at least one line"):
        found.chance(core, (), 0)
    with pytest.raises(ValueError, match="expected two seats"):
        self_play(found, None, wide, bytearray(984))
    with pytest.raises(ValueError, match="can be written to"):
        self_play(found, None, core, bytes(984))
    with pytest.raises(ValueError, match="expected one of"):
        found.chance(core, (127,), 1)
    assert core.size(DRAWN) == 0
    with pytest.raises(engine.EngineError):
        valuer(wide, engine.variant("crapette"))
