"""Pages of games: a game, its record and evidence, the lists and their filters, TV, and the rules."""

import json
import re
import struct
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

import engine
from arena.accounts.models import User
from arena.web.deck.png import PIXELS
from bots.bots import BotDetails, edit_bot, withdraw_bot
from bots.models import Version
from tests.factories.ratings import rating
from tests.factories.results import delivery, lease, play_all, play_one
from tests.factories.tournaments import rivals, running
from tests.thinking import get
from tests.variants import IN_TURNS
from tournaments.games.programme import programme
from tournaments.games.results import accept_result
from tournaments.games.search import evidence_for
from tournaments.models import Evidence, Game, Rating, Result, Tournament
from tournaments.pages.games import game_rows as games
from tournaments.pages.games import programme as presented

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ada: User, trio: list[Version]) -> Tournament:
    tournament = running(ada, trio, pairs=2)
    play_all(tournament)
    return tournament


@pytest.fixture
def game(cup: Tournament) -> Game:
    return cup.games.filter(status="finished")[0]


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def bots_of(game: Game) -> frozenset[int]:
    return frozenset(seat.version_id for seat in game.seats.all())


def test_an_empty_arena_says_what_to_do(client: Client) -> None:
    for address in ("/", "/games/", "/tournaments/", "/leaderboard/"):
        assert 'class="empty"' in page(client, address)
    nothing = "00000000-0000-0000-0000-000000000000"
    for address in (f"/games/{nothing}/", f"/games/{nothing}/record.json", f"/embed/games/{nothing}/"):
        assert client.get(address).status_code == 404
    for address in ("/tournaments/nothing/", "/leaderboard/poker/", "/rules/poker/"):
        assert client.get(address).status_code == 404


