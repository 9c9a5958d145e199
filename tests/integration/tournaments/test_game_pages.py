"""Pages of games and events: records and evidence, lists, TV, rules; who won, what is decided, who leads."""

import json
import re
import struct
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import engine
from arena.accounts.models import User
from arena.web.deck.png import PIXELS
from bots.bots import BotDetails, edit_bot, withdraw_bot
from bots.models import Version
from tests.factories.ratings import rating
from tests.factories.results import lease, play_all, play_one
from tests.factories.tournaments import draft, rivals, running
from tests.thinking import get
from tournaments.events.standings import count
from tournaments.events.standings import progress as progress_of
from tournaments.games.programme import programme
from tournaments.games.search import evidence_for
from tournaments.models import Evidence, Game, Rating, Result, Tournament
from tournaments.pages.events import bracket, standings
from tournaments.pages.events.event_story import TournamentStory, story
from tournaments.pages.events.ladder import ladder_page
from tournaments.pages.events.listing import tournament_list
from tournaments.pages.ratings.rating_rows import rows
from tournaments.pairing.progress import cancel_tournament, pause_tournament
from tournaments.ratings.ladder import ensure_ladder, ensure_ladders
from tournaments.ratings.leaderboards import board

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ada: User, trio: list[Version]) -> Tournament:
    tournament = running(ada, trio, pairs=2)
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


def test_a_finished_game_has_its_whole_record_and_moves_to_try(client: Client, game: Game) -> None:
    record_of = reverse("games:record", args=[game.pk])
    answer = client.get(record_of, headers={"Accept-Encoding": "gzip"})
    assert (answer["Cache-Control"], answer["Content-Encoding"]) == ("public, max-age=3600", "gzip")
    assert "Accept-Encoding" in answer["Vary"]
    record = client.get(record_of).json()
    assert record["start"] == game.start
    assert [event["n"] for event in record["events"]] == list(range(len(record["events"])))
    address = reverse("games:explore", args=[game.pk])
    tried = json.loads(get(client, address, {"at": "0", "moves": "draw,draw"}).content)
    assert [event["move"] for event in tried["events"]] == ["draw"]
    assert tried["refused"].endswith("is drawn. Play it first.")


def test_replays_outlive_a_bots_name_and_the_bot(client: Client, game: Game, trio: list[Version]) -> None:
    bot = game.seats.get(seat=0).version.bot
    edit_bot(bot, BotDetails("Renamed"))
    withdraw_bot(bot)
    assert "Renamed" in page(client, game.get_absolute_url())
    assert client.get(reverse("games:final", args=[game.pk])).status_code == 200
    record = client.get(reverse("games:record", args=[game.pk])).json()
    assert "Renamed" in {seat["bot"] for seat in record["seats"]}


def test_only_its_owner_reads_what_a_bot_wrote(client: Client, game: Game, ada: User, bob: User) -> None:
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
    for said in ("&lt;b&gt;ready&lt;/b&gt;", "(3,065,536 bytes, of which 64 KiB are kept)"):
        assert said in shown


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
    for query in ("variant=chess", "least=-1", "since=yesterday", "close=999", "status=lost"):
        page(client, f"/games/?{query}")


def watchable(game: Game, *, left: list[int], minutes: float, plies: int = 200, end: str = "win") -> None:
    """Set what decides how much a finished game is worth watching."""
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(minutes=minutes))
    told = {"left": left, "points": [0, 0], "plies": plies, "termination": end, "culprit": None}
    Result.objects.filter(game=game).update(**told)


def test_games_being_played_come_first_then_close_ones(ada: User, trio: list[Version]) -> None:
    play_all(running(ada, trio, pairs=1, name="Played cup"))
    strong, middle, weak = trio
    rating(strong, 1900)
    rating(middle, 1500)
    last = rating(weak, 1100)
    met: dict[frozenset[int], list[Game]] = {}
    for game in Game.objects.all():
        watchable(game, left=[0, 20], minutes=1)
        met.setdefault(frozenset(seat.version_id for seat in game.seats.all()), []).append(game)
    best, close = met[frozenset((strong.pk, middle.pk))], met[frozenset((strong.pk, weak.pk))][0]
    again = [game in best for game in programme(6)]
    assert again == [True, False, False] * 2, "second games of two bots come later"
    running(ada, trio, pairs=1, name="Running cup")
    lease()
    found = programme(10)
    assert [game.status for game in found] == ["running"] + ["finished"] * 6
    assert found[1] in best
    watchable(close, left=[0, 1], minutes=1)
    assert programme(10)[1] in best, "closeness alone does not beat 200 points of rating"
    last.elo = 1400
    last.save()
    assert programme(10)[1] == close


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
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.content[16:24]) == PIXELS


