"""A person's game as a value: whose turn, what may be undone, stop, draws, and how it is built again."""

import re
from typing import Any

import pytest

import engine
from friendlies.games.refusals import ActionRefused
from friendlies.games.turns import PersonTable
from referee.messages import PlyEvent

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
