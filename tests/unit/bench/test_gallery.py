"""The gallery counts deals, goes on where least was played, and drops results of bots that have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kit.series import Played
from tests.site import ROOT
from tools.bench.gallery_bench import next_of, piece
from tools.bench.gallery_results import Meeting, boards, load, meetings, save, stored
from tools.bench.gallery_table import markdown, tables

if TYPE_CHECKING:
    from pathlib import Path

README = ROOT / "docs/author/gallery.md"


def played(game: str, seats: tuple[str, ...], ranking: tuple[tuple[int, ...], ...]) -> Played:
    """A game of these bots with this result; each took 20 ms a turn."""
    seen: dict[str, Any] = {"seed": "", "suits": "SHDC", "termination": "win", "seat": None, "detail": ""}
    count = len(seats)
    piles: dict[str, Any] = {"points": (0,) * count, "left": (0,) * count, "times": (60,) * count}
    return Played(game=game, seats=seats, ranking=ranking, plies=9, turns=3 * count, **seen, **piles)


def test_a_pair_counts_once_both_its_games_are_there() -> None:
    meeting = Meeting.new("crapaud", 2, "greedy", "planner")
    names = ("greedy", "planner")
    games = [
        played("0001-1", names, ((0,), (1,))),
        played("0001-2", names[::-1], ((0, 1),)),
        played("0002-1", names, ((0,), (1,))),
    ]

    meeting.take(games, 2)

    assert (meeting.deals, meeting.played, meeting.penta) == (2, 1, (0, 0, 0, 1, 0))
    assert meeting.cpu_ms == {"greedy": 120, "planner": 120}
    assert meeting.turns == {"greedy": 6, "planner": 6}


def test_with_three_seats_first_places_count_and_can_be_shared() -> None:
    meeting = Meeting.new("crapette", 3, "oracle", "planner")
    names = ("oracle", "planner", "planner #2")
    legs = [((0,), (1,), (2,)), ((0, 1), (2,)), ((0,), (1,), (2,))]
    games = [
        played(f"0001-{leg + 1}", names[-leg:] + names[:-leg], ranking) for leg, ranking in enumerate(legs)
    ]

    meeting.take(games, 1)

    assert dict(meeting.scores) == {12 + 6: 1}
    (row,) = tables({**load_nothing(), meeting.key: meeting})[0].rows
    assert row[:2] == ("oracle", "50.0%")


def load_nothing() -> dict[str, Meeting]:
    """Every meeting, with nothing played."""
    return {
        one.key: one for board in boards() for one in (Meeting.new(*board, *two) for two in meetings(board))
    }


def test_results_are_kept_and_go_with_the_bots_that_made_them(tmp_path: Path) -> None:
    file = tmp_path / "gallery.json"
    found = load_nothing()
    kept, gone = found["crapaud/2/greedy/planner"], found["crapo/2/greedy/planner"]
    for one in (kept, gone):
        one.scores[2] += 5
        one.deals = 5
    gone.sources = ["of", "yore"]
    save(found, file)

    again, stale = load(file)

    assert again[kept.key] == kept
    assert again[gone.key].played == 0
    assert stale == [gone.key]


def test_the_next_piece_is_of_the_meeting_that_played_fewest_and_oracle_comes_last() -> None:
    found = load_nothing()
    asked = next_of(found.values())
    assert asked is not None
    assert asked.first not in {"sampler", "oracle"}
    for one in found.values():
        if one.first != "oracle":
            one.deals = piece(one)

    slow = next_of(found.values())

    assert slow is not None
    assert slow.first == "oracle"


@pytest.mark.parametrize("pairs", [True, False])
def test_the_readme_shows_what_was_counted(pairs: bool) -> None:
    found = {**load_nothing(), **{one.key: one for one in stored()}}
    shown = [table for table in tables(found) if table.pairs is pairs]

    assert len(shown) == (8 if pairs else 2), "every board has its table"
    assert markdown(shown).strip() in README.read_text(encoding="utf-8")
