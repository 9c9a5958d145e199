"""The pages of bots as people walk through them."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.accounts.models import User
from bots import checks
from bots import house_bots as house
from bots.models import Bot, Token, Version
from tests.factories.accounts import PASSWORD
from tests.factories.bots import accepted_bot, judge, new_bot
from tests.factories.tournaments import rivals, running
from tests.shelves import clear_shelves
from tournaments.models import Game

pytestmark = pytest.mark.django_db


def names_on(client: Client, address: str) -> list[str]:
    """The bots that a list shows, in its order."""
    # A page that was kept was rendered for somebody else and has no context.
    clear_shelves()
    return [bot.name for bot in client.get(address).context["page"]]


def test_the_list_is_searched_and_narrowed(ada: User, bob: User, as_ada: Client, anonymous: Client) -> None:
    house.register_house_bots()
    slow = new_bot(ada, "Alpha", description="Plays slowly.")
    accepted_bot(bob, "Beta")
    assert "Alpha" not in names_on(anonymous, "/bots/"), "it cannot play yet, so only its owner sees it"
    assert "Alpha" in names_on(as_ada, "/bots/")
    judge(slow, True, "")
    assert {"Alpha", "Beta", "Greedy"} <= set(names_on(anonymous, "/bots/"))
    assert names_on(anonymous, "/bots/?q=bet") == ["Beta"]
    assert names_on(anonymous, "/bots/?q=SLOWLY") == ["Alpha"]
    assert names_on(anonymous, "/bots/?q=bob") == ["Beta"]
    assert "Greedy" in names_on(anonymous, "/bots/?owner=house")
    assert "Beta" not in names_on(anonymous, "/bots/?owner=house")
    assert names_on(as_ada, "/bots/?owner=me") == ["Alpha"]
    assert names_on(anonymous, "/bots/?owner=me") == []
    assert names_on(anonymous, "/bots/?owner=bob") == ["Beta"]
    assert "No bots found" in anonymous.get("/bots/?q=zzz").content.decode()
    assert "You have no bots yet" in anonymous.get("/bots/?owner=me").content.decode()


def test_the_list_is_narrowed_by_language_and_by_who_plays_now(anonymous: Client) -> None:
    house.register_house_bots()
    event = running(None, rivals(2), pairs=1)
    assert names_on(anonymous, "/bots/?playing=1") == []
    Game.objects.filter(tournament=event).update(status=Game.Status.RUNNING)
    assert sorted(names_on(anonymous, "/bots/?playing=1")) == ["Rival 1", "Rival 2"]
    assert names_on(anonymous, "/bots/?playing=1&language=javascript") == []
    assert set(names_on(anonymous, "/bots/?language=javascript")) == {
        "Greedy (JavaScript)",
        "Random (JavaScript)",
    }
    assert "Rival 1" in names_on(anonymous, "/bots/?language=klingon")
    # Of a game that is hidden nobody learns that it is played.
    Game.objects.filter(tournament=event).update(hidden=True)
    assert names_on(anonymous, "/bots/?playing=1") == []


def questions(client: Client, address: str) -> list[str]:
    """What a page asks the database, but for site notices, which every page looks up now and then."""
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    return [one["sql"] for one in asked if "sitenotice" not in one["sql"]]


def test_the_list_asks_the_database_as_often_for_many_bots_as_for_one(ada: User, anonymous: Client) -> None:
    accepted_bot(ada, "one")
    assert len(questions(anonymous, "/bots/")) == 4, "the stamps, the count, the page, its co-owners"
    for name in ("two", "three", "four"):
        accepted_bot(ada, name)
    assert len(questions(anonymous, "/bots/")) == 4, "the stamps, the count, the page, its co-owners"


def test_a_withdrawn_bot_is_listed_for_its_owner_only_and_keeps_its_page(
    ada: User, as_ada: Client, anonymous: Client
) -> None:
    accepted_bot(ada)
    page = as_ada.post("/bots/adas-first/withdraw/", follow=True)
    assert "Ada&#x27;s first is withdrawn. It can no longer enter tournaments." in page.content.decode()
    assert names_on(as_ada, "/bots/") == ["Ada's first"]
    assert names_on(anonymous, "/bots/") == []
    assert anonymous.get("/bots/adas-first/").status_code == 200
    page = as_ada.post("/bots/adas-first/restore/", follow=True)
    assert "Ada&#x27;s first is restored. It can enter tournaments again." in page.content.decode()
    assert names_on(anonymous, "/bots/") == ["Ada's first"]


def test_a_description_is_shown_as_it_was_written_and_never_as_html(
    ada: User, as_ada: Client, anonymous: Client
) -> None:
    accepted_bot(ada)
    as_ada.post("/bots/adas-first/edit/", {"name": "<b>Bold</b>", "description": "<script>alert(1)</script>"})
    for address in ("/bots/", "/bots/adas-first/", "/bots/adas-first/versions/1/"):
        html = anonymous.get(address).content.decode()
        assert "<b>Bold" not in html
        assert "<script>alert" not in html
        assert "&lt;b&gt;Bold" in html


def test_the_version_page_asks_again_until_its_check_is_over(ada: User, as_ada: Client) -> None:
    version = new_bot(ada)
    other = new_bot(ada, "second")
    asks_again = 'hx-get="/bots/second/versions/1/check/" hx-trigger="every 1s"'
    page = as_ada.get("/bots/second/versions/1/").content.decode()
    assert asks_again in page
    assert "Waiting for one other check." in page
    judge(version, True, "")
    assert "This check is next." in as_ada.get("/bots/second/versions/1/check/").content.decode()
    checks.claim_check(other.pk)
    part = as_ada.get("/bots/second/versions/1/check/").content.decode()
    assert "playing a short game against itself on each board" in part
    assert asks_again in part
    judge(other, True, "A game against itself ended by win after 312 plies.")
    part = as_ada.get("/bots/second/versions/1/check/").content.decode()
    assert "hx-trigger" not in part
    assert "It plays for second: every game." in part
    assert "A game against itself ended by win after 312 plies." in part


def test_deeds_are_not_done_by_a_link_nor_where_nothing_is_there(ada: User, as_ada: Client) -> None:
    new_bot(ada)
    for page in ("nobody/", "nobody/versions/1/", "adas-first/versions/9/", "nobody/upload/"):
        assert as_ada.get(f"/bots/{page}").status_code == 404, page
    waits = as_ada.post("/bots/adas-first/versions/1/activate/", follow=True)
    assert "Only an accepted version can be active." in waits.content.decode()
    for address in (
        "/bots/adas-first/withdraw/",
        "/bots/adas-first/restore/",
        "/bots/adas-first/versions/1/activate/",
        "/bots/account/tokens/",
        "/bots/account/delete/",
    ):
        assert as_ada.get(address).status_code == 302
    ada.refresh_from_db()
    assert (Bot.objects.get().withdrawn_at, ada.is_active, Token.objects.count()) == (None, True, 0)


def test_a_token_is_shown_once_and_revoked(as_ada: Client) -> None:
    page = as_ada.post("/bots/account/tokens/", {"name": "laptop"})
    secret = page.context["secret"]
    assert secret.startswith("crapette_")
    assert secret in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    again = as_ada.get("/bots/account/").content.decode()
    assert secret not in again
    assert "laptop" in again
    as_ada.post(f"/bots/account/tokens/{Token.objects.get().pk}/revoke/")
    assert "laptop</th>" not in as_ada.get("/bots/account/").content.decode()


def test_an_account_is_deleted_with_its_bots_only_by_its_name(ada: User, as_ada: Client) -> None:
    new_bot(ada)
    asked = as_ada.post("/bots/account/delete/", {"username": "Ada"})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    page = as_ada.post(asked.headers["Location"], {"password": "wrong"})
    assert Bot.objects.exists()
    page = as_ada.post(asked.headers["Location"], {"password": PASSWORD})
    assert page.status_code == 422
    assert page.context["delete_form"].has_error("username", "other")
    assert Bot.objects.exists()
    other = Client()
    other.force_login(ada)
    asked = other.post("/bots/account/delete/", {"username": "ada"})
    page = other.post(asked.headers["Location"], {"password": PASSWORD}, follow=True)
    assert "Your account has been deleted." in page.content.decode()
    assert not Bot.objects.exists()
    assert not Version.objects.exists()
    assert not type(ada).objects.filter(pk=ada.pk).exists()
