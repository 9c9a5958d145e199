"""A person's game as a value, in turns and in ticks."""

import re
from typing import Any

import pytest

import engine
from engine.errors import IllegalMove
from friendlies.games.refusals import ActionRefused
from friendlies.games.ticks import PersonTickTable
from friendlies.games.turns import PersonTable
from referee.messages import PlyEvent, TickEvent

CRAPAUD = str(engine.TurnPosition.deal("crapaud", "00" * 32))
ITALIAN = str(engine.TurnPosition.deal("crapette-it", "00" * 32))


def only(sentence: str) -> str:
    """A pattern that matches this sentence and nothing else."""
    return f"^{re.escape(sentence)}$"


def said(*moves: str, **more: Any) -> dict[str, Any]:
    plain = {"comment": None, "eval": None, "offer_draw": False, "accept_draw": False, "resign": False}
    return {"ms": 3, "moves": list(moves), **plain, **more}


def plies(game: PersonTable) -> list[PlyEvent]:
    return [event for event in game.events if event["type"] == "move" or event["type"] == "stop"]


def crapaud(person: int = 1) -> PersonTable:
    return PersonTable(CRAPAUD, person, clocks=[60_000, None] if person else [None, 60_000])


def test_a_person_moves_takes_back_and_cannot_unsee_a_card() -> None:
    game = crapaud()
    game.play(["t6-f"])
    game.undo()
    assert game.events == []
    assert str(game.game.position) == CRAPAUD
    game.play(["draw"])
    with pytest.raises(ActionRefused, match=only("You can’t undo past a revealed card.")):
        game.undo()


def test_an_illegal_move_changes_nothing_and_the_bot_is_asked_once_the_turn_has_ended() -> None:
    game = crapaud()
    with pytest.raises(engine.IllegalMove):
        game.play(["t6-f", "t1-t1"])
    assert game.events == []
    game.play(["draw"])
    game.play(["h-d"])
    assert str(game.awaits) == "bot"
    with pytest.raises(ActionRefused, match=only("It is not your turn.")):
        game.play(["draw"])
    with pytest.raises(ActionRefused, match=only("It is not your turn.")):
        game.undo()


def test_a_bots_moves_go_as_far_as_the_next_card_turned_up_and_an_illegal_one_loses() -> None:
    game = crapaud(person=0)
    game.bot_moves(said("t6-f", "draw", "nonsense", comment="so"))
    assert [event["move"] for event in plies(game)] == ["t6-f", "draw"]
    assert plies(game)[0]["comment"] == "so"
    assert game.clocks[1] == 59_997
    game.bot_moves(said("nonsense"))
    assert game.result is not None
    assert (game.result.termination, game.result.seat, game.result.ranking) == (
        "illegal-move",
        1,
        ((0,), (1,)),
    )
    assert game.events[-1]["type"] == "end"


def test_after_each_action_the_other_may_call_stop_where_the_game_has_that() -> None:
    game = PersonTable(ITALIAN, person=1 - engine.TurnPosition.deal("crapette-it", "00" * 32).turn)
    game.bot_moves(said("draw", "h-t1"))
    assert str(game.awaits) == "window"
    with pytest.raises(ActionRefused, match=only("It is not your turn.")):
        game.play(["draw"])
    game.go_on()
    game.bot_moves(said("h-t1", "draw"))
    assert str(game.awaits) == "window"
    assert game.pending == ["draw"]
    game.call_stop()  # building was regular: the game goes on, and nobody asks again
    assert str(game.awaits) == "bot"
    assert game.pending == []
    with pytest.raises(ActionRefused, match=only("You can no longer call stop in this game.")):
        game.call_stop()


def test_draws_are_offered_accepted_and_declined() -> None:
    game = crapaud()
    game.offer_draw()
    with pytest.raises(ActionRefused, match=only("You have already offered a draw.")):
        game.offer_draw()
    game.play(["draw"])
    game.play(["h-d"])
    game.bot_moves(said("draw", offer_draw=True))
    assert [event["type"] for event in game.events] == ["offer", "move", "move", "decline", "offer", "move"]
    game.answer_draw(accept=True)
    assert game.result is not None
    assert game.result.termination == "draw-agreed"
    with pytest.raises(ActionRefused, match=only("The game is over.")):
        game.resign()


def test_it_is_built_again_from_what_is_stored() -> None:
    game = crapaud()
    game.play(["t6-f", "draw"])
    game.play(["h-d"])
    again = PersonTable(CRAPAUD, 1, events=game.events, awaits=game.awaits)
    assert str(again.game.position) == str(game.game.position)
    assert again.plain_events(2) == [game.game.history[2].as_dict()]


START = str(engine.deal("vitesse", "00" * 32))  # seat 0 can play s2-f, seat 1 only turn


def ticks_said(action: str, **more: Any) -> dict[str, Any]:
    plain = {"ms": 3, "late": False, "comment": None, "eval": None, "resign": False}
    return {"action": action, **plain, **more}


