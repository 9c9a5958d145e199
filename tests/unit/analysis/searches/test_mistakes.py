"""Mistakes are found where they were made, and nowhere else."""

from random import Random

import pytest

import engine
from analysis.searches.mistakes import MOST, mistakes
from analysis.searches.stretches import NODES
from analysis.searches.win_chances import CLEAR
from analysis.training.selfplay import play
from engine.policies import perturbed, planner
from engine.turns.search import ending

SEED = "5a" * 32


@pytest.mark.parametrize("variant", ["crapaud", "crapette-it"])
def test_the_planner_finds_nothing_but_wins_thrown_away_in_its_own_games(variant: str) -> None:
    start = engine.TurnPosition.deal(variant, SEED)
    found = mistakes(start, play(start, [planner(NODES)] * 2).words)
    assert [mistake for mistake in found if not mistake.proved] == []


def test_a_bot_that_often_moves_at_random_makes_the_mistakes_and_the_better_lines_are_legal() -> None:
    start = engine.TurnPosition.deal("crapette", SEED)
    words = play(start, [perturbed(Random(1), 0.6), planner(NODES)]).words
    found = mistakes(start, words)
    assert {mistake.seat for mistake in found} == {0}
    assert 0 < len(found) <= MOST
    assert [mistake.first for mistake in found] == sorted(mistake.first for mistake in found)
    for mistake in found:
        assert mistake.cost >= CLEAR
        assert tuple(words[mistake.first :][: len(mistake.played)]) == mistake.played != mistake.better
        game = engine.TurnGame(start)
        game.play(words[: mistake.first])
        assert game.turn == mistake.seat
        assert game.play(mistake.better).error is None


def test_a_reserve_card_left_lying_is_a_mistake_with_its_line() -> None:
    line = "crapaud 0 play - KS/QS/KD/JS/KH/QH/KC/JC 9,0/9,0/9,0/9,0 TH/4C/. 5S7H/6S8D/. 0,0,0,.,. 0,0/./."
    start = engine.TurnPosition.parse(line)
    (found,) = mistakes(start, ["draw"])
    assert (found.first, found.seat, found.played) == (0, 0, ("draw",))
    assert "r-f" in found.better


def test_a_win_thrown_away_is_proved_by_a_line_that_wins() -> None:
    start = engine.TurnPosition.deal("crapaud", "0" * 64)
    words = play(start, [planner(NODES)] * 2).words
    proved = [mistake for mistake in mistakes(start, words) if mistake.proved]
    assert proved, "expected the planner to throw a win away in this game"
    for mistake in proved:
        game = engine.TurnGame(start)
        game.play(words[: mistake.first])
        game.play(mistake.played)
        lost = ending(game.core)
        assert lost is not None
        assert lost.result * (1 if game.turn == mistake.seat else -1) == 1 - 2 * mistake.cost
        game = engine.TurnGame(start)
        game.play(words[: mistake.first])
        game.play(mistake.better)
        if game.core.over:
            assert game.core.tally()[2] == [mistake.seat]
        else:
            won = ending(game.core)
            assert won is not None
            assert (won.result, game.turn) == (-1, 1 - mistake.seat)
