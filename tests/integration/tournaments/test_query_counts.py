"""Pages and sums cost the same number of queries however large the arena is, and are worded once."""

from collections.abc import Callable

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import QuerySet, UUIDField
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.web.database.prepared_sql import some, values_of
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tools.bench.scale_data import fill_counters, make_ladder, make_versions
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import count, tournament_standings
from tournaments.models import Game, Tournament
from tournaments.models.embargo import as_shown, prepare_query, seeing_hidden
from tournaments.pages.events import listing
from tournaments.pages.events.listing import tournament_list
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.audit import audit
from tournaments.ratings.ratings import compute_ratings, rate

pytestmark = pytest.mark.django_db

SIZES = ((12, 40), (24, 80))
PAGES = ("/leaderboard/crapaud/", "/games/", "/audit/", "/", "/tournaments/cup/")


def queries(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def arena(versions: int, played: int, entrants: int) -> None:
    """Rated versions on a ladder, and a round-robin of the first of them with results."""
    keys = make_versions(versions)
    make_ladder(keys, played, 10)
    cup = create_tournament(NewTournament("Cup", tuple(keys[:entrants]), rated=False), None)
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
def test_pages_of_a_large_arena_cost_as_few_queries(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for versions, played_games in SIZES:
        before = transaction.savepoint()
        arena(versions, played_games, versions // 3)
        found.append(costs(client))
        transaction.savepoint_rollback(before)
        cache.clear()
    assert found[0] == found[1]

    # Nor does a long list of events, once winners are known.
    monkeypatch.setattr(listing, "PER_PAGE", 4)
    two = rivals(2)
    for _ in range(5):
        play_all(running(None, two, pairs=1))
    assert len(tournament_list(None).over) == 4
    assert len(tournament_list("2").over) == 1
    assert queries(lambda: tournament_list(None)) <= 8


def played() -> Tournament:
    """An event of three with all its games played."""
    cup = running(None, rivals(3), pairs=1)
    play_all(cup)
    return cup


@pytest.mark.each_database
def test_who_may_not_see_hidden_rows_gets_a_query_without_them() -> None:
    played()
    keys = sorted(Game.objects.values_list("pk", flat=True))

    @prepare_query
    def shown(number: int) -> QuerySet[Game]:
        return Game.objects.filter(pk__in=some(number, UUIDField())).order_by("pk")

    def seen() -> list[object]:
        return [game.pk for game in shown(len(keys)).rows(**values_of(keys))]

    assert seen() == keys
    Game.objects.filter(pk=keys[0]).update(hidden=True)
    with seeing_hidden():
        assert seen() == keys
        with as_shown():
            assert seen() == keys[1:]
    assert seen() == keys[1:]


@pytest.mark.each_database
def test_a_query_is_worded_once_for_each_number_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = played()
    other = running(None, [one.version for one in cup.entries.all()[:2]], pairs=1, name="Another")
    words: list[str] = []
    plain: Callable[..., tuple[str, tuple[object, ...]]] = SQLCompiler.as_sql

    def note(self: SQLCompiler, *given: object, **named: object) -> tuple[str, tuple[object, ...]]:
        words.append("")
        return plain(self, *given, **named)

    asked = ([cup], [other], [cup, other])
    for events in asked:
        count(events)
    monkeypatch.setattr(SQLCompiler, "as_sql", note)
    found = [count(events) for events in asked]
    assert not words
    assert found[2] == {**found[0], **found[1]}
