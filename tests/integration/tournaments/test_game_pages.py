"""Pages of games and bots: records, lists, what an author follows; and the queries that they cost."""

import csv
import io
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import QuerySet, UUIDField
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import engine
from arena.accounts.models import User
from arena.web.database.prepared_sql import some, values_of
from bots.bots import withdraw_bot
from bots.models import Bot, Version
from tests.factories.ratings import rating
from tests.factories.results import lease, play_all, play_one
from tests.factories.tournaments import rivals, running
from tests.thinking import get
from tools.bench.scale_data import fill_counters, make_ladder, make_versions
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games.programme import programme
from tournaments.games.search import evidence_for
from tournaments.models import Analysis, Game, Rating, Result, Seat, Tournament
from tournaments.models.embargo import as_shown, prepare_query, seeing_hidden
from tournaments.pages.events.ladder import ladder_page
from tournaments.pages.ratings.rating_rows import rows
from tournaments.pairing.progress import start_tournament
from tournaments.questions.question_types import mistakes
from tournaments.ratings.audit import audit
from tournaments.ratings.ladder import ensure_ladder
from tournaments.ratings.leaderboards import board
from tournaments.ratings.ratings import compute_ratings, rate

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ada: User, trio: list[Version]) -> Tournament:
    tournament = running(ada, trio, pairs=1)
    play_all(tournament)
    return tournament


@pytest.fixture
def game(cup: Tournament) -> Game:
    return cup.games.filter(status="finished")[0]