def test_a_running_games_page_and_record_show_no_hidden_card(
    client: Client, ada: User, trio: list[Version]
) -> None:
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
    for address in ("/", "/games/tv/", f"/games/{game.pk}/", f"/embed/games/{game.pk}/"):
        assert "chip--live" not in page(client, address), address
    # It cannot be played on from.
    answer = client.get(reverse("games:explore", args=[game.pk]), {"at": "0", "moves": "draw"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not-finished")


def test_a_finished_games_page_names_the_other_leg_and_links_its_whole_record(
    client: Client, game: Game
) -> None:
    shown = page(client, game.get_absolute_url())
    (other,) = games.other_legs(game)
    assert f'<a href="{other.url}">game {other.number}</a>' in shown
    record_of = reverse("games:record", args=[game.pk])
    assert f'data-record="{record_of}"' in shown
    assert "data-live" not in shown
    answer = client.get(record_of)
    assert answer["Cache-Control"] == "public, max-age=3600"
    record = answer.json()
    assert record["start"] == game.start
    assert [event["n"] for event in record["events"]] == list(range(len(record["events"])))
    assert record["result"]["termination"] == "win"
    for address in ("/", game.get_absolute_url(), record_of):
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer["Vary"]


def test_replays_outlive_a_bots_name_and_the_bot(client: Client, game: Game, trio: list[Version]) -> None:
    bot = game.seats.get(seat=0).version.bot
    edit_bot(bot, BotDetails("Renamed"))
    withdraw_bot(bot)
    assert "Renamed" in page(client, game.get_absolute_url())
    assert client.get(reverse("games:final", args=[game.pk])).status_code == 200
    record = client.get(reverse("games:record", args=[game.pk])).json()
    assert "Renamed" in {seat["bot"] for seat in record["seats"]}


def test_only_the_owner_of_a_bot_reads_what_it_wrote_line_by_line_and_how_much_was_left_out(
    client: Client, game: Game, ada: User, bob: User
) -> None:
    assert len(evidence_for(game, ada)) == 2
    assert evidence_for(game, bob) == []
    seat = {
        "messages": [["to", '{"type":"hello"}'], ["from", "<b>ready</b>"]],
        "stderr": "first\n[... 3000000 bytes left out ...]\nlast",
        "stderr_bytes": 3_065_536,
        "exit": "exited with status 0",
    }
    Evidence.objects.update_or_create(game=game, defaults={"packed": None, "seats": [seat, {}]})
    client.force_login(bob)
    assert "Output of ada bot" not in page(client, game.get_absolute_url())
    client.force_login(ada)
    shown = page(client, game.get_absolute_url())
    assert "Output of ada bot" in shown
    talk = shown[shown.index('<dl class="log log--talk"') :]
    order = [
        talk.index(one)
        for one in ("{&quot;type&quot;:&quot;hello&quot;}", "&lt;b&gt;ready&lt;/b&gt;", "</dl>")
    ]
    assert order == sorted(order)
    assert re.findall(r'<div class="log__(\w+)">', talk)[:2] == ["arena", "bot"]
    assert "(3,065,536 bytes, of which 64 KiB are kept)" in shown
    assert "[... 3000000 bytes left out ...]" in shown


def test_trying_moves_answers_with_events_and_what_is_legal(client: Client, game: Game) -> None:
    address = reverse("games:explore", args=[game.pk])
    answer = json.loads(get(client, address, {"at": "0", "moves": "draw,draw"}).content)
    assert [event["move"] for event in answer["events"]] == ["draw"]
    assert answer["refused"].endswith("is drawn. Play it first.")
    assert {"move": "h-d"}.items() <= next(one for one in answer["legal"] if one["move"] == "h-d").items()
    for at in ("", "-1", "x", "99999999"):
        refused = client.get(address, {"at": at})
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "query")


def test_a_list_of_games_has_pictures_of_the_tables_at_the_end(
    client: Client, greedy_game: Game, ada: User, trio: list[Version]
) -> None:
    """Small ones that are asked for once they come into view, and kept by browsers."""
    running(ada, trio, pairs=1, name="Next cup")
    waiting = Game.objects.filter(status="queued")[0]
    shown = page(client, "/games/")
    found = client.get(f"/games/{greedy_game.pk}/final.svg", headers={"Accept-Encoding": "gzip"})
    assert f'src="/games/{greedy_game.pk}/final.svg"' in shown
    assert f"/games/{waiting.pk}/final.svg" not in shown
    assert (found.status_code, found["Content-Type"]) == (200, "image/svg+xml")
    assert found["Cache-Control"] == "public, max-age=3600"
    assert len(found.content) < 3000
    assert client.get(f"/games/{greedy_game.pk}/final.svg").content.startswith(b"<svg")
    assert client.get(f"/games/{waiting.pk}/final.svg").status_code == 404


def listed(client: Client, query: str) -> set[str]:
    shown = page(client, f"/games/?{query}")
    return {str(key) for key in Game.objects.values_list("pk", flat=True) if f"/games/{key}/" in shown}


def test_each_filter_narrows_and_together_they_narrow_further(client: Client, ada: User) -> None:
    cup = running(ada, rivals(3), pairs=1)
    for number in range(6):
        play_one(seat=0, plies=100 + number, left=[0, 2] if number == 0 else [0, 30])
    every = {str(game.pk) for game in cup.games.all()}
    today = timezone.now().date().isoformat()
    for query, many in (
        ("", 6),
        ("bot=rival 1", 4),
        ("bot=Rival 1&opponent=Rival 2", 2),
        ("bot=Rival 1&opponent=Rival 1", 0),
        ("bot=nobody", 0),
        ("bot=rival", 6),
        ("variant=crapaud&ending=win", 6),
        ("ending=crash", 0),
        ("close=3", 1),
        ("least=101&most=103", 3),
        (f"since={today}&until={today}", 6),
        ("until=2001-01-01", 0),
    ):
        found = listed(client, query)
        assert len(found) == many, query
        assert found <= every
    for query in ("variant=chess", "least=-1", "since=yesterday", "close=999", "status=lost"):
        page(client, f"/games/?{query}")
    assert "field__errors" in page(client, "/games/?since=yesterday")


def test_upsets_are_games_that_a_bot_won_against_one_rated_higher(client: Client, ada: User) -> None:
    cup = running(ada, rivals(2), pairs=1)
    first, second = cup.entries.order_by("number")
    won = []
    for winner in (first, second):
        found = lease()
        seat = found.game_row().seats.get(entry=winner).seat
        accept_result(found, delivery(found.game, seat=seat))
        won.append(str(found.game))
    rating(first.version, elo=1500)
    strong = rating(second.version, elo=1600)
    assert listed(client, "upset=1") == {won[0]}
    strong.elo = 1599
    strong.save()
    assert listed(client, "upset=1") == set()


def finish(
    game: Game, *, left: list[int], minutes: float, plies: int = 200, termination: str = "win"
) -> None:
    """Set what decides how much a finished game is worth watching."""
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(minutes=minutes))
    told = {"left": left, "points": [0, 0], "plies": plies, "termination": termination, "culprit": None}
    Result.objects.filter(game=game).update(**told)


def rate(version: Version, elo: float) -> None:
    known = {"elo": elo, "error": 10, "games": 4, "computed_at": timezone.now()}
    Rating.objects.update_or_create(version=version, variant="crapaud", defaults=known)


