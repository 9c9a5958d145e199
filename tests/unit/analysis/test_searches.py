"""What the analyses of a game find: mistakes, chances, puzzles, and how it may go on."""

from dataclasses import replace
from functools import cache
from itertools import islice, product
from random import Random
from typing import NamedTuple

import pytest

import engine
from analysis.errors import BrokenRecord
from analysis.questions.whatif import BOTS, Asked
from analysis.searches.deep.ticks import judged_ticks
from analysis.searches.deep.turns import Effort, judged_turns
from analysis.searches.puzzles import LONGEST, MissedWin, judge, key
from analysis.searches.stretches import NODES
from analysis.searches.what_if_games import answer, bots_for, branch, play_on
from analysis.searches.win_chances import CLEAR, MOST_MISTAKES, Chances, carry, chances, clear_cost, mistakes
from analysis.searches.won_endings import won_endings
from analysis.training.selfplay import play
from analysis.values.public_game import Table
from engine import TurnPosition
from engine.cards import SUIT_RELABELLINGS
from engine.policies import perturbed, planner
from engine.policies.greedy import greedily
from engine.turns.core import Core
from engine.turns.search import ending
from tests.factories.puzzles import WON, Played, games
from tools.bench.calibration_bench import play_many

SEED = "5a" * 32


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_to_the_end_of_the_turn_and_always_alike(bot: str) -> None:
    found = branch(str(engine.deal("crapette", SEED)), [], [], bot, "turn")
    assert found == branch(str(engine.deal("crapette", SEED)), [], [], bot, "turn")
    assert found.refused == ""
    assert {event["seat"] for event in found.events} == {found.events[0]["seat"]}
    assert found.events[-1]["turn_number"] == 1


def test_a_bot_plays_all_seats_to_the_end_of_the_game_or_as_many_plies_as_it_was_given() -> None:
    whole, cut = (engine.TurnGame.deal("crapaud", SEED) for _ in range(2))
    play_on(whole, "planner", "end", 2000)
    play_on(cut, "planner", "end", 30)
    assert whole.finished
    assert cut.ply == 30


def test_a_bot_continues_after_the_tried_moves_but_not_after_a_refused_one() -> None:
    asked = [{"at": "0", "moves": moves, "bot": "greedy"} for moves in ("draw", "draw,draw")]
    after, refused = (answer(str(engine.deal("crapaud", SEED)), [], Asked.parse(one)) for one in asked)
    assert after.events[0]["move"] == "draw"
    assert len(after.events) > 1
    assert [event["move"] for event in refused.events] == ["draw"]


def test_games_of_more_than_two_are_played_on_by_hand_alone_and_without_chances() -> None:
    assert bots_for("crapette", 3) == ()
    three = str(engine.deal("crapette", SEED, 3))
    assert branch(three, [], [], "greedy", "end").events == []
    assert all("win" not in move for move in branch(three, [], []).legal)


def test_legal_moves_come_with_their_chances_best_first_and_nothing_hidden_shows_in_them() -> None:
    # The reserve's 10♥ wins at once; what seat 0 would draw is hidden, and differs in the second position.
    piles = "crapaud 0 play - KS/QS/KD/JS/KH/QH/KC/JC 9,0/9,0/9,0/9,0 TH/{}/. 5S7H/6S8D/. 0,0,0,.,. 0,0/./."
    found = [branch(piles.format(hand), [], []).legal for hand in ("4C9C", "9C4C")]
    one, other = ({move["move"]: move["win"] for move in legal} for legal in found)
    assert one == other
    assert list(one.values()) == sorted(one.values(), reverse=True)
    assert one["r-f"] > one["draw"]


LITTLE = Effort(nodes=60, lines=6, games=60, told=60, solving=100_000)


def words_of(variant: str, start: engine.TurnPosition) -> list[str]:
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


@pytest.mark.parametrize("seats", [2, 3])
def test_lines_are_legal_chances_add_up_and_a_cost_is_the_difference_of_two_chances(seats: int) -> None:
    start = engine.TurnPosition.deal("crapette", SEED, seats)
    words = (words_of("crapette", start) if seats == 2 else play_many(start, Random(5))[0])[:100]
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
    assert 0 < len(found) <= MOST_MISTAKES
    assert [mistake.first for mistake in found] == sorted(mistake.first for mistake in found)
    for mistake in found:
        assert mistake.cost >= CLEAR
        assert tuple(words[mistake.first :][: len(mistake.played)]) == mistake.played != mistake.better
        game = engine.TurnGame(start)
        game.play(words[: mistake.first])
        assert game.turn == mistake.seat
        assert game.play(mistake.better).error is None


def test_a_chance_missed_again_and_again_is_lost_but_once() -> None:
    # The other line leads from even to 0.6, in each of three turns in which nothing else happens.
    value, costs = 0.0, []
    for _ in range(3):
        costs.append(clear_cost(value, 0.0, 0.6))
        value += 2 * costs[-1]
    assert costs == pytest.approx([0.3, 0, 0])


