"""The pages of bots as people walk through them, what is their owner's alone, and the kit."""

import io
import zipfile

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.accounts.models import User
from bots import house_bots as house
from bots import uploads
from bots.bots import BotDetails, edit_bot
from bots.errors import BotsError
from bots.models import ActiveVersion, Bot, Token, Version
from bots.pages.docs import FIRST_BOT, PROTOCOL
from bots.pages.docs import kit_archive as make_kit
from people.deletion import delete_account
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import PASSWORD, author, sign_in_operator, token
from tests.factories.bots import accepted_bot, judge, new_bot, python_bot, upload
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running
from tests.shelves import clear_shelves
from tournaments.models import Game

PAGE = "/bots/adas-first/"


def names_on(client: Client, address: str) -> list[str]:
    # A page that was kept was rendered for somebody else and has no context.
    clear_shelves()
    return [bot.name for bot in client.get(address).context["page"]]


@pytest.mark.django_db
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
    # Who plays now, but for games that are hidden.
    event = running(None, rivals(2), pairs=1)
    for change, names in (({}, []), ({"status": "running"}, ["Rival 1", "Rival 2"]), ({"hidden": True}, [])):
        Game.objects.filter(tournament=event).update(**(change or {"hidden": False}))
        assert sorted(names_on(anonymous, "/bots/?playing=1")) == names


@pytest.mark.django_db
def test_the_list_asks_the_database_as_often_for_many_bots_as_for_one(ada: User, anonymous: Client) -> None:
    for name in ("one", "two", "three"):
        accepted_bot(ada, name)
    with CaptureQueriesContext(connection) as asked:
        anonymous.get("/bots/")
    found = [one["sql"] for one in asked if "sitenotice" not in one["sql"]]
    assert len(found) == 4, "the stamps, the count, the page, its co-owners"


@pytest.mark.django_db
def test_a_description_is_never_shown_as_html(ada: User, as_ada: Client, anonymous: Client) -> None:
    accepted_bot(ada)
    as_ada.post("/bots/adas-first/edit/", {"name": "<b>Bold</b>", "description": "<script>alert(1)</script>"})
    for address in ("/bots/", "/bots/adas-first/", "/bots/adas-first/versions/1/"):
        html = anonymous.get(address).content.decode()
        assert "<b>Bold" not in html
        assert "<script>alert" not in html
        assert "&lt;b&gt;Bold" in html


@pytest.mark.django_db
def test_no_deed_is_done_by_a_link(ada: User, as_ada: Client) -> None:
    new_bot(ada)
    bot = "adas-first"
    for path in (f"{bot}/withdraw/", f"{bot}/versions/1/activate/", "account/tokens/", "account/delete/"):
        assert as_ada.get(f"/bots/{path}").status_code == 302
    ada.refresh_from_db()
    assert (Bot.objects.get().withdrawn_at, ada.is_active, Token.objects.count()) == (None, True, 0)


@pytest.mark.django_db
def test_a_token_is_shown_once_and_revoked_by_its_owner(as_ada: Client, as_bob: Client) -> None:
    page = as_ada.post("/bots/account/tokens/", {"name": "laptop"})
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    again = as_ada.get("/bots/account/").content.decode()
    assert (secret in again, "laptop" in again) == (False, True)
    revoke = f"/bots/account/tokens/{Token.objects.get().pk}/revoke/"
    assert as_bob.post(revoke).status_code == 404
    assert Token.objects.get().revoked_at is None
    as_ada.post(revoke)
    assert "laptop</th>" not in as_ada.get("/bots/account/").content.decode()


@pytest.mark.django_db
def test_an_account_is_deleted_with_its_bots_only_by_its_name(ada: User, as_ada: Client) -> None:
    new_bot(ada)
    for name, done in (("Ada", False), ("ada", True)):
        client = Client()
        client.force_login(ada)
        asked = client.post("/bots/account/delete/", {"username": name}).headers["Location"]
        assert asked.startswith("/accounts/reauthenticate/")
        client.post(asked, {"password": "wrong"})
        assert Bot.objects.exists()
        page = client.post(asked, {"password": PASSWORD}, follow=True)
        assert ("Your account has been deleted." in page.content.decode()) is done
        assert Version.objects.exists() is Bot.objects.exists() is not done
        assert User.objects.filter(pk=ada.pk).exists() is not done


HEADLINES = {"crapaud": "1553", "crapette/3": "1414", "vitesse": "1575"}


