"""What holds for every game: cards, moves, undo, clones, playouts."""

from random import Random

import pytest
from hypothesis import given

import engine
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
