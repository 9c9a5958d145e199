"""A house bot plays a game on from where it stands."""

import pytest

import engine
from analysis.questions.whatif import BOTS, Asked
from analysis.searches.branches import answer, bots_for, branch, play_on

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
