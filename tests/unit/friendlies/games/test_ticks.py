"""A person's game in ticks as a value: who has answered, what stays hidden, who was late, how it ends."""

import re
from typing import Any

import pytest

import engine
from engine.errors import IllegalMove
from friendlies.games.refusals import ActionRefused
from friendlies.games.ticks import PersonTickTable
from referee.messages import TickEvent

START = str(engine.deal("vitesse", "00" * 32))  # seat 0 can play s2-f, seat 1 only turn


def said(action: str, **more: Any) -> dict[str, Any]:
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
    first.bot_answers(said("turn", comment="up it goes"))
    second.bot_answers(said("turn", comment="up it goes"))
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
    race.bot_answers(said("turn"))
    assert ticks(race)[0]["actions"] == ["wait", "turn"]
    with pytest.raises(ActionRefused, match=r"^That tick is over\.$"):
        race.choose(0, "s2-f")


def test_a_late_seat_waits_but_a_choice_made_in_time_counts() -> None:
    race = game()
    race.choose(0, "s2-f")
    race.be_late()
    race.bot_answers(said("wait", late=True))
    race.be_late()
    race.bot_answers(said("turn"))
    assert [event.get("late") for event in ticks(race)] == [[1], [0]]
    assert [event["actions"][0] for event in ticks(race)] == ["s2-f", "wait"]
    assert race.late_in_a_row == 1


@pytest.mark.parametrize(
    ("answer", "termination", "detail"),
    [
        (said("s1-f"), "illegal-move", "Seat 1 chose 's1-f' in tick 0: expected one of turn, wait."),
        (said("", resign=True), "resignation", "Seat 1 resigned."),
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
    race.bot_answers(said("turn"))
    again = PersonTickTable(almost, 1, events=race.events, awaits=race.awaits, pending=race.pending)
    assert str(again.game.position) == str(race.game.position)
    again.choose(9, "wait")
    again.bot_answers(said("stop"))
    assert again.result is not None
    assert again.result.termination == "stop"
    assert again.result.plies == 2
    assert ticks(again)[-1]["stopper"] == 0
