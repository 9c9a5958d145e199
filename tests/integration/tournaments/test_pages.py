"""The competition's pages: what they say, to whom, and how bad input is answered."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import engine
from arena.accounts.models import User
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.ratings import rating
from tests.factories.results import lease, play_all
from tests.factories.tournaments import form, running
from tests.thinking import get
from tournaments.events.standings import count
from tournaments.events.standings import progress as progress_of
from tournaments.games.search import evidence_for
from tournaments.models import Evidence, Game, Tournament
from tournaments.pages.games import game_rows as games
from tournaments.pairing.progress import advance
from tournaments.ratings.tallies import opponents

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ada: User, trio: list[Version]) -> Tournament:
    tournament = running(ada, trio, pairs=2)
    play_all(tournament)
    return tournament


def test_an_empty_arena_says_what_to_do(client: Client) -> None:
    assert 'class="empty"' in client.get("/").content.decode()
    assert 'class="empty"' in client.get("/games/").content.decode()
    assert 'class="empty"' in client.get("/tournaments/").content.decode()
    assert 'class="empty"' in client.get("/leaderboard/").content.decode()


def test_a_list_of_games_costs_the_same_number_of_queries_however_long_it_is(
    client: Client, ada: User, trio: list[Version], django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    play_all(running(ada, trio, pairs=4))
    with django_assert_max_num_queries(12):
        client.get("/games/")


def test_progress_counts_pairs_up_to_all_of_them(ada: User, trio: list[Version]) -> None:
    tournament = running(ada, trio, pairs=2)
    begun = progress_of(tournament, count([tournament])[tournament.pk], 3)
    play_all(tournament)
    over = progress_of(tournament, count([tournament])[tournament.pk], 3)

    assert (begun.done, begun.total) == (0, 6)
    assert (over.done, over.total, over.percent, over.running) == (6, 6, 100, 0)


def test_a_games_page_names_the_other_leg_and_links_the_record(client: Client, cup: Tournament) -> None:
    game = cup.games.filter(status="finished")[0]

    page = client.get(game.get_absolute_url()).content.decode()

    (other,) = games.other_legs(game)
    assert f'<a href="{other.url}">game {other.number}</a>' in page
    assert f'data-record="{reverse("games:record", args=[game.pk])}"' in page
    assert "data-live" not in page


def test_a_running_games_page_and_record_show_no_hidden_card(
    client: Client, ada: User, trio: list[Version]
) -> None:
    running(ada, trio)
    game = Game.objects.get(pk=lease().game)

    page = client.get(game.get_absolute_url()).content.decode()
    answer = client.get(reverse("games:record", args=[game.pk]))

    assert f'data-live="/ws/games/{game.pk}/"' in page
    assert answer["Cache-Control"] == "no-store"
    record = answer.json()
    assert record["start"] == str(engine.Position.parse(game.start).public())
    assert record["result"] is None
    assert game.start not in page


@pytest.mark.any_database
def test_a_finished_games_record_is_whole_and_may_be_kept(client: Client, cup: Tournament) -> None:
    game = cup.games.filter(status="finished")[0]

    answer = client.get(reverse("games:record", args=[game.pk]))

    assert answer["Cache-Control"] == "public, max-age=3600"
    record = answer.json()
    assert record["start"] == game.start
    assert [event["n"] for event in record["events"]] == list(range(len(record["events"])))
    assert record["result"]["termination"] == "win"


def test_pages_and_records_are_sent_compressed(client: Client, cup: Tournament) -> None:
    game = cup.games.filter(status="finished")[0]

    for address in ("/", game.get_absolute_url(), reverse("games:record", args=[game.pk])):
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer["Vary"]


def test_only_the_owner_of_a_bot_reads_what_it_wrote(client: Client, cup: Tournament, ada: User) -> None:
    game = cup.games.filter(status="finished")[0]
    stranger = author("eve")

    assert len(evidence_for(game, ada)) == 2
    assert evidence_for(game, stranger) == []
    client.force_login(stranger)
    assert "Output of ada bot" not in client.get(game.get_absolute_url()).content.decode()
    client.force_login(ada)
    assert "Output of ada bot" in client.get(game.get_absolute_url()).content.decode()


def test_the_owner_reads_messages_line_by_line_and_how_much_was_left_out(
    client: Client, cup: Tournament, ada: User
) -> None:
    game = cup.games.filter(status="finished")[0]
    seat = {
        "messages": [["to", '{"type":"hello"}'], ["from", "<b>ready</b>"]],
        "stderr": "first\n[... 3000000 bytes left out ...]\nlast",
        "stderr_bytes": 3_065_536,
        "exit": "exited with status 0",
    }
    Evidence.objects.update_or_create(game=game, defaults={"packed": None, "seats": [seat, {}]})
    client.force_login(ada)
    page = client.get(game.get_absolute_url()).content.decode()
    talk = page[page.index('<dl class="log log--talk"') :]
    assert (
        talk.index("{&quot;type&quot;:&quot;hello&quot;}")
        < talk.index("&lt;b&gt;ready&lt;/b&gt;")
        < talk.index("</dl>")
    )
    assert re.findall(r'<div class="log__(\w+)">', talk)[:2] == ["arena", "bot"]
    assert "(3,065,536 bytes, of which 64 KiB are kept)" in page
    assert "[... 3000000 bytes left out ...]" in page


@pytest.mark.parametrize(
    "path",
    [
        "/games/00000000-0000-0000-0000-000000000000/",
        "/games/00000000-0000-0000-0000-000000000000/record.json",
        "/tournaments/nothing/",
        "/leaderboard/poker/",
        "/rules/poker/",
    ],
)
def test_what_is_not_there_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_finished_game_can_be_played_on_and_a_running_one_not(
    client: Client, ada: User, trio: list[Version]
) -> None:
    running(ada, trio)
    game = Game.objects.get(pk=lease().game)

    answer = client.get(reverse("games:explore", args=[game.pk]), {"at": "0", "moves": "draw"})

    assert answer.status_code == 409
    assert answer.json()["error"] == {
        "code": "not-finished",
        "message": "You can play on only from a finished game.",
        "field": None,
    }


@pytest.mark.any_database
@pytest.mark.parametrize("at", ["", "-1", "x", "99999999"])
def test_a_game_is_played_on_from_a_number_of_events(client: Client, cup: Tournament, at: str) -> None:
    game = cup.games.filter(status="finished")[0]

    answer = client.get(reverse("games:explore", args=[game.pk]), {"at": at})

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "query"


def test_trying_moves_answers_with_events_and_what_is_legal(client: Client, cup: Tournament) -> None:
    game = cup.games.filter(status="finished")[0]

    address = reverse("games:explore", args=[game.pk])
    answer = json.loads(get(client, address, {"at": "0", "moves": "draw,draw"}).content)

    assert [event["move"] for event in answer["events"]] == ["draw"]
    assert answer["refused"].endswith("is drawn. Play it first.")
    assert {"move": "h-d"}.items() <= next(one for one in answer["legal"] if one["move"] == "h-d").items()


def test_three_play_one_game_when_three_seats_are_asked_for(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    client.post("/tournaments/new/", form(trio, variant="crapette", players=3))
    tournament = Tournament.objects.get()
    assert (tournament.status, tournament.players, tournament.bank_ms) == ("running", 3, 60_000)
    advance(tournament.pk)
    assert [game.seats.count() for game in tournament.games.all()] == [3, 3, 3]


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"versions": []}, "Choose at least two bots."),
        ({"name": "ab"}, "Ensure this value has at least 3 characters (it has 2)."),
        ({"pairs": 0}, "Ensure this value is greater than or equal to 1."),
        ({"players": 3}, "2 seats, not 3"),
        ({"players": 4, "variant": "crapette"}, "at least 4 bots"),
        ({"players": "many"}, "Select a valid choice. many is not one of the available choices."),
    ],
)
def test_a_tournament_that_cannot_be_is_refused_in_a_sentence(
    client: Client, ada: User, trio: list[Version], changes: dict[str, object], sentence: str
) -> None:
    client.force_login(ada)
    answer = client.post("/tournaments/new/", form(trio, **changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Tournament.objects.exists()


def test_only_the_owner_may_cancel_which_reveals_the_seed(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    tournament = running(ada, trio)
    action = reverse("tournaments:action", args=[tournament.slug])
    client.force_login(bob)
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert tournament.seed_commitment in page
    assert tournament.seed not in page
    assert client.post(action, {"action": "cancel"}).status_code == 403
    client.force_login(ada)

    assert client.post(action, {"action": "explode"}).status_code == 400
    client.post(action, {"action": "cancel"})

    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.CANCELLED
    said = client.get(tournament.get_absolute_url()).content.decode()
    assert "Cancelled. Results so far are kept, and no more games are played." in said
    assert tournament.seed in said


def test_the_fragment_of_a_tournament_has_no_page_around_it(client: Client, cup: Tournament) -> None:
    fragment = client.get(reverse("tournaments:live", args=[cup.slug])).content.decode()

    assert 'data-status="finished"' in fragment
    assert "<html" not in fragment


@pytest.mark.any_database
def test_a_bots_panel_is_a_fragment_for_htmx_and_a_page_for_others(client: Client, cup: Tournament) -> None:
    address = reverse("tournaments:bot-panel", args=["ada-bot-1"])

    whole = client.get(address).content.decode()
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()

    assert "<html" in whole
    assert "<html" not in part
    for said in ("ada bot 2", "ada bot 3", "Latest games"):
        assert said in part


def test_ratings_of_three_seats_have_a_board_of_their_own_that_a_bots_panel_links_to(
    client: Client, trio: list[Version]
) -> None:
    rating(trio[0], 1520, "crapette/3", error=30, games=6, wins=4, losses=2)

    panel = client.get("/tournaments/bot-panel/ada-bot-1/").content.decode()
    board = client.get("/leaderboard/crapette/3/").content.decode()

    assert '<a href="/leaderboard/crapette/3/">Crapette, 3 seats</a>' in panel
    assert "Ratings in Crapette, 3 seats" in board
    assert "/leaderboard/crapette/bundle.jsonl?players=3" in board
    assert "1520" in board
    assert client.get("/leaderboard/").content.decode() == board
    assert client.get("/leaderboard/crapette/5/").status_code == 404
    assert client.get("/leaderboard/crapaud/3/").status_code == 404


def test_a_bots_page_has_the_game_of_its_headline_in_front_and_folds_the_rest(
    client: Client, trio: list[Version]
) -> None:
    for board, played in (("crapaud", 10), ("crapo", 50), ("russian-bank", 4)):
        rating(trio[0], board=board, games=played)
    slug = trio[0].bot.slug
    panel = client.get(reverse("tournaments:bot-panel", args=[slug])).content.decode()
    table = panel.partition("Endings held" if "Endings held" in panel else '<th scope="col">Version')[2]
    order = [table.index(one) for one in ("Crapô", "Crapaud", "More games", "Russian Bank")]
    assert order == sorted(order)


def test_opponents_are_seen_from_the_bots_own_side(cup: Tournament, trio: list[Version]) -> None:
    by_name = {version.bot.name: opponents(version.bot) for version in trio}
    mine = {row.bot: row for row in by_name["ada bot 1"]}
    theirs = {row.bot: row for row in by_name["ada bot 2"]}

    assert mine["ada bot 2"].wins == theirs["ada bot 1"].losses
    assert mine["ada bot 2"].losses == theirs["ada bot 1"].wins
    assert mine["ada bot 2"].wins + mine["ada bot 2"].draws + mine["ada bot 2"].losses == 4


def test_a_list_of_games_has_pictures_of_the_tables_at_the_end(
    client: Client, greedy_game: Game, ada: User, trio: list[Version]
) -> None:
    """Small ones that are asked for once they come into view, and kept by browsers."""
    running(ada, trio, pairs=1, name="Next cup")
    waiting = Game.objects.filter(status="queued")[0]

    shown = client.get("/games/").content.decode()
    found = client.get(f"/games/{greedy_game.pk}/final.svg", headers={"Accept-Encoding": "gzip"})

    assert f'src="/games/{greedy_game.pk}/final.svg"' in shown
    assert f"/games/{waiting.pk}/final.svg" not in shown
    assert (found.status_code, found["Content-Type"]) == (200, "image/svg+xml")
    assert found["Cache-Control"] == "public, max-age=3600"
    assert len(found.content) < 3000
    assert client.get(f"/games/{greedy_game.pk}/final.svg").content.startswith(b"<svg")
    assert client.get(f"/games/{waiting.pk}/final.svg").status_code == 404
