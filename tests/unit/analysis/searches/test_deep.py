"""Oracle's judgement of a game: never in the middle of a turn, certain where the cards are known."""

from dataclasses import replace
from random import Random

import pytest

import engine
from analysis.searches.deep.judging import Effort
from analysis.searches.deep.ticks import judged_ticks
from analysis.searches.deep.turns import judged_turns
from analysis.searches.mistakes import mistakes
from analysis.training.selfplay import play
from engine.policies import perturbed, planner

SEED = "5a" * 32
LITTLE = Effort(nodes=60, lines=6, games=60, told=60, solving=100_000)


def words_of(variant: str, start: engine.TurnPosition) -> list[str]:
    """A game of a bot that often errs against the planner."""
    return list(play(start, [perturbed(Random(variant), 0.4), planner(60)]).words)


def test_every_stretch_of_a_game_is_judged_once_up_to_a_card_or_the_end_of_the_turn() -> None:
    variant = "crapette-it"  # with stop calls
    start = engine.TurnPosition.deal(variant, SEED)
    words = words_of(variant, start)[:120]
    told: list[float] = []
    found = judged_turns(start, words, "key", told.append, LITTLE)
    game, place = engine.TurnGame(start), 0
    for one in found:
        while words[place] == "stop":
            game.stop()
            place += 1
        assert one.first == place
        assert one.judged.seat == game.turn
        for word in words[one.first : one.after - 1]:
            event = game.push(word)
            assert (event.reveal, event.turn) == (None, one.judged.seat), "judged in the middle of a turn"
        game.push(words[one.after - 1])
        place = one.after
    assert told == sorted(told)
    assert told[0] == 0 <= told[-1] < 1


def test_lines_are_legal_chances_add_up_and_a_cost_is_the_difference_of_two_chances() -> None:
    start = engine.TurnPosition.deal("crapette", SEED)
    words = words_of("crapette", start)[:100]
    found = judged_turns(start, words, "key", effort=replace(LITTLE, games=20, told=200))
    assert any(one.judged.cost for one in found), "a bot that errs so often makes a clear mistake"
    for one in found:
        judged = one.judged
        for line in judged.lines:
            game = engine.TurnGame(start)
            game.play(words[: one.first])
            assert game.play(line.moves).error is None
            assert sum(line.win) == pytest.approx(1)
        assert judged.played is not None
        if judged.cost:
            best = judged.lines[0].win[judged.seat]
            assert judged.cost == pytest.approx(best - judged.played.win[judged.seat])
            assert judged.played.moves == tuple(words[one.first : one.after])


def test_wins_thrown_away_are_proved_as_the_quick_analysis_proves_them() -> None:
    start = engine.TurnPosition.deal("crapaud", "0" * 64)
    words = list(play(start, [planner(500)] * 2).words)
    quick = [one for one in mistakes(start, words) if one.proved]
    assert quick, "expected a game with a win thrown away"
    found = judged_turns(start, words, "key", effort=replace(LITTLE, lines=2, games=4, told=4))
    # Oracle's stretches end at each card that is turned up, so the same mistake may be told a little later.
    for one in quick:
        within = [each.judged for each in found if 0 <= each.first - one.first < len(one.played)]
        assert sum(each.cost for each in within if each.proved) == one.cost


@pytest.mark.parametrize("seats", [3, 4])
def test_each_of_three_and_four_seats_has_a_chance_of_its_own(seats: int) -> None:
    start = engine.TurnPosition.deal("crapette", SEED, seats)
    game = engine.TurnGame(start)
    for _ in range(6):
        game.push(game.legal()[0])
    words = [event.move for event in game.history]
    found = judged_turns(start, words, "key", effort=Effort(10, 2, 4, 3))
    assert found
    assert all(len(line.win) == seats for one in found for line in one.judged.lines)
    assert all(sum(one.judged.win) == pytest.approx(1) for one in found)


def test_ticks_are_judged_for_both_seats_with_what_each_chose() -> None:
    start = engine.TickPosition.deal("vitesse", SEED)
    game = engine.TickGame(start)
    words = []
    for _ in range(12):
        actions = [next(one for one in game.legal(seat) if one != "wait") for seat in (0, 1)]
        game.push(*actions)
        words.append(",".join(actions))
    found = judged_ticks(start, words, "key", games=20)
    assert [",".join(one.played.action for one in tick.choices) for tick in found] == words
    assert all(0 <= tick.before <= 1 and 0 <= tick.after <= 1 for tick in found)
    for tick in found:
        for choice in tick.choices:
            best = choice.actions[0].win - choice.played.win
            assert choice.cost in (0.0, pytest.approx(best))
