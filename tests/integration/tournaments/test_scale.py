"""Pages and sums cost the same number of queries however large the arena is (times: ``bench scale``)."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tools.bench.scale_data import fill_counters, make_ladder, make_versions
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import tournament_standings
from tournaments.models import Tournament
from tournaments.pages.events import standings
from tournaments.pages.ratings import rating_rows as ratings
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.audit import audit
from tournaments.ratings.leaderboards import board as board_of_name
from tournaments.ratings.ratings import compute_ratings, rate

pytestmark = pytest.mark.django_db

SIZES = ((12, 80), (48, 320))
PAGES = ("/leaderboard/crapaud/", "/games/", "/audit/", "/", "/tournaments/cup/", "/tournaments/cup/live/")


def queries(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def arena(versions: int, games: int) -> None:
    """Rated versions on a ladder, and a round-robin of the first third of them with results."""
    keys = make_versions(versions)
    make_ladder(keys, games, 10)
    cup = create_tournament(NewTournament("Cup", tuple(keys[: versions // 3]), rated=False), None)
    start_tournament(cup)
    fill_counters(cup.pk)
    compute_ratings("crapaud")


def costs(client: Client) -> dict[str, int]:
    """Queries of each page, and of what is computed over everything."""
    cup = Tournament.objects.get(slug="cup")
    found = dict.fromkeys(PAGES, 0)
    for path in PAGES:
        client.get(path)
        cache.clear()
        found[path] = queries(lambda path=path: client.get(path))  # type: ignore[misc]
    found["standings"] = queries(lambda: tournament_standings(cup))
    found["ratings"] = queries(lambda: rate("crapaud"))
    found["audit"] = queries(lambda: audit("crapaud"))
    return found


@pytest.mark.any_database
def test_pages_and_sums_cost_as_many_queries_for_a_small_arena_as_for_a_larger_one(
    client: Client,
) -> None:
    found = []
    for size in SIZES:
        before = transaction.savepoint()
        arena(*size)
        found.append(costs(client))
        transaction.savepoint_rollback(before)
        cache.clear()
    small, large = found
    assert large == small


@pytest.mark.any_database
def test_a_leaderboard_and_a_crosstable_are_shown_a_page_at_a_time(client: Client) -> None:
    arena(130, 1000)
    board = board_of_name("crapaud")
    first, last = ratings.rows(board), ratings.rows(board, 2 * (board.versions // 2))
    assert len(first) == ratings.ROWS
    assert [row.place for row in first] == list(range(1, ratings.ROWS + 1))
    assert last[0].place == 2 * (board.versions // 2) + 1
    cup = Tournament.objects.get(slug="cup")
    assert len(standings.table(cup)) == standings.LINES
    assert {len(line.cells) for line in standings.table(cup)} == {standings.LINES}
    rest = standings.table(cup, standings.LINES)
    assert [line.row.place for line in rest] == sorted(line.row.place for line in rest)
    assert len(rest) == 130 // 3 - standings.LINES
    assert "Page 2 of 2" in client.get("/tournaments/cup/?page=2").content.decode()
