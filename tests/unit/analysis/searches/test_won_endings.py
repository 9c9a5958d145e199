"""Won endings are those that the solver proves at the start of a turn with every card known."""

from __future__ import annotations

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


def test_all_is_known_of_a_table_from_the_last_card_that_was_turned_up() -> None:
    start = engine.TurnPosition.deal("crapaud", f"{0:064x}")
    table = Table(start)

    for word in play(start, [greedily, planner(60)]).words:
        assert table.knows_all() == (not table.unseen(0) and not table.unseen(1))
        table.turned_up(word)

    assert table.knows_all()


def test_in_a_game_of_ticks_no_ending_is_solved() -> None:
    start = engine.Position.deal("vitesse", f"{0:064x}")

    assert won_endings(start, ["wait,wait"]) == set()