def test_other_sites_may_frame_the_embedded_game_and_nothing_else(client: Client, game: Game) -> None:
    for _ in range(2):  # made, and then from the shelf
        embedded = client.get(f"/embed/games/{game.pk}/")
        assert "X-Frame-Options" not in embedded
        assert "frame-ancestors *" in embedded["Content-Security-Policy"]
    answer = client.get(f"/games/{game.pk}/table/")
    assert answer["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.content.decode().split())


def told(tournament: Tournament) -> TournamentStory:
    """The story of a tournament as its page shows it."""
    tournament.refresh_from_db()
    table = standings.StandingsTable(tournament)
    drawing = bracket.drawing(tournament) if "elimination" in tournament.format else None
    progress = progress_of(tournament, count([tournament])[tournament.pk], table.entrants)
    return story(tournament, table.lines(), drawing, progress)


def test_a_finished_event_begins_with_its_winner_and_the_tie_break_that_decided(ada: User) -> None:
    cup = running(ada, rivals(3), pairs=1)
    assert told(cup).headline == "No result yet"
    play_all(cup)
    cup.pairings.update(wins=0, draws=2, losses=0, margin_sum=0)
    assert told(cup).headline.endswith("share first place")
    best = cup.entries.get(number=1)
    cup.pairings.filter(first=best).update(margin_sum=4)
    cup.pairings.filter(second=best).update(margin_sum=-4)
    assert told(cup).headline == f"{best.version.bot.name} won"
    assert "margin decides" in told(cup).detail
    # The list names its winner again after pairs were played again.
    Tournament.objects.filter(pk=cup.pk).update(finished_at=timezone.now())
    assert tournament_list(None).over[0].winners == [best]


def test_a_bracket_has_byes_and_a_champion(ada: User) -> None:
    cup = running(ada, rivals(3), pairs=1, format=Tournament.Format.SINGLE_ELIMINATION)
    drawing = bracket.drawing(cup)
    assert drawing is not None
    assert [match.state for match in drawing.parts[0].columns[0].matches] == ["bye", "upcoming"]
    play_all(cup)
    drawing = bracket.drawing(Tournament.objects.get(pk=cup.pk))
    assert drawing is not None
    assert drawing.champion
    assert told(cup).headline == f"{drawing.champion} is the champion"


def test_who_is_still_being_measured_stands_below_and_leads_nothing(client: Client) -> None:
    lucky, first, second = rivals(3)
    rating(lucky, 1900, error=90, provisional=True)
    rating(second, 1450)
    rating(first, 1500)
    order = [first.bot.name, second.bot.name, lucky.bot.name]
    assert [row.bot for row in rows(board("crapaud"))] == order
    for address in ("/leaderboard/crapaud/", "/"):
        shown = page(client, address).partition("<main")[2]
        found = [shown.index(f">{text}<") for text in (*order[:2], "Still being measured", order[2])]
        assert found == sorted(found), address
    # The anchor leads no ladder while others are rated above it.
    Rating.objects.exclude(version=first).update(provisional=True)
    Rating.objects.filter(version=first).update(error=0)
    headline = ladder_page(ensure_ladder("crapaud"), idle=False).headline
    assert headline == "Nobody is measured well enough to lead"


def test_events_come_by_what_they_mean_now(ada: User, trio: list[Version]) -> None:
    ensure_ladders()
    over = running(None, trio, pairs=1, name="Over")
    play_all(over)
    later, sooner = draft(None, trio, name="Later", hours=9), draft(None, trio, name="Sooner", hours=2)
    paused, now, gone = (running(None, trio, pairs=1, name=name) for name in ("Paused", "Now", "Gone"))
    pause_tournament(paused)
    cancel_tournament(gone, by=ada)
    found = tournament_list(None)
    assert [one.tournament for one in found.now] == [now, paused]
    assert [one.tournament for one in found.coming] == [sooner, later]
    assert [one.row.tournament for one in found.over] == [gone, over]