def ticks(game: PersonTickTable) -> list[TickEvent]:
    return [event for event in game.events if event["type"] == "tick"]


def game(**more: Any) -> PersonTickTable:
    return PersonTickTable(START, 0, clocks=[None, 60_000], increment_ms=500, **more)


def test_a_tick_closes_once_both_have_chosen_whoever_was_first() -> None:
    first, second = game(), game()
    first.choose(0, "s2-f", ms=40)
    assert (first.awaited, first.events, first.chosen) == ("bot", [], "s2-f")
    first.bot_answers(ticks_said("turn", comment="up it goes"))
    second.bot_answers(ticks_said("turn", comment="up it goes"))
    assert (second.awaited, second.events) == ("person", [])
    second.choose(0, "s2-f", ms=40)
    assert first.events == second.events
    (tick,) = ticks(first)
    assert tick["actions"] == ["s2-f", "turn"]
    assert tick["ms"] == [40, 3]
    assert tick["clocks"] == [None, 60_497]
    assert tick["comments"] == [None, "up it goes"]
    assert first.awaited == "bot"
    assert first.pending == [None, None]


def test_a_choice_may_be_changed_until_the_tick_closes_and_not_for_another_tick() -> None:
    race = game()
    race.choose(0, "s2-f")
    race.choose(0, "wait")
    with pytest.raises(IllegalMove, match=re.escape("expected one of s2-f, wait, got 'turn'")):
        race.choose(0, "turn")
    race.bot_answers(ticks_said("turn"))
    assert ticks(race)[0]["actions"] == ["wait", "turn"]
    with pytest.raises(ActionRefused, match=r"^That tick is over\.$"):
        race.choose(0, "s2-f")


def test_a_late_seat_waits_but_a_choice_made_in_time_counts() -> None:
    race = game()
    race.choose(0, "s2-f")
    race.be_late()
    race.bot_answers(ticks_said("wait", late=True))
    race.be_late()
    race.bot_answers(ticks_said("turn"))
    assert [event.get("late") for event in ticks(race)] == [[1], [0]]
    assert [event["actions"][0] for event in ticks(race)] == ["s2-f", "wait"]
    assert race.late_in_a_row == 1


@pytest.mark.parametrize(
    ("answer", "termination", "detail"),
    [
        (ticks_said("s1-f"), "illegal-move", "Seat 1 chose 's1-f' in tick 0: expected one of turn, wait."),
        (ticks_said("", resign=True), "resignation", "Seat 1 resigned."),
    ],
)
def test_a_bot_that_plays_what_it_may_not_or_resigns_has_lost(
    answer: dict[str, Any], termination: str, detail: str
) -> None:
    race = game()
    race.choose(0, "s2-f")
    race.bot_answers(answer)
    assert race.result is not None
    assert (race.result.termination, race.result.detail) == (termination, detail)
    assert race.result.ranking == ((0,), (1,))
    assert race.awaited == "nobody"
    assert race.events[-1]["type"] == "end"


def test_a_game_is_built_again_from_its_events_and_ends_when_stop_is_called() -> None:
    almost = "vitesse 8 0,0/0,0/0,0/0,0 ./KS,KH,KD,KC/2S/. 9S/QS,QH,QD,QC/3S/. 8 0,0/."
    race = PersonTickTable(almost, 1)
    race.choose(8, "turn")
    race.bot_answers(ticks_said("turn"))
    again = PersonTickTable(almost, 1, events=race.events, awaits=race.awaits, pending=race.pending)
    assert str(again.game.position) == str(race.game.position)
    again.choose(9, "wait")
    again.bot_answers(ticks_said("stop"))
    assert again.result is not None
    assert again.result.termination == "stop"
    assert again.result.plies == 2
    assert ticks(again)[-1]["stopper"] == 0


def test_a_polled_bot_lets_a_person_continue_or_stops_them() -> None:
    game = PersonTable(ITALIAN, person=engine.TurnPosition.deal("crapette-it", "00" * 32).turn)
    game.play(["draw", "h-t1"])
    assert str(game.awaits) == "poll"
    before, move = game.before_last()
    assert (before, move) == (str(engine.TurnPosition.parse(ITALIAN).public()), "draw")
    game.bot_polled({"ms": 1, "stop": False})
    assert game.pending == []
    assert str(game.awaits) == "person"
    with pytest.raises(ActionRefused, match="can’t undo in this game"):
        game.undo()


def test_the_bot_learns_only_closed_ticks_without_the_referees_additions() -> None:
    race = game()
    race.choose(0, "s2-f")
    assert race.plain_events() == []
    race.bot_answers(ticks_said("turn", eval=0.5))
    (told,) = race.plain_events()
    assert sorted(told) == ["actions", "done", "stall", "stopper", "tick", "type"]
