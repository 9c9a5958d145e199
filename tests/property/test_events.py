"""An event says what happened: it agrees with the positions around it, field by field."""

from __future__ import annotations

from random import Random

from hypothesis import given

import engine
from tests.property.playing import EXAMPLES, dealt, move_on, numbers, problematic, tables


def _top(position: engine.TurnPosition, pile: str) -> str | None:
    """The last card of a pile by its absolute name; for a foundation the card last put there."""
    if pile == "x":
        return position.drawn
    if pile[0] == "f":
        height = position.foundations["SHDC".index(pile[1])][int(pile[2])]
        return position.rules.ranks[height - 1] + pile[1] if height else None
    if pile[0] == "t":
        cards = position.houses[int(pile[1:]) - 1]
    else:
        seat = position.seats[int(pile[1])]
        cards = {"r": seat.reserve, "h": seat.hand, "d": seat.discard}[pile[0]]
    return cards[-1] if cards else None


def _names(position: engine.TurnPosition) -> list[str]:
    seats = range(position.players)
    return [
        "x",
        *(f"t{number}" for number in range(1, 4 * position.players + 1)),
        *(f"{pile}{seat}" for pile in "rhd" for seat in seats),
        *(f"f{suit}{index}" for suit in "SHDC" for index in seats),
    ]


def _agrees(before: engine.TurnPosition, event: engine.Event, after: engine.TurnPosition) -> None:
    said = event.as_dict()
    mover = before.turn
    assert said["type"] == ("stop" if event.move == "stop" else "move")
    assert said["seat"] == (1 - mover if event.move == "stop" else mover)
    assert said["turn"] == after.turn
    public = str(after.public().counters)
    assert said["counters"] == public
    assert said.get("phase") == (after.phase if after.phase != before.phase else None)
    assert (said["card"] is None) == (said["from"] is None) == (said["to"] is None)
    if event.card is not None and event.source is not None and event.target is not None:
        assert _top(after, event.target) == event.card
        if event.flip is None:
            assert _top(before, event.source) == event.card
        else:  # the discard's bottom card is the first of the new hand
            assert before.seats[event.flip].discard[0] == event.card
    flipped = before.seats[mover].discard and event.move == "draw" and not before.seats[mover].hand
    assert said.get("flip") == (mover if flipped else None)
    shown = [
        [pile, _top(after, pile)]
        for pile in (f"r{mover}", f"d{mover}")
        if event.source == pile and _top(after, pile) is not None
    ]
    assert said.get("reveal") == (shown[0] if shown else None)
    king = after.rules.ranks[12]
    completed = [
        name
        for name in _names(after)
        if name[0] == "f" and _top(after, name) == king + name[1] and _top(before, name) != king + name[1]
    ]
    assert said.get("completed") == (completed[0] if completed else None)
    gone = set(after.tally.out) - set(before.tally.out)
    assert said.get("out") == (mover if gone else None)


@EXAMPLES
@given(tables, numbers)
def test_every_event_agrees_with_the_positions_around_it(table: tuple[str, int], number: int) -> None:
    for begin in (dealt, problematic):
        game, rng = begin(table, number), Random(number)
        turns = game.turn_number
        for _ in range(80):
            before = game.position
            if not move_on(game, rng):
                break
            event = game.history[-1]
            after = game.position
            _agrees(before, event, after)
            ended = after.counters.stall != before.counters.stall and event.move in {"h-d", "pass"}
            assert event.turn_number - turns in ((1,) if ended else (0, 1))
            turns = event.turn_number


@EXAMPLES
@given(tables, numbers)
def test_push_and_stop_answer_the_event_that_history_keeps(table: tuple[str, int], number: int) -> None:
    game, rng = dealt(table, number), Random(number)
    for count in range(60):
        legal = game.legal_moves()
        if not legal:
            break
        event = game.stop() if game.can_stop() and rng.random() < 0.3 else game.push(rng.choice(legal))
        assert game.history[-1] is event
        assert len(game.history) == count + 1
        assert game.ply == sum(each.type == "move" for each in game.history)


@EXAMPLES
@given(tables, numbers)
def test_a_game_is_replayed_from_its_history(table: tuple[str, int], number: int) -> None:
    for begin in (dealt, problematic):
        game, rng = begin(table, number), Random(number)
        for _ in range(100):
            if not move_on(game, rng):
                break
        words = [event.move for event in game.history]
        replay = engine.TurnGame.replay(game.start, words)
        assert replay.error is None
        assert replay.played == len(words)
        assert replay.game.history == game.history
        assert replay.game.position == game.position
        broken = engine.TurnGame.replay(game.start, [*words, "t1-t1", "draw"])
        assert broken.played == len(words)
        assert isinstance(broken.error, engine.IllegalMove)
        assert broken.game.position == game.position
