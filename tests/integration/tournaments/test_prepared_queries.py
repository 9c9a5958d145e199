"""Queries of pages that are prepared once find what they would find compiled again."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import QuerySet, UUIDField
from django.db.models.sql.compiler import SQLCompiler
from django.test.utils import CaptureQueriesContext

from arena.web.database.prepared_sql import some, values_of
from bots.models import Version
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tournaments.events.standings import Counted, count
from tournaments.games.records import find_game, with_seats
from tournaments.models import Game, Seat, Tournament
from tournaments.models.embargo import as_shown, prepare_query, seeing_hidden
from tournaments.pages.events import standings
from tournaments.pages.games import game_rows as games

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def played() -> Tournament:
    """An event of three with all its games played."""
    cup = running(None, rivals(3), pairs=1)
    play_all(cup)
    return cup


def another() -> Tournament:
    """An event of two of them with all its games to be played."""
    return running(None, list(Version.objects.order_by("pk")[:2]), pairs=1, name="Another")


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


def test_there_is_no_game_of_an_unknown_key_or_of_no_key() -> None:
    assert find_game(uuid4()) is None
    assert find_game("no key") is None
    assert with_seats([]) == []


def test_lists_hold_the_games_of_one_event_or_of_all() -> None:
    cup, other = played(), another()
    play_all(other)
    all_of_them = games.recent(100)
    assert {row.tournament for row in all_of_them} == {cup.name, other.name}
    assert len(all_of_them) == Game.objects.count()
    _, recent = games.going_on(100, other, running=True, recent=True)
    assert {row.tournament for row in recent} == {other.name}
    assert len(standings.table(other)) == 2
