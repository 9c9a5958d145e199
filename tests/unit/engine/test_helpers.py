"""What authors are given on top of the rules: words, stacks, whole turns, a memory, samples."""

from random import Random

import pytest

from engine import TurnGame, TurnPosition
from engine.errors import IllegalMove
from engine.turns.knowledge.sampling import sample
from engine.turns.knowledge.tracker import Tracker
from engine.turns.moves import Move
from engine.turns.search import plans
from engine.turns.search.stacks import cost, expand
from engine.variants import VARIANTS
from tests.variants import IN_TURNS

TABLE = "crapette 1 play - 7C/8C/./././././. 0,0/0,0/0,0/0,0 QH/2D/TH KC/??/9D 0,0,0,.,. 0,0/./."


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("t1-t2", "7♣ house 1 → house 2"),
        ("r-t3", "K♣ reserve → empty house 3"),
        ("d-d0", "9♦ discard → opponent's discard"),
        ("draw", "draw"),
        ("pass", "pass"),
    ],
)
def test_a_move_is_told_in_words(move: str, words: str) -> None:
    assert Move.parse(move).words(TurnPosition.parse(TABLE)) == words


def test_a_drawn_card_and_a_third_seat_are_told_in_words() -> None:
    line = (
        "crapette 0 play TH 7C"
        + "/." * 11
        + " 0,0,0/0,0,0/0,0,0/0,0,0 QH/./. KC/??/9H 2C/??/. 0,0,0,.,. 0,0,0/./."
    )
    position = TurnPosition.parse(line)
    assert Move.parse("h-d1").words(position) == "10♥ drawn → discard of seat 1"
    assert Move.parse("h-f").words(position) == "10♥ drawn → foundation"
    assert Move.parse("h-d").words(position) == "10♥ drawn → discard"
    assert Move.parse("draw").words(position) == "turn the discard over and draw"


def test_a_stack_of_eight_needs_three_empty_houses() -> None:
    assert [cost(8, free) for free in (3, 4, 7)] == [27, 21, 15]
    line = (
        "crapo 0 play - TH9C8H7C6H5C4H3C/JC/././KS/KS/2H/2H 0,0/0,0/0,0/0,0 ./4D/. ./5D/. 0,0,0,.,. 0,0/./."
    )
    with pytest.raises(IllegalMove) as caught:
        expand(TurnPosition.parse(line), "t1", "t2", 8)
    assert str(caught.value) == "expected at most 4 cards with so few empty houses, got 8"
    freer = TurnPosition.parse(line.replace("KS/KS/2H/2H", "./KS/2H/2H"))
    moves = expand(freer, "t1", "t2", 8)
    replay = TurnGame.replay(freer, map(str, moves))
    assert (len(moves), replay.error) == (27, None)
    assert "".join(replay.game.position.houses[1]) == "JCTH9C8H7C6H5C4H3C"


def test_a_stack_that_does_not_fit_or_of_no_houses_is_refused() -> None:
    position = TurnPosition.parse(TABLE)
    with pytest.raises(IllegalMove, match=r"single move 1 of 1: expected one of .*, got 't2-t1'"):
        expand(position, "t2", "t1", 1)
    with pytest.raises(IllegalMove, match="expected two different houses of t1 to t8, got 't1' and 't1'"):
        expand(position, "t1", "t1", 1)
    with pytest.raises(IllegalMove, match="expected 1 to 1 cards from t1, got 2"):
        expand(position, "t1", "t2", 2)


def test_the_plans_of_a_turn_can_be_played_and_lead_to_different_tables() -> None:
    game = TurnGame(TurnPosition.parse(TABLE))
    found = list(plans(game))
    assert found[0].moves == ()
    assert "draw" in found[0].reveals
    seen = set()
    for plan in found:
        replay = TurnGame.replay(game.position, plan.moves)
        assert replay.error is None
        assert replay.game.position == plan.game.position
        seen.add(replay.game.core.table_hash())
    assert len(seen) == len(found)
    assert len(list(plans(game, limit=2))) == 2
    assert list(plans(game, limit=0)) == []


@pytest.mark.parametrize("name", IN_TURNS)
def test_the_tracker_remembers_what_was_seen_and_only_that(name: str) -> None:
    for players in VARIANTS[name].players:
        game = TurnGame.deal(name, "5a" * 32, players)
        tracker = Tracker(game.position.public())
        rng = Random(7)
        while not game.finished and game.ply < 400:
            tracker.see(game.push(rng.choice(game.legal_moves())))
            if game.can_stop() and rng.random() < 0.3:
                tracker.see(game.stop())
            known = tracker.position
            assert known.public() == game.position.public()
            for seat, piles in enumerate(game.position.seats):
                unknown = []
                for truth, memory in zip(piles.piles, known.seats[seat].piles, strict=True):
                    pairs = list(zip(truth, memory, strict=True))
                    assert all(seen in {card, "??"} for card, seen in pairs)
                    unknown += [card for card, seen in pairs if seen == "??"]
                pool = tracker.pools[seat]
                assert all(pool[card] >= unknown.count(card) for card in unknown)
                if not VARIANTS[name].one_pack:
                    assert sorted(pool.elements()) == sorted(unknown)


@pytest.mark.parametrize("name", IN_TURNS)
def test_a_sample_is_a_full_position_that_looks_the_same(name: str) -> None:
    game = TurnGame.deal(name, "5b" * 32)
    rng = Random(8)
    for _ in range(120):
        game.push(rng.choice(game.legal_moves()))
    tracker = Tracker.of(game.observation(0))
    guesses = [sample(tracker, Random(seed)) for seed in range(5)]
    for guess in guesses:
        assert guess.is_full
        assert TurnPosition.parse(str(guess)) == guess
        assert guess.public() == game.position.public()
        assert TurnGame(guess).legal_moves() == game.legal_moves()
    assert sample(tracker, Random(0)) == guesses[0]
