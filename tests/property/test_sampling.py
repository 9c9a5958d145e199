"""What a bot may know: whenever it is first asked, each of its samples is a game that it could have seen."""

from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import engine
from engine.cards import PACK
from engine.turns.conversion import to_position
from engine.turns.knowledge.rewind import rewind
from engine.turns.knowledge.sampling import cores
from kit.sdk.crapette import Story, Turn
from tests.property.playing import EXAMPLES, dealt, lengths, numbers, play_on, tables

SAMPLES = 3


def _told(game: engine.TurnGame, seen: int, *, position: bool, start: bool = False) -> dict[str, Any]:
    """A question as the arena asks it: the position, and what happened since the first `seen` events."""
    message: dict[str, Any] = {"events": [event.as_dict() for event in game.history[seen:]]}
    if position:
        message["position"] = str(game.position.public())
    if start:
        message["start"] = str(game.start.public())
    return message


def _polled(game: engine.TurnGame, seen: int) -> dict[str, Any] | None:
    """A poll for stop about the last move, if there was one."""
    if len(game.history) <= seen or game.history[-1].type != "move":
        return None
    # Played again from the start: one move taken back does not say what was dealt before it.
    earlier = engine.TurnGame(game.start)
    assert earlier.play(event.move for event in game.history[:-1]).error is None
    before = earlier.position.public()
    return {**_told(game, seen, position=False), "before": str(before), "move": game.history[-1].move}


def _assert_possible(sample: engine.TurnPosition, game: engine.TurnGame, *, start_seen: bool) -> None:
    """The position hides nothing, and its deal is one from which this game shows what it showed.

    A bot that was not told the start may not know the top of a reserve that was covered before it came, which
    what was played on it tells more about than the tracker makes of it.
    """
    assert sample.is_full
    assert sample.public() == game.position.public()
    start = rewind(sample, game.history)
    packs = [
        sorted((*piles.reserve, *piles.hand, *(card for house in houses for card in house)))
        for seat, piles in enumerate(start.seats)
        for houses in [start.houses[4 * seat : 4 * seat + 4]]
    ]
    if start.rules.one_pack:
        assert sorted(packs[0] + packs[1]) == sorted(PACK * 2)
    else:
        assert packs == [sorted(PACK)] * start.players
    if not start_seen:
        return
    assert start.public() == game.start.public()
    again = engine.TurnGame(start)
    replay = again.play(event.move for event in game.history)
    assert replay.error is None
    assert again.history == game.history
    assert again.position.seats == sample.seats


@EXAMPLES
@example(  # while the crapette-it table is laid out
    table=("crapette-it", 2), number=0, first=4, more=0, by_poll=True, each_time=False, start=False
)
@given(tables, numbers, lengths, lengths, st.booleans(), st.booleans(), st.booleans())
def test_every_sample_is_possible_whenever_a_bot_is_asked(
    table: tuple[str, int], number: int, first: int, more: int, by_poll: bool, each_time: bool, start: bool
) -> None:
    rng = Random(number)
    game = play_on(dealt(table, number), rng, first)
    assert rewind(game.position, game.history) == game.start
    story, seen = Story(), 0
    poll = _polled(game, seen) if by_poll else None
    if poll is not None:  # a bot that is polled before it is first asked
        story.hear({**poll, **({"start": str(game.start.public())} if start else {})})
        seen = len(game.history)
    story.hear(_told(game, seen, position=True, start=start))
    seen = len(game.history)
    turn = Turn(b"", {"variant": table[0], "players": table[1], "seat": 0}, {}, story)
    if each_time:
        _assert_possible(turn.sample(rng).position, game, start_seen=start)
    play_on(game, rng, more)
    story.hear(_told(game, seen, position=each_time))
    tracker = turn.tracker()
    assert tracker.position.public() == game.position.public()
    for _ in range(SAMPLES):
        _assert_possible(turn.sample(rng).position, game, start_seen=start)
    for core in islice(cores(tracker, rng), SAMPLES):
        _assert_possible(to_position(game.variant, core, frozenset()), game, start_seen=start)


def test_a_copy_of_a_tracker_goes_its_own_way() -> None:
    game = play_on(dealt(("crapette", 2), 1), Random(1), 40)
    story = Story()
    story.hear(_told(game, 0, position=True))
    turn = Turn(b"", {"variant": "crapette"}, {}, story)
    mine = turn.tracker()
    before = mine.position, mine.pools
    seen = len(game.history)
    play_on(game, Random(2), 20)
    for event in game.history[seen:]:
        mine.see(event)
    assert mine.position.public() == game.position.public()
    assert (turn.tracker().position, turn.tracker().pools) == before


def test_events_that_cannot_have_led_here_or_none_at_all_are_refused() -> None:
    game = play_on(dealt(("crapette", 2), 1), Random(1), 40)
    with pytest.raises(engine.EngineError, match=r"^expected events that led to the position, got \{'type'"):
        rewind(game.start.public(), game.history)
    turn = Turn(b"", {"variant": "crapette"}, {}, Story(complete=False))
    with pytest.raises(RuntimeError, match=r"turn\.tracker\(\) and .* need events: remove events=False$"):
        turn.sample(Random(1))
