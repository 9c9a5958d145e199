"""Won endings are those that the solver proves at the start of a turn with every card known."""

import pytest

import engine
from analysis.searches.won_endings import won_endings
from analysis.training.selfplay import play
from analysis.values.public_game import Table
from engine.policies import planner
from engine.policies.greedy import greedily


def test_a_seat_that_throws_a_proved_win_away_had_a_won_ending_and_so_has_the_winner() -> None:
    # In this game greedy had a won ending and lost it; planner won in the end.
    start = engine.TurnPosition.deal("crapaud", f"{0:064x}")
    words = play(start, [greedily, planner(60)]).words
    assert won_endings(start, words) == {0, 1}
    assert won_endings(start, words[: len(words) // 2]) == set(), "not every card is known there"
    assert won_endings(engine.Position.deal("vitesse", f"{0:064x}"), ["wait,wait"]) == set()


@pytest.mark.parametrize("variant", ["crapaud", "crapette"])
def test_all_is_known_of_a_table_once_no_unseen_card_could_be_another(variant: str) -> None:
    start = engine.TurnPosition.deal(variant, f"{0:064x}")
    table = Table(start)
    for word in play(start, [greedily, planner(60)]).words:
        unseen = [table.unseen(seat) for seat in range(2)]
        # In crapaud both packs are shuffled as one; elsewhere each seat has its own.
        pools = [set(unseen[0]) | set(unseen[1])] if variant == "crapaud" else unseen
        assert table.knows_all() == all(len(pool) <= 1 for pool in pools)
        table.turned_up(word)
    assert table.knows_all()
