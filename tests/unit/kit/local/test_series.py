"""A series of deals: which games it has, and what they say about the bots."""

import io
from typing import Any

import pytest

import engine
from kit.console.screen import Screen
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


def test_a_game_reads_back_as_it_was_written() -> None:
    one = game("0001-1", ("a", "b"), ((1,), (0,)), evidence=[{"stderr": "x"}])
    assert Played.from_dict(one.as_dict()) == one
    assert one.as_dict()["outcome"] == "b"
    assert game("0001-1", ("a", "b"), ((0, 1),)).outcome == "draw"
    assert game("0001-1", ("a", "b", "c"), ((2,), (0, 1))).scores() == {"a": 0.25, "b": 0.25, "c": 1}


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


def test_of_three_bots_the_first_is_ahead_only_if_the_intervals_do_not_overlap() -> None:
    tally = SeriesTally(["a", "b", "c"])
    for deal in range(40):
        for leg in range(3):
            seats = tuple("abc"[(seat + leg) % 3] for seat in range(3))
            order = tuple((seats.index(name),) for name in "abc")
            tally.add(game(f"{deal:04}-{leg + 1}", seats, order))
    out = io.StringIO()
    play_progress.summary(Screen(file=out, width=100), SeriesPlan("crapette", 3, 40, "0" * 64), tally)
    assert "a is better than all others: the 95 % intervals do not overlap." in out.getvalue()
    assert [each.name for each in tally.standings()] == ["a", "b", "c"]
