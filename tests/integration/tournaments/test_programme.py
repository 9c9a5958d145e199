"""Which games the home page and TV show, and what other sites may frame."""

import re
import struct
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.web.deck.png import PIXELS
from bots.models import Version
from tests.factories.results import lease, play_all
from tests.factories.tournaments import running
from tournaments.games.programme import programme
from tournaments.models import Game, Rating, Result
from tournaments.pages.games import programme as presented

pytestmark = pytest.mark.django_db


def finish(
    game: Game, *, left: list[int], minutes: float, plies: int = 200, termination: str = "win"
) -> None:
    """Set what decides how much a finished game is worth watching."""
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(minutes=minutes))
    Result.objects.filter(game=game).update(
        left=left, points=[0, 0], plies=plies, termination=termination, culprit=None
    )


def rate(version: Version, elo: float) -> None:
    known = {"elo": elo, "error": 10, "games": 4, "computed_at": timezone.now()}
    Rating.objects.update_or_create(version=version, variant="crapaud", defaults=known)


def test_games_being_played_come_first_and_then_close_ones_between_strong_bots(
    ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio, pairs=1, name="Played cup"))
    for version, elo in zip(trio, (1900, 1500, 1100), strict=True):
        rate(version, elo)
    strong, middle, weak = trio
    games = list(Game.objects.all())
    for game in games:
        finish(game, left=[0, 20], minutes=1)
    running(ada, trio, pairs=1, name="Running cup")
    lease()

    found = programme(10)
    assert [game.status for game in found] == ["running"] + ["finished"] * len(games)

    def bots(game: Game) -> set[int]:
        return {seat.version_id for seat in game.seats.all()}

    assert bots(found[1]) == {strong.pk, middle.pk}
    assert bots(found[-1]) == {middle.pk, weak.pk}

    close = next(game for game in games if bots(game) == {strong.pk, weak.pk})
    finish(close, left=[0, 1], minutes=1)
    assert programme(10)[1].pk != close.pk, "closeness alone does not beat 200 points of rating"
    rate(weak, 1400)
    assert programme(10)[1].pk == close.pk


def test_a_second_game_of_the_same_bots_comes_after_the_first_ones_of_all_others(
    ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio, pairs=2))
    for version, elo in zip(trio, (1900, 1850, 1100), strict=True):
        rate(version, elo)
    for game in Game.objects.all():
        finish(game, left=[0, 5], minutes=1)

    met = [frozenset(seat.version_id for seat in game.seats.all()) for game in programme(6)]

    strongest = frozenset(version.pk for version in trio[:2])
    assert len(set(met[:3])) == 3, "the strongest pair has four games, and one of the first three tables"
    assert met[0] == met[3] == strongest


def test_no_page_says_how_the_game_ends_that_its_stage_shows(
    client: Client, ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio, pairs=1))
    shown = str(programme(1)[0].pk)

    home = client.get("/").content.decode()

    rows = re.findall(r'data-result-of="([^"]+)"', home)
    assert rows, "other games have their rows"
    assert shown not in rows
    assert f'data-game="{shown}"' in home
    head = client.get(f"/games/{shown}/").content.decode().partition("</head>")[0]
    assert not re.search(r"1–0|0–1|½|cleared", head), "a link's preview tells no result"


def test_a_game_given_away_or_played_long_ago_is_shown_last_but_shown(ada: User, trio: list[Version]) -> None:
    play_all(running(ada, trio[:2], pairs=2))
    fresh, old, given, short = Game.objects.all()
    finish(fresh, left=[0, 10], minutes=1)
    finish(old, left=[0, 10], minutes=240)
    finish(given, left=[0, 0], minutes=1, termination="crash")
    finish(short, left=[0, 0], minutes=5, plies=3)

    assert [game.pk for game in programme(10)] == [fresh.pk, old.pk, given.pk, short.pk]


def test_the_programme_costs_the_same_number_of_queries_however_many_games_there_are(
    ada: User, trio: list[Version], django_assert_num_queries: object
) -> None:
    play_all(running(ada, trio, pairs=4))

    with django_assert_num_queries(6):  # type: ignore[operator]
        assert len(presented.listing()) == presented.LISTED


def test_a_page_is_told_what_to_go_on_with(client: Client, ada: User, trio: list[Version]) -> None:
    play_all(running(ada, trio[:2], pairs=1))
    found = client.get("/games/programme.json").json()

    assert {game["id"] for game in found["games"]} == {str(game.pk) for game in Game.objects.all()}
    assert found["now"]
    first = found["games"][0]
    table = client.get(first["table"]).content.decode()
    assert f'data-game="{first["id"]}"' in table
    assert "data-label" in table


def test_no_page_says_live_by_itself(client: Client, ada: User, trio: list[Version]) -> None:
    running(ada, trio, pairs=1)
    held = lease()

    for page in ("/", "/games/tv/", f"/games/{held.game}/", f"/embed/games/{held.game}/"):
        assert "chip--live" not in client.get(page).content.decode(), page


def test_other_sites_may_frame_the_embedded_game_and_nothing_else(
    client: Client, ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio[:2], pairs=1))
    game = Game.objects.all()[0]

    for _ in range(2):  # made, and then from the shelf
        embedded = client.get(f"/embed/games/{game.pk}/")
        assert embedded.status_code == 200
        assert "X-Frame-Options" not in embedded
        assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    for page in ("/", f"/games/{game.pk}/", f"/games/{game.pk}/table/"):
        answer = client.get(page)
        assert answer["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert client.get("/embed/games/00000000-0000-0000-0000-000000000000/").status_code == 404


def test_a_link_to_a_game_is_previewed_with_a_drawn_position(
    client: Client, ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio[:2], pairs=1))
    game = Game.objects.all()[0]
    page = client.get(f"/games/{game.pk}/").content.decode()
    found = re.search(r'property="og:image" content="http://testserver([^"]+)"', page)
    assert found, page[:2000]

    picture = client.get(found[1])

    assert picture["Content-Type"] == "image/png"
    assert client.get(f"{found[1]}?again").status_code == 301, "no query has another one drawn"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.content[16:24]) == PIXELS
