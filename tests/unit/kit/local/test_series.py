"""A series of deals: which games it has, and what they say about the bots."""

from typing import Any

import pytest

import engine
from kit.local import play_progress
from kit.local.series import Played, SeriesPlan, SeriesTally

PLAN = SeriesPlan("crapaud", 2, 3, "7" * 64)


def game(key: str, seats: tuple[str, ...], ranking: tuple[tuple[int, ...], ...], **more: Any) -> Played:
    fields: dict[str, Any] = {
        "seed": "0" * 64,
        "suits": "SHDC",
        "points": (0,) * len(seats),
        "left": (0,) * len(seats),
        "termination": "win",
        "seat": None,
        "detail": "Won by going out.",
        "plies": 300,
        "turns": 40,
        "times": (5,) * len(seats),
    }
    return Played(game=key, seats=seats, ranking=ranking, **fields | more)


def pairs(*results: str) -> SeriesTally:
    """A tally of pairs between a and b; of each leg who won, or = for a draw."""
    tally = SeriesTally(["a", "b"])
    for number, legs in enumerate(results, start=1):
        for leg, winner in enumerate(legs):
            seats = ("a", "b") if leg == 0 else ("b", "a")
            ranking = ((0, 1),) if winner == "=" else ((seats.index(winner),), (1 - seats.index(winner),))
            tally.add(game(f"{number:04}-{leg + 1}", seats, ranking))
    return tally


def test_every_deal_is_played_once_from_every_seat_with_other_suits() -> None:
    games = list(PLAN.games())
    assert [each.key for each in games] == ["0001-1", "0001-2", "0002-1", "0002-2", "0003-1", "0003-2"]
    first, second, third = games[:3]
    assert (first.seats(), second.seats()) == ((0, 1), (1, 0))
    assert first.seed == second.seed != third.seed
    assert first.start() == str(engine.deal("crapaud", first.seed))
    assert second.suits in engine.SUIT_RELABELLINGS[1:]
    assert second.start() == str(engine.deal("crapaud", first.seed).relabelled(second.suits))


def test_standings_count_games_and_the_interval_counts_whole_pairs() -> None:
    tally = pairs("aa", "a=", "ab", "a")
    first, second = tally.standings()
    assert (first.name, first.won, first.shared, first.lost) == ("a", 5, 1, 1)
    assert (second.name, second.won, second.shared, second.lost) == ("b", 1, 1, 5)
    assert first.score.value == pytest.approx((1 + 0.75 + 0.5) / 3)
    assert first.score.low < first.score.value < first.score.high
    assert len(tally.whole) == 3
    assert pairs("a").verdict() is None
    assert play_progress.live(pairs("a")) == "a +1 =0 -0 b"
