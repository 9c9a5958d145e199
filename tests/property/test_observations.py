"""What a seat is told never depends on a card it may not know, and is all that it may."""

import json
from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given

import engine
from engine.turns.knowledge.sampling import sample
from engine.turns.knowledge.tracker import Tracker
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