def test_games_being_played_come_first_and_then_close_ones_between_strong_bots(
    ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio, pairs=1, name="Played cup"))
    for version, elo in zip(trio, (1900, 1500, 1100), strict=True):
        rate(version, elo)
    strong, middle, weak = (version.pk for version in trio)
    games = list(Game.objects.all())
    for game in games:
        finish(game, left=[0, 20], minutes=1)
    running(ada, trio, pairs=1, name="Running cup")
    lease()
    found = programme(10)
    assert [game.status for game in found] == ["running"] + ["finished"] * len(games)
    assert bots_of(found[1]) == {strong, middle}
    assert bots_of(found[-1]) == {middle, weak}
    close = next(game for game in games if bots_of(game) == {strong, weak})
    finish(close, left=[0, 1], minutes=1)
    assert programme(10)[1].pk != close.pk, "closeness alone does not beat 200 points of rating"
    rate(trio[2], 1400)
    assert programme(10)[1].pk == close.pk


def test_a_second_game_of_the_same_bots_comes_after_the_first_ones_of_all_others(
    cup: Tournament, trio: list[Version], django_assert_num_queries: Any
) -> None:
    for version, elo in zip(trio, (1900, 1850, 1100), strict=True):
        rate(version, elo)
    for game in Game.objects.all():
        finish(game, left=[0, 5], minutes=1)
    met = [bots_of(game) for game in programme(6)]
    assert len(set(met[:3])) == 3, "the strongest pair has four games, and one of the first three tables"
    assert met[0] == met[3] == {version.pk for version in trio[:2]}
    with django_assert_num_queries(6):
        assert len(presented.listing()) == 12 < presented.LISTED


def test_a_game_given_away_or_played_long_ago_is_shown_last_but_shown(ada: User, trio: list[Version]) -> None:
    play_all(running(ada, trio[:2], pairs=2))
    fresh, old, given, short = Game.objects.all()
    finish(fresh, left=[0, 10], minutes=1)
    finish(old, left=[0, 10], minutes=240)
    finish(given, left=[0, 0], minutes=1, termination="crash")
    finish(short, left=[0, 0], minutes=5, plies=3)

    assert [game.pk for game in programme(10)] == [fresh.pk, old.pk, given.pk, short.pk]


def test_no_page_says_how_the_game_ends_that_its_stage_shows(client: Client, cup: Tournament) -> None:
    shown = str(programme(1)[0].pk)
    home = page(client, "/")
    rows = re.findall(r'data-result-of="([^"]+)"', home)
    assert rows, "other games have their rows"
    assert shown not in rows
    assert f'data-game="{shown}"' in home
    head = page(client, f"/games/{shown}/").partition("</head>")[0]
    assert not re.search(r"1–0|0–1|½|cleared", head), "a link's preview tells no result"
    # It is previewed with a drawn position.
    found = re.search(r'property="og:image" content="http://testserver([^"]+)"', head)
    assert found
    picture = client.get(found[1])
    assert picture["Content-Type"] == "image/png"
    assert client.get(f"{found[1]}?again").status_code == 301, "no query has another one drawn"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.content[16:24]) == PIXELS
    # A page is told what to go on with.
    told = client.get("/games/programme.json").json()
    assert {game["id"] for game in told["games"]} <= {str(game.pk) for game in Game.objects.all()}
    assert told["now"]
    first = told["games"][0]
    table = page(client, first["table"])
    assert f'data-game="{first["id"]}"' in table
    assert "data-label" in table


def test_other_sites_may_frame_the_embedded_game_and_nothing_else(client: Client, game: Game) -> None:
    for _ in range(2):  # made, and then from the shelf
        embedded = client.get(f"/embed/games/{game.pk}/")
        assert embedded.status_code == 200
        assert "X-Frame-Options" not in embedded
        assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    for address in ("/", f"/games/{game.pk}/", f"/games/{game.pk}/table/"):
        answer = client.get(address)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


@pytest.mark.parametrize("variant", IN_TURNS)
def test_every_game_of_turns_has_an_example_whose_moves_are_legal(client: Client, variant: str) -> None:
    record = client.get(f"/rules/{variant}/example.json").json()

    replay = engine.TurnGame.replay(
        engine.Position.parse(record["start"]), [event["move"] for event in record["events"]]
    )

    assert replay.error is None
    assert replay.played == len(record["events"]) >= 8


def test_each_game_has_a_picture_of_its_table_and_one_of_them_is_the_first_to_learn(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    assert page.count("Start here") == 1
    shapes = set()
    for name, variant in engine.VARIANTS.items():
        assert escape(variant.title) in client.get(f"/rules/{name}/").content.decode()
        assert f'src="/rules/{name}/layout.svg"' in page
        picture = client.get(f"/rules/{name}/layout.svg")
        assert picture.headers["Content-Type"] == "image/svg+xml"
        shapes.add(picture.content)
    # Games that share the engine's layout share the picture; others do not.
    assert len(shapes) >= 4
    assert client.get("/rules/nothing/layout.svg").status_code == 404
