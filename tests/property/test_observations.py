"""What a seat is told depends on no card it may not know, is all that it may, and each sample fits it."""

import json
from collections import Counter
from dataclasses import replace
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
from engine.turns.knowledge.sampling import cores, sample
from engine.turns.knowledge.tracker import Tracker
from kit.sdk.crapette import Story, Turn
from tests.property.playing import EXAMPLES, dealt, games, lengths, numbers, play_on, problematic, tables

UNKNOWN = "??"


@EXAMPLES
@given(games())
def test_hands_and_what_lies_below_tops_are_hidden_all_else_is_open_and_a_tracker_remembers_it(
    game: engine.TurnGame,
) -> None:
    true = game.position
    for seat in range(game.players):
        seen = game.observation(seat).position
        for shown, held in zip(seen.seats, true.seats, strict=True):
            assert shown.hand == (UNKNOWN,) * len(held.hand)
            for shown_pile, pile in ((shown.reserve, held.reserve), (shown.discard, held.discard)):
                assert shown_pile == (UNKNOWN,) * (len(pile) - 1) + pile[-1:]
        opened = replace(seen, seats=true.seats, counters=replace(seen.counters, last=true.counters.last))
        assert opened == true
        assert seen.counters.last in ".?"
    for event in game.history:
        said = event.as_dict()
        assert json.loads(json.dumps(said)) == said
        assert said["counters"][-1] in ".?", "never whether an action was irregular"  # type: ignore[index]
    known = Tracker.of(game.observation(0)).position
    assert known.public() == true.public()
    for mine, held in zip(known.seats, true.seats, strict=True):
        for remembered, pile in zip(mine.piles, held.piles, strict=True):
            assert all(guess in (UNKNOWN, card) for guess, card in zip(remembered, pile, strict=True))


def _with_other_hidden_cards(
    start: engine.TurnPosition, game: engine.TurnGame, rng: Random
) -> engine.TurnPosition:
    """The start with the cards shuffled among themselves that no one has seen until where `game` stands."""
    seats = start.seats
    unseen: list[tuple[int, str, int]] = []  # seat, pile, index of each card that was never turned up
    reserve_left = [len(seat.reserve) for seat in seats]
    hand_left = [len(seat.hand) for seat in seats]
    discard_hidden = [max(len(seat.discard) - 1, 0) for seat in seats]
    walked = engine.TurnGame(start)
    for event in game.history:
        before = walked.position
        if event.flip is not None:  # the first hand was drawn to its last card
            hand_left[event.flip] = 0
            discard_hidden[event.flip] = 0
        if event.move == "stop":
            walked.stop()
        else:
            walked.push(event.move)
        after = walked.position
        for seat in range(len(seats)):
            if before.seats[seat].hand != after.seats[seat].hand:
                hand_left[seat] = min(hand_left[seat], len(after.seats[seat].hand))
            reserve_left[seat] = min(reserve_left[seat], len(after.seats[seat].reserve))
            discard_hidden[seat] = min(discard_hidden[seat], max(len(after.seats[seat].discard) - 1, 0))
    for seat in range(len(seats)):
        unseen += [(seat, "hand", index) for index in range(hand_left[seat])]
        unseen += [(seat, "reserve", index) for index in range(max(reserve_left[seat] - 1, 0))]
        unseen += [(seat, "discard", index) for index in range(discard_hidden[seat])]
    cards = [getattr(seats[seat], pile)[index] for seat, pile, index in unseen]
    rng.shuffle(cards)
    piles = [{name: list(getattr(seat, name)) for name in ("reserve", "hand", "discard")} for seat in seats]
    for (seat, pile, index), card in zip(unseen, cards, strict=True):
        piles[seat][pile][index] = card
    return replace(start, seats=tuple(engine.SeatPiles(*map(tuple, one.values())) for one in piles))


@EXAMPLES
@given(tables, numbers, lengths)
def test_two_deals_that_differ_in_hidden_cards_alone_look_the_same(
    table: tuple[str, int], number: int, plies: int
) -> None:
    for begin in (dealt, problematic):
        rng = Random(number)
        game = play_on(begin(table, number), rng, plies)
        start = _with_other_hidden_cards(game.start, game, rng)
        other = engine.TurnGame(start)
        other.play(event.move for event in game.history)
        for seat in range(game.players):
            assert other.observation(seat) == game.observation(seat)
        assert other.legal_moves() == game.legal_moves()
        assert [event.as_dict() for event in other.history] == [event.as_dict() for event in game.history]


def test_the_test_of_hidden_cards_does_change_most_deals() -> None:
    for number in range(20):
        game = play_on(dealt(("crapaud", 2), number), Random(number), 50)
        assert _with_other_hidden_cards(game.start, game, Random(number)) != game.start


@EXAMPLES
@given(tables, numbers, lengths)
def test_the_unknown_cards_are_those_of_the_pools(table: tuple[str, int], number: int, plies: int) -> None:
    game = play_on(dealt(table, number), Random(number), plies)
    tracker = Tracker.of(game.observation(0))
    unknown = [Counter[str]() for _ in range(game.players)]
    for seat in range(game.players):
        piles = zip(tracker.position.seats[seat].piles, game.position.seats[seat].piles, strict=True)
        for remembered, pile in piles:
            unknown[seat] += Counter(card for guess, card in zip(remembered, pile) if guess == UNKNOWN)  # noqa: B905
    pools = tracker.pools
    if all(pool is pools[0] for pool in pools):
        assert sum(unknown, Counter()) == +pools[0]
    else:
        assert unknown == [+pool for pool in pools]


def test_samples_differ_where_something_is_hidden_and_follow_from_their_dice() -> None:
    tracker = Tracker.of(dealt(("crapette", 2), 1).observation(0))
    assert len({sample(tracker, Random(seed)) for seed in range(20)}) == 20
    assert sample(tracker, Random(0)) == sample(tracker, Random(0))


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