def test_a_better_line_costs_what_the_value_function_sees_between_it_and_what_was_played() -> None:
    assert clear_cost(0.1, 0.5, 0.9) == pytest.approx(0.2)
    assert clear_cost(0.9, 0.5, 0.9) == 0
    assert clear_cost(0.0, 0.0, 1.9 * CLEAR) == 0


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


@cache
def found() -> list[tuple[Played, MissedWin]]:
    return [(game, one) for game in islice(games(), 20) for one in game.puzzles]


def test_what_was_played_is_proved_wrong_the_solution_right_and_the_reply_wins_for_the_opponent() -> None:
    replies = 0
    for game, one in found():
        position = engine.TurnPosition.parse(one.position)
        assert one.seat == position.turn
        assert 0 < len(one.solution) <= LONGEST
        assert tuple(game.words[one.first : one.first + len(one.played)]) == one.played
        assert judge(position, one.solution).wins is True
        wrong = judge(position, one.played)
        assert wrong.wins is False
        if wrong.reply:
            after = engine.TurnGame(position)
            after.play(one.played)
            assert judge(after.position, wrong.reply).wins is True
            replies += 1
    assert replies


def test_an_answer_is_one_whole_turn() -> None:
    position = engine.TurnPosition.parse(WON)
    assert judge(position, ("draw", "h-d")).wins is True
    for words in ((), ("draw",), ("draw", "h-d", "draw"), ("r-f",), ("stop",)):
        with pytest.raises(BrokenRecord):
            judge(position, words)


def test_the_same_position_has_the_same_key_however_its_houses_lie_and_its_suits_are_called() -> None:
    position = engine.TurnPosition.parse(WON)
    moved = replace(position, houses=position.houses[::-1])
    assert moved != position
    assert {key(moved.relabelled(suits)) for suits in SUIT_RELABELLINGS} == {key(position)}
    assert key(engine.TurnPosition.parse(WON.replace("0,2,0,.,.", "3,9,0,.,."))) == key(position)
    other = engine.TurnPosition.parse(WON.replace("5C4C", "5C").replace("9HKD", "9HKD4C"))
    assert key(other) != key(position)


TURNS = ["crapaud", "crapette-it", "russian-bank"]


class Event(NamedTuple):
    """A word of a game: who moved, whether it turned a card up, whether a turn was over by it, whether all
    was known before it, and the game then."""

    seat: int
    turned: bool
    ended: bool
    known: bool
    core: Core


def told(variant: str, name: str) -> tuple[float, list[Event], Chances]:
    """The result of a game of two bots, its events, and its chances."""
    start = TurnPosition.deal(variant, name)
    bots = {"even": [planner(500), planner(64)], "uneven": [perturbed(Random(3), 0.4), greedily]}
    played = play(start, bots[name])
    table, events = Table(start), []
    for word in played.words:
        core, known = table.core.clone(), table.knows_all()
        turned = table.turned_up(word) is not None
        ended = bool(table.core.over) or table.core.turn_number != core.turn_number
        events.append(Event(core.turn, turned, ended, known, core))
    return played.result, events, chances(start, played.words)


@pytest.mark.parametrize(("variant", "name"), list(product(TURNS, ["even", "uneven"])))
def test_luck_and_skill_add_up_and_a_decided_ending_keeps_its_value_until_it_is_thrown_away(
    variant: str, name: str
) -> None:
    result, events, course = told(variant, name)
    before = course.swings[0]
    for event, swing in zip(events, course.swings[1:], strict=True):
        assert swing.value - before.value == pytest.approx(swing.luck + swing.skill)
        assert swing.skill * (1 - 2 * event.seat) <= 1e-9
        assert abs(swing.skill) < 1e-9 or abs(swing.skill) / 2 >= CLEAR - 1e-9, "too close to call"
        assert event.turned or abs(swing.luck) < 1e-9, "luck is a card turned up"
        before = swing
    assert before.value == pytest.approx(result)

    begins = [place for place in range(len(events)) if not place or events[place - 1].ended]
    for place, after in zip(begins, [*begins[1:], len(events)], strict=True):
        event, value = events[place], course.swings[place].value
        found = ending(event.core, 20_000) if event.known else None
        if found is not None:
            assert value == found.result * (1 - 2 * event.seat)
            assert len({one.value for one in course.swings[place:after]}) == 1, "one turn has one value"
    if result and events[begins[-1]].known and events[-1].core.turn == (result < 0):
        assert {one.value for one in course.swings[begins[-1] :]} == {result}, "who goes out in a turn wins"


def test_what_is_thrown_away_between_two_solved_turns_was_the_last_turn_of_who_lost_by_it() -> None:
    for results, seats, carried in (
        ([None, None, 1], [0, 1], [None, None, 1]),
        ([1, None, 1], [0, 1], [1, 1, 1]),
        ([1, None, None, -1], [0, 1, 0], [1, 1, 1, -1]),
        ([1, None, None, -1], [1, 0, 1], [1, 1, -1, -1]),
        ([-1, None, None, 1], [0, 1, 0], [-1, -1, 1, 1]),
        ([1, None, None], [0, 1], [1, 1, 1]),
        ([0, None, 1, -1], [0, 1, 0], [0, 0, 1, -1]),
        ([-1, 1], [0], [1, 1]),
    ):
        assert carry(results, seats) == carried


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
