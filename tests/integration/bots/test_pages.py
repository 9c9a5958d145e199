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
    for narrowed, names in {
        "q=bet": ["Beta"],
        "q=SLOWLY": ["Alpha"],
        "q=bob": ["Beta"],
        "owner=bob": ["Beta"],
        "owner=me": [],
        "q=zzz": [],
        "language=javascript": ["Greedy (JavaScript)", "Random (JavaScript)"],
    }.items():
        assert sorted(names_on(anonymous, f"/bots/?{narrowed}")) == names, narrowed
    assert names_on(as_ada, "/bots/?owner=me") == ["Alpha"]
    assert "Beta" not in names_on(anonymous, "/bots/?owner=house")
    as_ada.post("/bots/alpha/withdraw/")
    assert names_on(as_ada, "/bots/?owner=me") == ["Alpha"]
    assert "Alpha" not in names_on(anonymous, "/bots/")
    assert anonymous.get("/bots/alpha/").status_code == 200


def test_the_list_is_narrowed_to_who_plays_now_but_for_games_that_are_hidden(anonymous: Client) -> None:
    event = running(None, rivals(2), pairs=1)
    assert names_on(anonymous, "/bots/?playing=1") == []
    Game.objects.filter(tournament=event).update(status=Game.Status.RUNNING)
    assert sorted(names_on(anonymous, "/bots/?playing=1")) == ["Rival 1", "Rival 2"]
    Game.objects.filter(tournament=event).update(hidden=True)
    assert names_on(anonymous, "/bots/?playing=1") == []


def test_the_list_asks_the_database_as_often_for_many_bots_as_for_one(ada: User, anonymous: Client) -> None:
    for name in ("one", "two", "three"):
        accepted_bot(ada, name)
    with CaptureQueriesContext(connection) as asked:
        anonymous.get("/bots/")
    found = [one["sql"] for one in asked if "sitenotice" not in one["sql"]]
    assert len(found) == 4, "the stamps, the count, the page, its co-owners"


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
    page = "/bots/adas-first/versions/1/"
    asks_again = f'hx-get="{page}check/" hx-trigger="every 1s"'
    assert asks_again in as_ada.get(page).content.decode()
    checks.claim_check(version.pk)
    assert asks_again in as_ada.get(f"{page}check/").content.decode()
    judge(version, True, "A game against itself ended by win after 312 plies.")
    part = as_ada.get(f"{page}check/").content.decode()
    assert "hx-trigger" not in part
    assert "ended by win after 312 plies." in part


def test_no_deed_is_done_by_a_link(ada: User, as_ada: Client) -> None:
    new_bot(ada)
    for address in (
        *("/bots/adas-first/withdraw/", "/bots/adas-first/restore/", "/bots/adas-first/versions/1/activate/"),
        *("/bots/account/tokens/", "/bots/account/delete/"),
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
