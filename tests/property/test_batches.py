"""Games side by side in the core: dealt, played and seen as one game at a time is."""

from array import array
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

import engine
from engine.policies import planner
from engine.policies.greedy import greedily
from engine.turns import TurnGame, TurnPosition
from engine.turns.conversion import to_core
from engine.turns.knowledge import Tracker
from engine.turns.layout import encode, layout
from engine.turns.moves import texts
from kit.environments.batches import batch
from tests.oracle.rulesets import TABLES

MOST_PLIES = 400
ENDINGS = ("", "win", "stall", "passes")


def turn_deal(variant: str, seed: str, players: int = 2) -> TurnPosition:
    found = engine.deal(variant, seed, players)
    assert isinstance(found, TurnPosition)
    return found


def buffers(players: int, games: int = 1) -> dict[str, Any]:
    return {
        "actions": array("h", [0] * games),
        "legal": bytearray(games * (448 if players > 2 else 128)),
        "bits": array("Q", [9] * games * (7 if players > 2 else 2)),
        "seen": bytearray(games * layout(players).size),
        "final": bytearray(games * players * layout(players).size),
        "acting": bytearray(games),
        "rewards": array("f", [9.0] * games * players),
        "returns": array("f", [9.0] * games * players),
        "ended": bytearray(games),
        "margins": array("h", [9] * games),
    }


def begun(variant: str, room: dict[str, Any], players: int = 2, games: int = 1, **how: Any) -> Any:
    usual: dict[str, Any] = {"prefix": "", "first": 0, "everything": False, "again": True}
    found = batch(variant, players, games, [*room.values()], **(usual | how))
    found.reset()
    return found


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_deal_by_number_is_the_deal_of_its_text(variant: str, players: int) -> None:
    games = begun(variant, buffers(players, 40), players, 40, prefix="deal/", first=95)
    for index in range(40):
        core, _ = to_core(turn_deal(variant, f"deal/{95 + index}", players))
        assert [games.core(index).pile(pile) for pile in range(29)] == [core.pile(pile) for pile in range(29)]
        assert (games.core(index).hash(), games.core(index).state()) == (core.hash(), core.state())


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_batch_shows_each_seat_what_a_tracker_knows(variant: str, players: int) -> None:
    room = buffers(players)
    games = begun(variant, room, players, prefix="seen/", first=7, again=False)
    game, rng = TurnGame.deal(variant, "seen/7", players), Random(variant)
    tracker = Tracker(game.start)
    while not game.finished and game.ply < MOST_PLIES:
        for seat in range(players):
            assert games.observation(0, seat) == encode(tracker, seat), (game.ply, seat)
        assert room["seen"] == encode(tracker, game.turn)
        assert [number for number, legal in enumerate(room["legal"]) if legal] == [*game.core.legal()]
        assert room["acting"][0] == game.turn
        move = rng.choice(game.core.legal())
        room["actions"][0] = move
        games.step()
        tracker.see(game.push(str(texts(players, game.turn)[move])))
        if game.can_stop() and game.position.counters.last == "!":
            tracker.see(game.stop())
    assert game.ply


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_game_that_ends_brings_its_places_and_margin_and_the_next_deal(variant: str, players: int) -> None:
    room = buffers(players)
    games = begun(variant, room, players, prefix="end/", first=3, everything=True)
    game, rng = TurnGame.deal(variant, "end/3", players), Random(3)
    while not game.finished:
        assert (room["ended"][0], *room["rewards"]) == (0, *[0.0] * players)
        move = rng.choice(game.core.legal())
        room["actions"][0] = move
        games.step()
        game.push(str(texts(players, game.turn)[move]))
        if game.can_stop() and game.position.counters.last == "!":
            game.stop()
    outcome = game.outcome()
    assert outcome is not None
    assert ENDINGS[int(room["ended"][0])] == outcome.result
    before = 0
    for group in outcome.ranking:
        mean = before + (len(group) - 1) / 2
        for seat in group:
            assert room["rewards"][seat] == pytest.approx(1 - 2 * mean / (players - 1))
        before += len(group)
    if players == 2:
        assert room["margins"][0] == game.core.worth()[1]
    assert games.deal_of(0) == 4
    assert games.core(0).hash() == to_core(turn_deal(variant, "end/4", players))[0].hash()


