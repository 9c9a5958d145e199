"""Remote bots: how they are created and marked, who of them is connected, and what they can never do."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bots import bots, checks, uploads
from bots.check_results import passed_boards
from bots.errors import NotActivatable, RemoteRefused, UploadRefused
from bots.models import RemotePresence, Version
from bots.remote import connections
from bots.remote.connections import RemoteWish, connect
from bots.teams import co_owners
from bots.teams.departures import forget_owner
from bots.versions import active_on
from engine.boards import BOARDS
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot, shared, upload
from tests.factories.friendlies import sit_down
from tests.factories.remote import online, remote_bot
from tests.factories.results import accept_result, delivery
from tests.factories.tournaments import created
from tournaments.challenges.answers import event_of
from tournaments.challenges.requests import Wish, ask
from tournaments.games.claims import claim
from tournaments.models import Game, Tournament
from tournaments.pairing.progress import advance, start_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def refused(*asked: object) -> str:
    with pytest.raises(RemoteRefused) as refusal:
        connect(*asked)  # type: ignore[arg-type]
    return refusal.value.code


def test_a_remote_bot_has_one_version_without_files_and_plays_where_its_program_says() -> None:
    ada = author("ada")
    bot = remote_bot(ada)
    version = bot.versions.get()
    assert (bot.active_version, active_on(bot)) == (version, {})
    held = online(bot, "crapette/3", "crapaud", games=3)
    assert (held.boards, held.games) == (("crapaud", "crapette/3"), 3)
    assert passed_boards(version) == ["crapaud", "crapette/3"]
    del bot.active_rows
    assert list(active_on(bot)) == ["crapaud", "crapette/3"]
    assert set(Version.objects.online()) == {version}
    # Nothing that asks for files finds it, however many boards it plays.
    assert not Version.objects.fit().exists()
    with pytest.raises(UploadRefused, match="is a remote bot"):
        uploads.submit_version(bot, uploads.Submission(upload(), "bot.py"))
    with pytest.raises(NotActivatable, match="is a remote bot"):
        checks.ask_for_trials(version)
    again = online(bot)
    assert (again.replaced, again.boards) == (held.connection, BOARDS)
    assert not connections.keep(bot.pk, held.connection, ada.pk)


def test_why_a_program_cannot_connect_is_told_by_a_code(settings: Any) -> None:
    ada, bob = author("ada"), author("bob")
    bot = remote_bot(ada)
    assert refused(bob, bot.slug, RemoteWish()) == "unknown-bot"
    assert refused(ada, "nothing", RemoteWish()) == "unknown-bot"
    assert refused(ada, bot.slug, RemoteWish(("chess",))) == "unknown-board"
    assert refused(ada, new_bot(ada, "Here").bot.slug, RemoteWish()) == "not-remote"
    Version.objects.filter(bot=bot).update(benched_at=timezone.now())
    assert refused(ada, bot.slug, RemoteWish()) == "benched"
    connections.play_again(bot, by=ada)
    online(bot)
    bots.withdraw_bot(bot)
    assert refused(ada, bot.slug, RemoteWish()) == "withdrawn"
    bots.restore_bot(bot)
    settings.REMOTE = False
    assert refused(ada, bot.slug, RemoteWish()) == "off"
    assert not Version.objects.fit_remote().exists()


def test_an_account_has_so_many_remote_bots_online(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = author("ada")
    bots = [remote_bot(ada, f"Number {number}") for number in range(3)]
    monkeypatch.setattr("arena.web.limits._rows", lambda: {"remote_connections_per_user": 2})
    for bot in bots[:2]:
        online(bot)
    assert refused(ada, bots[2].slug, RemoteWish()) == "limit"
    online(bots[0])  # which takes the place of its own
    monkeypatch.setattr("arena.web.limits._rows", lambda: {"remote_connections": 2})
    assert refused(ada, bots[2].slug, RemoteWish()) == "limit"


@pytest.mark.parametrize("how", ["withdrawn", "handed over", "account deleted", "server died", "left"])
def test_a_connection_ends_when_it_no_longer_speaks_for_the_bot(how: str) -> None:
    ada, bob = author("ada"), author("bob")
    bot = remote_bot(ada)
    held = online(bot)
    if how == "withdrawn":
        bots.withdraw_bot(bot)
    elif how == "handed over":
        shared(bot, bob)
        co_owners.offer(bot, ada, bob)
        co_owners.take_over(bot, bob)
        assert connections.keep(bot.pk, held.connection, ada.pk)  # who still owns it with bob
        co_owners.leave(bot, ada)
    elif how == "account deleted":
        forget_owner(ada)
    elif how == "server died":
        RemotePresence.objects.update(seen_at=timezone.now() - connections.LOST_AFTER - timedelta(seconds=1))
        assert connections.disconnect_lost() == 1
    else:
        assert connections.disconnect(bot.pk, held.connection)
    assert not connections.keep(bot.pk, held.connection, ada.pk)
    assert how == "handed over" or not Version.objects.online().exists()
    assert not Tournament.objects.exists()


BADGE = ">remote</span>"


def test_a_remote_bot_is_created_without_a_file_and_its_owner_lets_it_play_again(client: Client) -> None:
    client.force_login(author("ada"))
    page = client.post(reverse("bots:new-remote"), {"name": "Ada's GPU", "open_to_all": "on"}, follow=True)
    text = page.content.decode()
    assert page.redirect_chain == [("/bots/adas-gpu/", 302)]
    for words in (BADGE, "was never online", "crapette connect adas-gpu --site http://testserver"):
        assert words in text
    assert "Upload a version" not in text
    assert client.get(reverse("bots:version", args=["adas-gpu", 1]))["Location"] == "/bots/adas-gpu/"
    assert client.get(reverse("bots:source", args=["adas-gpu", 1])).status_code == 404
    Version.objects.update(benched_at=timezone.now(), benched_because="It abandoned its last 3 games.")
    page = client.get("/bots/adas-gpu/")
    assert "This bot was set offline. It abandoned its last 3 games." in page.content.decode()
    again, bob = reverse("bots:play-again", args=["adas-gpu"]), Client()
    bob.force_login(author("bob"))
    assert bob.post(again).status_code == 404
    client.post(again)
    assert not Version.objects.get().is_benched


def test_switched_off_no_page_offers_remote_bots(client: Client, settings: Any) -> None:
    settings.REMOTE = False
    client.force_login(author("ada"))
    assert client.get(reverse("bots:new-remote")).status_code == 404
    assert reverse("bots:new-remote") not in client.get(reverse("bots:new")).content.decode()
    for page in ("bots:account", "bots:list"):
        assert 'value="remote"' not in client.get(reverse(page)).content.decode()
    assert client.get("/api/v1/remote/").json() == {"items": [], "next": None}


def test_wherever_the_name_of_a_remote_bot_stands_it_says_so(client: Client) -> None:
    ada, bob = author("ada"), author("bob")
    bot = remote_bot(ada, "Farbot")
    online(bot, "crapaud", people=True)
    mine, version = accepted_bot(bob, "Near"), bot.versions.get()
    cup = created(bob, [version, mine], pairs_per_pairing=1, admits_remote=True)
    start_tournament(cup)
    for game in cup.games.order_by("order"):
        lease = claim(game, "a worker")
        assert lease is not None
        accept_result(lease, delivery(game.pk, seat=game.seats.get(version=version).seat))
    advance(cup.pk)
    challenge = ask(bob, Wish(mine.pk, version.pk, "crapaud", 1, 60_000, 500))
    assert event_of(challenge).name == "Near v1 against Farbot (remote)"
    client.force_login(bob)
    client.post(reverse("bots:follow", args=[bot.slug]))
    friendly = sit_down(client, version)
    names = ("tournaments:list", "challenges:list", "followed", "games:list", "play:new")
    panel = reverse("tournaments:bot-panel", args=[mine.bot.slug])
    pages = (cup.get_absolute_url(), ada.get_absolute_url(), panel, *map(reverse, names))
    unmarked = {}
    for page in pages:
        _, _, text = client.get(page, follow=True).content.decode().partition("</title>")
        text = re.sub(r"<(script|option)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
        stands = [" ".join(text[found.end() :].split())[:20] for found in re.finditer(r"\bFarbot\b", text)]
        assert stands, page
        unmarked[page] = [after for after in stands if not re.match(r"(v1 )?\(?remote\b", after)]
    assert not any(unmarked.values()), unmarked
    game = Game.objects.filter(tournament=cup)[0]
    for table in (friendly, game):
        assert BADGE in client.get(table.get_absolute_url()).content.decode()
