"""What holds for every game: cards, moves, undo, clones, playouts, events, hashes, notation, other suits."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.errors import quote
from engine.turns.core import Core
from tests.oracle.rulesets import TABLES
from tests.property.playing import (
    EXAMPLES,
    cards_of,
    dealt,
    games,
    lengths,
    move_on,
    numbers,
    play_on,
    problematic,
    tables,
)


def everything(core: Core) -> tuple[object, ...]:
    hashes, piles = (core.hash(), core.canonical_hash()), [core.pile(number) for number in range(29)]
    return (
        piles,
        core.heights_of(),
        core.tally(),
        core.state(),
        core.over,
        core.legal(),
        hashes,
        core.can_stop(),
    )


def whole(game: engine.TurnGame) -> tuple[object, ...]:
    return everything(game.core), game.position, game.history, game.ply, game.turn_number


@EXAMPLES
@given(tables, numbers)
def test_no_move_makes_or_loses_a_card(table: tuple[str, int], number: int) -> None:
    for begin in (dealt, problematic):
        game, rng = begin(table, number), Random(number)
        cards = cards_of(game.position)
        for _ in range(60):
            if not move_on(game, rng):
                break
            assert cards_of(game.position) == cards
    long = play_on(dealt(table, number), rng, 2000)
    assert cards_of(long.position) == cards_of(long.start)


@EXAMPLES
@given(games())
def test_a_game_has_legal_moves_until_it_is_over_and_undoing_any_restores_every_bit(
    game: engine.TurnGame,
) -> None:
    assert game.finished == (game.outcome() is not None)
    assert bool(game.legal_moves()) != game.finished
    if game.finished:
        with pytest.raises(engine.IllegalMove, match="expected no move, as the game is over, got 'draw'"):
            game.push("draw")
    before, after = whole(game), 0
    for move in game.legal_moves():
        game.push(move)
        after += len(game.legal_moves())
        game.pop()
        assert whole(game) == before
    if game.can_stop():
        game.stop()
        game.pop()
        assert whole(game) == before
    assert (game.perft(0), game.perft(1), game.perft(2)) == (1, len(game.legal_moves()), after)


@EXAMPLES
@given(tables, numbers, lengths)
def test_a_game_can_be_taken_back_to_its_start(table: tuple[str, int], number: int, plies: int) -> None:
    for begin in (dealt, problematic):
        game, rng = begin(table, number), Random(number)
        passed = [everything(game.core)]
        for _ in range(plies):
            if not move_on(game, rng):
                break
            passed.append(everything(game.core))
        for expected in reversed(passed[:-1]):
            game.pop()
            assert everything(game.core) == expected
        assert game.history == ()
        with pytest.raises(engine.IllegalMove, match=r"^expected a move to take back, got the start of the"):
            game.pop()


@EXAMPLES
@given(games())
def test_a_clone_is_played_on_alone_and_step_is_push_and_then_the_legal_moves(game: engine.TurnGame) -> None:
    before, clone = whole(game), game.clone()
    assert everything(clone.core) == before[0]
    play_on(clone, Random(1), 20)
    assert whole(game) == before
    for move in game.core.legal():
        stepped, pushed = game.core.clone(), game.core.clone()
        legal = stepped.step(move)
        pushed.push(move)
        assert legal == pushed.legal()
        assert everything(stepped) == everything(pushed)


@EXAMPLES
@given(games(), numbers)
def test_a_playout_makes_one_legal_move_after_the_other_and_leaves_the_game_as_it_is(
    game: engine.TurnGame, seed: int
) -> None:
    kept, before = everything(game.core), game.core.clone()
    outcome = game.playout(Random(seed))
    assert outcome.result in {"win", "stall", "passes"}
    assert sorted(seat for group in outcome.ranking for seat in group) == list(range(game.players))
    assert game.playout(Random(seed)) == outcome
    for plies in range(1, 25):
        after = game.core.clone()
        if after.playout(seed, plies) < plies:
            assert after.over
            break
        possible = []
        for move in before.legal():
            one = before.clone()
            one.push(move)
            possible.append(everything(one))
        assert everything(after) in possible
        before = after
    assert everything(game.core) == kept


@pytest.mark.parametrize("table", TABLES)
def test_playouts_end(table: tuple[str, int]) -> None:
    for number in range(12):
        core = dealt(table, number).core.clone()
        plies = core.playout(number)
        assert core.over
        assert 0 < plies < 100_000
        assert core.legal() == ()
        assert core.playout(number) == 0


@EXAMPLES
@given(games(), numbers)
def test_equal_positions_have_equal_hashes_and_only_the_canonical_one_forgets_the_order_of_the_houses(
    game: engine.TurnGame, number: int
) -> None:
    for position in (game.position, game.position.public()):
        first, second = engine.TurnGame(position), engine.TurnGame(engine.TurnPosition.parse(str(position)))
        assert (first.hash(), first.canonical_hash()) == (second.hash(), second.canonical_hash())
        if position == game.position:
            assert (first.hash(), first.canonical_hash()) == (game.hash(), game.canonical_hash())
    houses = tuple(Random(number).sample(game.position.houses, len(game.position.houses)))
    shuffled = engine.TurnGame(replace(game.position, houses=houses))
    assert shuffled.canonical_hash() == game.canonical_hash()
    assert (shuffled.hash() == game.hash()) == (houses == game.position.houses)


@pytest.mark.parametrize("table", TABLES)
def test_different_positions_have_different_hashes(table: tuple[str, int]) -> None:
    by_line: dict[str, int] = {}
    canonical: dict[tuple[str, ...], int] = {}
    for number in range(12):
        rng = Random(number)
        game = (dealt if number % 3 else problematic)(table, number)
        for _ in range(150):
            position = game.position
            by_line[str(position)] = game.hash()
            houses = sorted("".join(house) for house in position.houses)
            canonical[str(replace(position, houses=())), *houses] = game.canonical_hash()
            if not move_on(game, rng):
                break
    assert len(by_line) > 800
    assert len(set(by_line.values())) == len(by_line)
    assert len(set(canonical.values())) == len(canonical)


@EXAMPLES
@given(games())
def test_each_part_of_a_position_counts_in_its_hash(game: engine.TurnGame) -> None:
    position = game.position
    counters, tally = position.counters, position.tally
    others = [
        replace(position, counters=replace(counters, stall=(counters.stall + 1) % 200)),
        replace(position, tally=replace(tally, completed=(tally.completed[0] + 1, *tally.completed[1:]))),
    ]
    if position.rules.stop_calls and not game.finished:
        marks = [mark for mark in ".+!" if mark != counters.last]
        others += [replace(position, counters=replace(counters, last=mark)) for mark in marks]
    hashes = {engine.TurnGame(other).hash() for other in others} | {game.hash()}
    assert len(hashes) == len(others) + 1


suits = st.sampled_from(engine.SUIT_RELABELLINGS)


def test_the_relabellings_are_all_that_keep_the_colours_apart() -> None:
    ways = [f"{black[0]}{red}{black[1]}" for black in ("SC", "CS") for red in ("HD", "DH")]
    ways += [f"{red[0]}{black}{red[1]}" for black in ("SC", "CS") for red in ("HD", "DH")]
    assert engine.SUIT_RELABELLINGS[0] == "SHDC"
    assert sorted(engine.SUIT_RELABELLINGS) == sorted(ways)


@EXAMPLES
@given(tables, numbers, suits, st.booleans())
def test_relabelling_commutes_with_play(
    table: tuple[str, int], number: int, letters: str, from_problem: bool
) -> None:
    game, rng = (problematic if from_problem else dealt)(table, number), Random(number)
    back = "".join("SHDC"[letters.index(letter)] for letter in "SHDC")
    assert game.position.relabelled(letters).relabelled(back) == game.position
    other = engine.TurnGame(game.position.relabelled(letters))
    while True:
        assert other.position == game.position.relabelled(letters)
        assert other.legal_moves() == game.legal_moves()
        assert other.can_stop() == game.can_stop()
        if game.ply > 150 or not move_on(game, rng):
            break
        other.play([game.history[-1].move])
    assert other.outcome() == game.outcome()


_HOUSES = [f"t{number}" for number in range(1, 17)]
MOVES = {"draw", "pass"} | {
    f"{source}-{target}"
    for source in ["r", "d", "h", *_HOUSES]
    for target in ["f", "d", *_HOUSES, *(f"{pile}{seat}" for pile in "rd" for seat in range(4))]
}


@EXAMPLES
@given(games())
def test_positions_and_moves_are_read_back_as_they_were_written_and_moves_said_in_words(
    game: engine.TurnGame,
) -> None:
    position = game.position
    for one in (position, position.public()):
        read = engine.Position.parse(line := str(one))
        assert (read, str(read), hash(read)) == (one, line, hash(one))
    again = engine.TurnGame(position)
    assert (again.position, again.legal_moves()) == (position, game.legal_moves())
    assert tuple(map(str, game.legal())) == game.legal_moves()
    said = [move.words(position) for move in game.legal()]
    assert all(said)
    assert len(set(said)) == len(said)
    for text in game.legal_moves():
        move = engine.Move.parse(text)
        assert str(move) == text
        game.push(move)
        game.pop()


@EXAMPLES
@given(
    st.text() | st.from_regex(r"\A[rdht]?[0-9]{0,2}-?[rdhtf]?[0-9]{0,2}\Z") | st.sampled_from(sorted(MOVES))
)
def test_a_text_is_a_move_or_one_clear_error(text: str) -> None:
    if text in MOVES:
        assert str(engine.Move.parse(text)) == text
        return
    with pytest.raises(engine.NotationError) as caught:
        engine.Move.parse(text)
    assert str(caught.value) == f"expected a move such as t8-f, r-t1, h-d or draw, got {quote(text)}"
    assert "\n" not in str(caught.value)


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
