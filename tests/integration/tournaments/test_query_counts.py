"""Pages and sums cost the same number of queries however large the arena is, and are worded once."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import QuerySet, UUIDField
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.web.database.prepared_sql import some, values_of
from bots.models import Version
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tools.bench.scale_data import fill_counters, make_ladder, make_versions
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import Counted, count, tournament_standings
from tournaments.games.records import find_game, with_seats
from tournaments.models import Game, Seat, Tournament
from tournaments.models.embargo import as_shown, prepare_query, seeing_hidden
from tournaments.pages.events import listing, standings
from tournaments.pages.events.listing import tournament_list
from tournaments.pages.events.standings import Rest, going_on
from tournaments.pages.games import game_rows as games
from tournaments.pages.ratings import rating_rows as ratings
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.audit import audit
from tournaments.ratings.ladder import ensure_ladders
from tournaments.ratings.leaderboards import board as board_of_name
from tournaments.ratings.ratings import compute_ratings, rate

pytestmark = pytest.mark.django_db

SIZES = ((12, 40), (24, 80))
PAGES = ("/leaderboard/crapaud/", "/games/", "/audit/", "/", "/tournaments/cup/", "/tournaments/cup/live/")


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
def test_pages_and_sums_cost_as_many_queries_for_a_small_arena_as_for_a_larger_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.any_database
def test_a_leaderboard_and_a_crosstable_are_shown_a_page_at_a_time(client: Client) -> None:
    arena(42, 90, 42)
    board = board_of_name("crapaud")
    pages = [[row.place for row in ratings.rows(board, first, 3)] for first in (0, 3)]
    assert pages == [[1, 2, 3], [4, 5, 6]]
    cup = Tournament.objects.get(slug="cup")
    assert len(standings.table(cup)) == standings.LINES
    assert {len(line.cells) for line in standings.table(cup)} == {standings.LINES}
    rest = standings.table(cup, standings.LINES)
    assert [line.row.place for line in rest] == sorted(line.row.place for line in rest)
    assert len(rest) == 42 - standings.LINES
    assert "Page 2 of 2" in client.get("/tournaments/cup/?page=2").content.decode()


def test_busy_ladders_do_not_push_events_off_the_home_page(db: None) -> None:
    ensure_ladders()
    versions = rivals(3)
    events = [running(None, versions, pairs=1, name=f"Event {number}") for number in range(4)]
    # Events whose games are all played for now stand before ladders, too.
    found, rest = going_on(4)
    assert [one.tournament for one in found] == events[::-1]
    assert rest == Rest(0, 0, Tournament.objects.filter(format="ladder").count())


def played() -> Tournament:
    """An event of three with all its games played."""
    cup = running(None, rivals(3), pairs=1)
    play_all(cup)
    return cup


def another() -> Tournament:
    """An event of two of them with all its games to be played."""
    return running(None, list(Version.objects.order_by("pk")[:2]), pairs=1, name="Another")


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
    cup, other = played(), another()
    words: list[str] = []
    plain: Callable[..., tuple[str, tuple[object, ...]]] = SQLCompiler.as_sql

    def note(self: SQLCompiler, *given: object, **named: object) -> tuple[str, tuple[object, ...]]:
        words.append("")
        return plain(self, *given, **named)

    for asked in ([cup], [other], [cup, other]):
        count(asked)
    monkeypatch.setattr(SQLCompiler, "as_sql", note)
    with CaptureQueriesContext(connection) as queries:
        found = [count(asked) for asked in ([cup], [other], [cup, other], [])]
    assert len(queries) == 9
    assert not words
    assert found[2] == {**found[0], **found[1]}
    assert found[0][cup.pk].finished == Game.objects.filter(tournament=cup).count()
    assert found[1] == {other.pk: Counted(made_pairs=1, queued=2)}
    assert found[3] == {}


@pytest.mark.each_database
def test_games_come_with_their_seats_bots_and_results_and_need_no_more_queries() -> None:
    cup = played()
    keys = list(Game.objects.values_list("pk", flat=True)[:2])
    with CaptureQueriesContext(connection) as queries:
        found = with_seats(keys)
    assert len(queries) == 2
    with CaptureQueriesContext(connection) as queries:
        for game in found:
            assert game.tournament == cup
            assert game.result.game_id == game.pk
            assert [seat.seat for seat in game.seats.all()] == [0, 1]
            for seat in game.seats.all():
                assert seat.game is game
                assert seat.version.bot.owner is not None
    assert not queries
    for game in found:
        assert {seat.pk for seat in game.seats.all()} == {seat.pk for seat in Seat.objects.filter(game=game)}


@pytest.mark.each_database
def test_lists_hold_the_games_of_one_event_or_of_all() -> None:
    cup, other = played(), another()
    play_all(other)
    all_of_them = games.recent(100)
    assert {row.tournament for row in all_of_them} == {cup.name, other.name}
    assert len(all_of_them) == Game.objects.count()
    _, recent = games.going_on(100, other, running=True, recent=True)
    assert {row.tournament for row in recent} == {other.name}
    assert len(standings.table(other)) == 2


def test_there_is_no_game_of_an_unknown_key_or_of_no_key() -> None:
    assert find_game(uuid4()) is None
    assert find_game("no key") is None
    assert with_seats([]) == []
