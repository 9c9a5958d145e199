"""The planner's search in the core."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.policies.planner import search
from engine.turns.game import TurnGame
from tests.property.command_line import COMPILED
from tests.property.playing import EXAMPLES, games

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