def test_an_illegal_move_is_named_and_no_game_moves() -> None:
    room = buffers(2, 3)
    games = begun("crapaud", room, games=3)
    before = [games.core(index).hash() for index in range(3)]
    room["actions"][:] = array("h", [games.core(0).legal()[0], 127, games.core(2).legal()[0]])
    with pytest.raises(ValueError, match=r"expected one of \(.*\) in game 1, got 127"):
        games.step()
    assert [games.core(index).hash() for index in range(3)] == before


@pytest.mark.parametrize(
    "name", ["actions", "legal", "bits", "seen", "final", "rewards", "returns", "margins"]
)
def test_a_buffer_of_another_size_or_that_cannot_be_written_is_refused(name: str) -> None:
    wrong, message = bytearray(5), r"expected a writable C-contiguous buffer of \d+ bytes, got 5"
    for other, match in (
        (wrong, message),
        (bytes(len(memoryview(buffers(2, 3)[name]).cast("B"))), "read-only"),
    ):
        with pytest.raises(ValueError, match=match):
            begun("crapaud", {**buffers(2, 3), name: other}, games=3)


def test_random_play_goes_by_the_seed_alone_and_the_digest_of_the_core_is_sha_256() -> None:
    hashes = []
    for _ in range(2):
        games = begun("crapette", buffers(2, 5), games=5)
        games.play(500, 11)
        hashes.append([games.core(index).hash() for index in range(5)])
    assert hashes[0] == hashes[1]
    longest = begun("crapo", buffers(2), prefix="x" * 40, first=10**14)
    assert longest.core(0).hash() == to_core(turn_deal("crapo", f"{'x' * 40}{10**14}"))[0].hash()


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_seat_that_the_batch_plays_does_what_the_house_bot_does(variant: str, players: int) -> None:
    room = buffers(players)
    opponents = (None, "planner", "greedy", "planner")[:players]
    ways: Any = [None, *({"greedy": greedily, "planner": planner(9)}[str(each)] for each in opponents[1:])]
    games = begun(variant, room, players, prefix="seats/", first=5, opponents=opponents, nodes=9)
    game, rng = TurnGame.deal(variant, "seats/5", players), Random(5)
    tracker = Tracker(game.start)

    def play(moves: Sequence[int]) -> None:
        number = game.turn_number
        for move in moves:
            tracker.see(game.push(str(texts(players, game.turn)[move])))
            if game.can_stop() and game.position.counters.last == "!":
                tracker.see(game.stop())
            if game.finished or game.turn_number != number:
                break

    while not game.finished:
        while not game.finished and game.turn:
            play(ways[game.turn](game.core))
        if game.finished:
            break
        assert games.core(0).hash() == game.core.hash()
        assert room["seen"] == encode(tracker, 0)
        words = [sum(1 << move % 64 for move in game.core.legal() if move >> 6 == word) for word in range(7)]
        assert [*room["bits"]] == words[: len(room["bits"])]
        room["actions"][0] = rng.choice(game.core.legal())
        play([room["actions"][0]])
        games.step()
    assert room["ended"][0]
    assert room["rewards"] == room["returns"]
    assert any(room["returns"]) == bool(game.core.tally()[2])
    size = layout(players).size
    for seat in range(players):
        assert room["final"][seat * size : (seat + 1) * size] == encode(tracker, seat), seat
    room["actions"][0] = games.core(0).legal()[0]
    games.step()
    assert not any(room["rewards"])
    assert any(room["returns"]) == bool(game.core.tally()[2])