@pytest.mark.django_db
def test_every_page_shows_the_rating_of_the_most_played_or_the_chosen_board_while_the_bot_plays_there(
    anonymous: Client, as_ada: Client, ada: User
) -> None:
    version = accepted_bot(ada)
    for games, (board, elo) in zip((30, 90, 60), HEADLINES.items(), strict=True):
        rating(version, float(elo), board, games=games, low=float(elo) - 50, high=float(elo) + 50)

    def shown() -> set[str]:
        texts = (
            as_ada.get("/").content.decode().split('class="own__rating"')[1],
            anonymous.get("/people/ada/").content.decode().split(f'href="{PAGE}"')[1],
            anonymous.get(f"/tournaments{PAGE.replace('bots', 'bot-panel')}")
            .content.decode()
            .split("headline")[1],
            f"{anonymous.get(f'/api/v1{PAGE}').json()['headline']['elo']:.0f}",
            f"{anonymous.get('/api/v1/directory/').json()['items'][0]['headline']['elo']:.0f}",
        )
        return {min(HEADLINES.values(), key=lambda elo: (text + elo).index(elo)) for text in texts}

    assert shown() == {"1414"}
    said = {"name": "Ada's first", "open_to_all": "on", "headline_board": "vitesse"}
    assert as_ada.post(f"{PAGE}edit/", said).status_code == 302
    assert shown() == {"1575"}
    ActiveVersion.objects.filter(bot=version.bot, board="vitesse").delete()
    assert shown() == {"1414"}  # it no longer plays on the chosen one
    program = Client(headers={"Authorization": f"Bearer {token(ada)}"})
    for board, status in (("whist", 422), ("crapaud", 200)):
        sent = {"headline_board": board}
        assert program.patch(f"/api/v1{PAGE}", sent, content_type="application/json").status_code == status
    assert shown() == {"1553"}


ADDRESS = "https://git.example/ada/first?tab=<readme>"
LINK = f'<a href="{ADDRESS}" rel="nofollow noopener ugc">{ADDRESS}</a>'.replace("<readme>", "&lt;readme&gt;")


@pytest.mark.django_db
def test_a_homepage_is_a_plain_address_and_hidden_with_its_owner_or_by_moderators(
    anonymous: Client, as_ada: Client, ada: User
) -> None:
    version = accepted_bot(ada)
    bot, staff, why = version.bot, author("mod", is_staff=True), Why("spam", "No.")

    def sent(address: str) -> int:
        return as_ada.post(f"{PAGE}edit/", {"name": bot.name, "homepage": address}).status_code

    def linked() -> bool:
        return LINK in anonymous.get(PAGE).content.decode()

    assert (sent(ADDRESS), linked()) == (302, True)
    for address in (
        *(
            "javascript:alert(1)",
            "data:text/html,x",
            "ftp://git.example/",
            "https://git.example/\u202efdp.exe",
        ),
        *("https://ada:secret@git.example/", "https://arena.example@evil.example/", "https://git.example/ x"),
    ):
        with pytest.raises(BotsError) as refused:
            edit_bot(bot, BotDetails(bot.name, homepage=address))
        assert (refused.value.field, sent(address)) == ("homepage", 422), address
    hidden = decisions.hide(staff, Subject.BOT, bot.pk, ["homepage"], why)
    with pytest.raises(BotsError, match="Moderators made a decision about this text"):
        edit_bot(Bot.objects.get(), BotDetails(bot.name, homepage="https://other.example/"))
    assert "git.example" not in anonymous.get(PAGE).content.decode()
    decisions.lift(staff, hidden, "")
    act = decisions.ban(staff, ada.pk, 3, why)
    assert not linked()
    decisions.lift(staff, act, "")
    assert linked()
    play_all(running(None, [version, *rivals(1)], pairs=1))
    delete_account(ada)
    assert Bot.objects.get(pk=bot.pk).homepage == ""


LOG = "It crashed in seat 1, plainly."
SECRETS = (LOG, "Traceback of Ada", "what Ada's bot said", "a note for Ada", "ada-sent-this.py")
SAID = {"stderr": "Traceback of Ada", "messages": [["from", "what Ada's bot said"]]}
RECORD = {"events": [], "evidence": [{"stderr": "", "messages": []}, SAID]}
SECOND = "/bots/adas-first/versions/2/"


def checked(ada: User, *, accepted: bool) -> Version:
    """A second version of Ada's bot, checked, with everything that is hers to see."""
    bot = accepted_bot(ada).bot
    version = uploads.upload_version(
        bot,
        uploads.Submission(
            upload("two"), "ada-sent-this.py", note="a note for Ada", activate_when_accepted=False
        ),
    )
    judge(version, accepted, LOG, RECORD)
    return version


