"""Pages of remote bots: created by a form, marked where their names stand, and not there if switched off."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bots.models import Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.friendlies import sit_down
from tests.factories.remote import online, remote_bot
from tests.factories.results import accept_result, delivery
from tests.factories.tournaments import created
from tournaments.challenges.answers import event_of
from tournaments.challenges.requests import Wish, ask
from tournaments.games.claims import claim
from tournaments.models import Game
from tournaments.pairing.progress import advance, start_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

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
