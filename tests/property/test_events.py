"""An event says what happened: it agrees with the positions around it, field by field."""

from random import Random

from hypothesis import given

import engine
from tests.property.playing import EXAMPLES, dealt, numbers, problematic, tables


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


def _foundations(position: engine.TurnPosition) -> list[str]:
    return [f"f{suit}{index}" for suit in "SHDC" for index in range(position.players)]


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
        name for name in _foundations(after) if _top(after, name) == king + name[1] != _top(before, name)
    ]
    assert said.get("completed") == (completed[0] if completed else None)
    gone = set(after.tally.out) - set(before.tally.out)
    assert said.get("out") == (mover if gone else None)


@EXAMPLES
@given(tables, numbers)
def test_every_event_agrees_with_the_positions_around_it_and_replays_the_game(
    table: tuple[str, int], number: int
) -> None:
    for begin in (dealt, problematic):
        game, rng = begin(table, number), Random(number)
        turns = game.turn_number
        for count in range(1, 81):
            before = game.position
            legal = game.legal_moves()
            if not legal:
                break
            forward = [move for move in legal if move[0] != "t" or move.endswith("f")]
            move = rng.choice(forward if forward and rng.random() < 0.7 else legal)
            event = game.stop() if game.can_stop() and rng.random() < 0.2 else game.push(move)
            assert game.history[-1] is event
            assert len(game.history) == count
            after = game.position
            _agrees(before, event, after)
            ended = after.counters.stall != before.counters.stall and event.move in {"h-d", "pass"}
            assert event.turn_number - turns in ((1,) if ended else (0, 1))
            turns = event.turn_number
        assert game.ply == sum(event.type == "move" for event in game.history)
        words = [event.move for event in game.history]
        replay = engine.TurnGame.replay(game.start, words)
        assert (replay.error, replay.played) == (None, len(words))
        assert (replay.game.history, replay.game.position) == (game.history, game.position)
        broken = engine.TurnGame.replay(game.start, [*words, "t1-t1", "draw"])
        assert isinstance(broken.error, engine.IllegalMove)
        assert (broken.played, broken.game.position) == (len(words), game.position)