BOT = "/bots/adas-first/"
OWNERS_PAGES = (f"{BOT}upload/", f"{BOT}edit/", f"{SECOND}source.zip", f"{SECOND}check.json")
OWNERS_DEEDS = (f"{BOT}upload/", f"{BOT}edit/", f"{BOT}withdraw/", f"{BOT}restore/", f"{SECOND}activate/")


@pytest.mark.django_db
def test_what_is_an_owners_is_no_others(ada: User, as_ada: Client, as_bob: Client, anonymous: Client) -> None:
    version = checked(ada, accepted=True)
    for address in OWNERS_PAGES:
        assert as_ada.get(address).status_code == 200, address
        assert as_bob.get(address).status_code == 404, address
        stranger = anonymous.get(address)
        assert stranger.status_code == 302, address
        assert stranger.headers["Location"] == f"/accounts/login/?next={address}"
    for address in OWNERS_DEEDS:
        assert as_bob.post(address, {"name": "Mine now"}).status_code == 404, address
        assert anonymous.post(address, {"name": "Mine now"}).status_code == 302, address
    bot = version.bot
    bot.refresh_from_db()
    assert (bot.name, bot.withdrawn_at, bot.versions.count()) == ("Ada's first", None, 2)
    assert bot.active_version is not None
    assert bot.active_version.number == 1
    page = "/bots/adas-first/"
    for address in (page, f"{page}versions/2/", f"{page}versions/2/check/", "/bots/"):
        for client in (as_bob, anonymous):
            answer = client.get(address)
            assert answer.status_code == 200, address
            assert [secret for secret in SECRETS if secret in answer.content.decode()] == [], address
    source = as_ada.get(f"{page}versions/2/source.zip")
    assert source.headers["Content-Disposition"] == 'attachment; filename="adas-first-v2.zip"'
    assert source.headers["Cache-Control"] == "private, no-store"
    with zipfile.ZipFile(io.BytesIO(source.content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"bot.py": python_bot("two")}


@pytest.mark.django_db
def test_a_version_that_was_not_accepted_is_its_owners_secret(
    ada: User, as_ada: Client, as_bob: Client, anonymous: Client
) -> None:
    version = new_bot(ada)
    for rejected in (False, True):
        if rejected:
            judge(version, False, LOG)
        for address in ("/bots/adas-first/versions/1/", "/bots/adas-first/versions/1/check/"):
            assert as_ada.get(address).status_code == 200
            assert as_bob.get(address).status_code == 404
            assert anonymous.get(address).status_code == 404
        assert "/versions/1/" not in as_bob.get("/bots/adas-first/").content.decode()


@pytest.mark.django_db
def test_the_admin_shows_no_source_no_log_and_changes_no_version(ada: User, anonymous: Client) -> None:
    version = checked(ada, accepted=False)
    sign_in_operator(anonymous)
    rows = {
        "version": version.pk,
        "checkreport": version.check_report.pk,
        "archive": version.sha256,
        "bot": version.bot.pk,
    }
    for address in (*(f"{kind}/{key}/change" for kind, key in rows.items()), *rows, "token"):
        page = anonymous.get(f"/admin/bots/{address}/")
        assert page.status_code == 200, address
        html = page.content.decode()
        for secret in (LOG, "Traceback of Ada", "def choose"):
            assert secret not in html
    for row in ("version", "checkreport", "archive", "token"):
        assert anonymous.get(f"/admin/bots/{row}/add/").status_code == 403
    assert anonymous.post(f"/admin/bots/version/{version.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_kit_has_the_sdk_the_protocol_and_examples_in_every_language(client: Client) -> None:
    answer = client.get("/docs/crapette-kit.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as kit:
        names = set(kit.namelist())
        assert kit.read("crapette-kit/bot.py") == FIRST_BOT.read_bytes()
        assert kit.read("crapette-kit/README.md") == PROTOCOL.read_bytes()
    examples = ("random/bot.py", "planner/bot.py", "random_js/bot.js", "random_c/bot.c", "sampler/ticks.py")
    wanted = ("crapette.py", "remote-client.mjs", *(f"examples/{one}" for one in examples))
    assert {f"crapette-kit/{one}" for one in wanted} <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith("_c/bot")]
    make_kit.cache_clear()
    assert make_kit() == answer.content, "it is the same every time"