def test_a_running_game_shows_no_hidden_card(client: Client, ada: User, trio: list[Version]) -> None:
    running(ada, trio)
    game = Game.objects.get(pk=lease().game)
    shown = page(client, game.get_absolute_url())
    answer = client.get(reverse("games:record", args=[game.pk]))
    assert f'data-live="/ws/games/{game.pk}/"' in shown
    assert answer["Cache-Control"] == "no-store"
    record = answer.json()
    assert record["start"] == str(engine.Position.parse(game.start).public())
    assert record["result"] is None
    assert game.start not in shown
    # It cannot be played on from.
    answer = client.get(reverse("games:explore", args=[game.pk]), {"at": "0", "moves": "draw"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not-finished")


def test_a_finished_game_has_its_whole_record_moves_to_try_and_what_a_bot_wrote_for_its_owner_alone(
    client: Client, game: Game, ada: User, bob: User
) -> None:
    assert (len(evidence_for(game, ada)), evidence_for(game, bob)) == (2, [])
    record_of = reverse("games:record", args=[game.pk])
    record = client.get(record_of).json()
    assert record["start"] == game.start
    assert [event["n"] for event in record["events"]] == list(range(len(record["events"])))
    address = reverse("games:explore", args=[game.pk])
    tried = json.loads(get(client, address, {"at": "0", "moves": "draw,draw"}).content)
    assert [event["move"] for event in tried["events"]] == ["draw"]
    assert tried["refused"].endswith("is drawn. Play it first.")


def listed(client: Client, query: str) -> set[str]:
    shown = page(client, f"/games/?{query}")
    return {str(key) for key in Game.objects.values_list("pk", flat=True) if f"/games/{key}/" in shown}


def test_each_filter_narrows_and_together_they_narrow_further(client: Client, ada: User) -> None:
    running(ada, rivals(3), pairs=1)
    for number in range(6):
        play_one(seat=0, plies=100 + number, left=[0, 2] if number == 0 else [0, 30])
    today = timezone.now().date().isoformat()
    for query, many in (
        ("bot=rival 1", 4),
        ("bot=Rival 1&opponent=Rival 2", 2),
        ("variant=crapaud&ending=win", 6),
        ("close=3", 1),
        ("least=101&most=103", 3),
        (f"since={today}&until={today}", 6),
    ):
        assert len(listed(client, query)) == many, query


def test_no_page_says_how_the_game_ends_that_its_stage_shows(client: Client, cup: Tournament) -> None:
    shown = str(programme(1)[0].pk)
    home = page(client, "/")
    rows = re.findall(r'data-result-of="([^"]+)"', home)
    assert rows, "other games have their rows"
    assert shown not in rows
    assert f'data-game="{shown}"' in home
    head = page(client, f"/games/{shown}/").partition("</head>")[0]
    assert not re.search(r"1–0|0–1|½|cleared", head), "a link's preview tells no result"


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.content.decode().split())


def test_who_is_still_being_measured_stands_below_and_leads_nothing() -> None:
    lucky, first, second = rivals(3)
    rating(lucky, 1900, error=90, provisional=True)
    rating(second, 1450)
    rating(first, 1500)
    order = [first.bot.name, second.bot.name, lucky.bot.name]
    assert [row.bot for row in rows(board("crapaud"))] == order
    # The anchor leads no ladder while others are rated above it.
    Rating.objects.exclude(version=first).update(provisional=True)
    Rating.objects.filter(version=first).update(error=0)
    headline = ladder_page(ensure_ladder("crapaud"), idle=False).headline
    assert headline == "Nobody is measured well enough to lead"


def judge_game(game: Game, seat: int, cost: float, words: str) -> None:
    """Store what the planner found: one bad turn of a seat."""
    line = {"move": "t1-t2", "words": words}
    found = {"at": 7, "ply": 6, "seat": seat, "cost": cost, "proved": False}
    answer = {"mistakes": [{**found, "played": [line], "better": [{**line, "words": "better"}]}]}
    done = {
        "status": Analysis.Status.DONE,
        "finished_at": timezone.now(),
        "answer": zlib.compress(json.dumps(answer).encode()),
    }
    question = mistakes(game)
    known = {"kind": question.kind, "arguments": dict(question.arguments), "asked_at": timezone.now()}
    Analysis.objects.create(key=question.key, **known, **done)


def lose(bot: Bot, game: Game) -> int:
    """Let a bot lose a game; its seat."""
    seat = Seat.objects.get(game=game, version__bot=bot).seat
    Result.objects.filter(game=game).update(ranking=[[1 - seat], [seat]], termination="win", culprit=None)
    return seat


@pytest.fixture
def pair(trio: list[Version]) -> list[Version]:
    return trio[:2]


@pytest.fixture
def lost(ada: User, pair: list[Version]) -> list[Game]:
    play_all(running(ada, pair, pairs=2))
    games = list(Game.objects.order_by("finished_at"))
    for game in games:
        lose(pair[0].bot, game)
    return games


def of_bot(client: Client, name: str, *of: object, **query: Any) -> str:
    answer = client.get(reverse(f"tournaments:{name}", args=of), query)
    assert answer.status_code == 200, name
    return answer.content.decode()


def test_worst_turns_are_narrowed_exported_and_seen_by_owners_alone_without_hidden_or_void_games(
    client: Client, ada: User, bob: User, pair: list[Version], lost: list[Game]
) -> None:
    bot, other = (version.bot for version in pair)
    other.name = "=1+1"
    other.save()
    for game in lost:
        judge_game(game, lose(bot, game), 0.25, "Q♠ house 1 → house 2")
    names = (("diary", bot.slug), ("worst-turns", bot.slug), ("first-steps", bot.slug, 1))
    addresses = [reverse(f"tournaments:{name}", args=of) for name, *of in names]
    assert {client.get(address).status_code for address in addresses} == {302}
    client.force_login(bob)
    assert {client.get(address).status_code for address in addresses} == {404}
    client.force_login(ada)
    rows = list(csv.DictReader(io.StringIO(of_bot(client, "worst-turns", bot.slug, format="csv"))))
    told = {(row["opponent"], row["cost"], row["ply"], row["played"]) for row in rows}
    assert told == {("'=1+1", "0.250", "6", "Q♠ house 1 → house 2")}
    assert len(rows) == 4

    Game.objects.filter(pk=lost[0].pk).update(hidden=True)
    Game.objects.filter(pk=lost[1].pk).update(status=Game.Status.VOID)
    withdraw_bot(other)
    text = of_bot(client, "worst-turns", bot.slug, format="csv")
    assert [str(game.pk) in text for game in lost] == [False, False, True, True]


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
def test_pages_of_a_large_arena_cost_as_few_queries(client: Client) -> None:
    found = []
    for versions, played_games in SIZES:
        before = transaction.savepoint()
        arena(versions, played_games, versions // 3)
        found.append(costs(client))
        transaction.savepoint_rollback(before)
        cache.clear()
    assert found[0] == found[1]


@pytest.mark.each_database
def test_who_may_not_see_hidden_rows_gets_a_query_without_them() -> None:
    play_all(running(None, rivals(3), pairs=1))
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
