"""Pages come in the language of their reader, and caches tell languages apart."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import polib
import pytest
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import get_language, gettext_lazy

from arena.accounts.models import User
from arena.notices.models import Kind, Notice
from arena.notices.sending import tell
from arena.web.cache.pages import asked, plain
from arena.web.cache.values import kept_for
from arena.web.i18n import scripts
from arena.web.i18n.readers import say_in
from tests.factories.accounts import author
from tests.factories.tournaments import rivals, running
from tournaments.models import Game, Pair, Tournament
from tournaments.pairing.pairs import void_pair

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db
FOUR = [("en-gb", "English"), ("fr", "Français"), ("it", "Italiano"), ("pt-br", "Português")]
HERE = {"Origin": "http://testserver"}


@pytest.fixture(autouse=True)
def all_four(settings: Any) -> Iterator[None]:
    """Offer every language, translated or not."""
    settings.LANGUAGES = FOUR
    scripts.script.cache_clear()
    scripts._digest.cache_clear()
    yield
    scripts.script.cache_clear()
    scripts._digest.cache_clear()


def spoken(answer: Answer) -> str:
    """The language that a page says it is in."""
    found = re.search(r'<html lang="([\w-]+)">', answer.content.decode())
    assert found is not None
    if "Content-Language" in answer:
        assert answer["Content-Language"] == found[1]
    return found[1]


def read(client: Client, path: str = "/rules/", accepts: str = "") -> Answer:
    return client.get(path, headers={"Accept-Language": accepts})


def choose(client: Client, code: str, **more: str) -> Answer:
    return client.post("/language/", {"language": code, **more}, headers=HERE)


@pytest.mark.parametrize(
    ("accepts", "language"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("fr-CH,de;q=0.9", "fr"),
        ("de,it;q=0.8,en;q=0.5", "it"),
        ("pt", "pt-BR"),
        ("pt-PT,pt;q=0.9", "pt-BR"),
        ("en-US,fr;q=0.9", "en"),
        ("ja", "en"),
        ("*", "en"),
        ("../../etc/passwd", "en"),
        ("fr;q=NaN,,;;,it;q=-1", "en"),
        ("\x7f é fr", "en"),
        ("fr," * 5000, "fr"),
        ("x-" * 4000, "en"),
    ],
)
def test_a_page_is_in_the_language_that_the_browser_asks_for(accepts: str, language: str) -> None:
    answer = read(Client(), accepts=accepts)
    assert spoken(answer) == language
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", answer["Vary"]))


def test_strange_languages_make_no_more_pages_to_keep() -> None:
    for number in range(50):
        read(Client(), accepts=f"q{number}, x{number}-Y")
    assert len(plain.pages()) == 1
    assert not asked.pages()


def test_a_choice_lasts_and_leads_back() -> None:
    client = Client()
    answer = choose(client, "it", next="/rules/?x=1")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?x=1")
    assert spoken(read(client, accepts="fr")) == "it"
    choose(client, "fr")
    assert spoken(read(client)) == "fr"


def test_the_page_that_a_choice_was_made_on_is_known_by_its_address() -> None:
    answer = Client().post(
        "/language/",
        {"language": "fr"},
        headers={"Origin": "http://testserver", "Referer": "http://testserver/bots/?page=2"},
    )
    assert answer["Location"] == "/bots/?page=2"


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/language/",
        "http:///x",
    ],
)
def test_a_choice_leads_nowhere_else(address: str) -> None:
    assert choose(Client(), "fr", next=address)["Location"] == "/"


@pytest.mark.parametrize("code", ["", "xx", "fr-CH", "en", "../fr", "f" * 9000])
def test_a_language_that_is_not_there_changes_nothing(code: str) -> None:
    client = Client()
    answer = choose(client, code)
    assert answer.status_code == 422
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_another_site_cannot_choose(headers: dict[str, str]) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/language/", {"language": "fr"}, headers=headers)
    assert answer.status_code == 403
    assert settings.LANGUAGE_COOKIE_NAME not in client.cookies


def test_whoever_sends_no_origin_chooses_on_a_page_of_its_own() -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get("/language/").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token is not None
    client.post("/language/", {"language": "fr", "csrfmiddlewaretoken": token[1]})
    assert spoken(read(client)) == "fr"


def test_an_account_keeps_its_language_and_tells_it_to_every_browser() -> None:
    ada = author("ada")
    first, second = Client(), Client()
    first.force_login(ada)
    second.force_login(ada)
    choose(first, "pt-br")
    ada.refresh_from_db()
    assert ada.language == "pt-br"
    second.cookies[settings.LANGUAGE_COOKIE_NAME] = "it"
    assert spoken(read(second, accepts="fr")) == "pt-BR"
    assert spoken(read(second, "/bots/account/", accepts="fr")) == "pt-BR"
    assert spoken(read(Client(), accepts="fr")) == "fr"


def test_an_account_whose_language_is_no_longer_offered_gets_another() -> None:
    ada = author("ada")
    User.objects.filter(pk=ada.pk).update(language="de")
    client = Client()
    client.force_login(ada)
    assert spoken(read(client, accepts="it")) == "it"


def test_whoever_signs_up_keeps_the_language_in_which_they_did() -> None:
    password = "four houses and a reserve"
    form = {"username": "ada", "password1": password, "password2": password}
    answer = Client().post("/accounts/signup/", form, headers={"Accept-Language": "fr-FR"})
    assert answer.status_code == 302
    assert User.objects.get().language == "fr"


def test_a_page_of_one_language_is_not_taken_for_another() -> None:
    tags: dict[str, str] = {}
    for code in ("fr", "it", "en", "fr"):
        answer = read(Client(), accepts=code)
        assert spoken(answer) == code
        assert tags.setdefault(code, answer["ETag"]) == answer["ETag"]
    assert len(set(tags.values())) == 3
    both = {"If-None-Match": tags["fr"]}
    assert Client().get("/rules/", headers={**both, "Accept-Language": "fr"}).status_code == 304
    assert Client().get("/rules/", headers={**both, "Accept-Language": "it"}).status_code == 200


def test_a_kept_page_costs_one_query_in_any_language() -> None:
    for code in ("fr", "it"):
        read(Client(), accepts=code)
        with CaptureQueriesContext(connection) as queries:
            read(Client(), accepts=code)
        assert len(queries) == 1


def test_what_is_kept_for_a_while_is_kept_for_each_language() -> None:
    @kept_for(60)
    def spoken_now() -> str | None:
        return get_language()

    assert [say_in(_Late(spoken_now), code) for code in ("fr", "it", "fr")] == ["fr", "it", "fr"]


class _Late(str):
    """A text that is made when it is read."""

    def __new__(cls, make: object) -> _Late:
        made = super().__new__(cls)
        made.make = make  # type: ignore[attr-defined]
        return made

    def __str__(self) -> str:
        return str(self.make())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/api/v1/bots", "/health", "/games/nothing.json", "/worker.js"]
)
def test_what_programs_read_is_english(path: str) -> None:
    def body(accepts: str) -> bytes:
        answer = read(Client(), path, accepts)
        assert "Content-Language" not in answer
        return re.sub(rb"[\d.]+|[0-9a-f-]{20,}", b"", answer.content)

    assert body("fr") == body("en")


def test_files_with_words_for_a_page_speak_its_language() -> None:
    path = "/rules/crapette/example.json"
    names = {
        accepts: read(Client(), path, accepts).json()["seats"][0]["bot"] for accepts in ("en", "fr", "pt-BR")
    }
    assert names == {"en": "Player 1", "fr": "Joueur 1", "pt-BR": "Jogador 1"}
    assert "Accept-Language" in read(Client(), path, "fr")["Vary"]


def test_the_words_of_scripts_are_kept_for_ever_and_are_never_of_another_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code in ("fr", "it"):
        folder = tmp_path / code / "LC_MESSAGES"
        folder.mkdir(parents=True)
        one = polib.POFile()
        one.append(polib.POEntry(msgid="Start", msgstr=f"Start ({code})"))
        one.save_as_mofile(str(folder / "djangojs.mo"))
    monkeypatch.setattr(scripts, "FOLDER", tmp_path)
    scripts.script.cache_clear()
    scripts._digest.cache_clear()
    assert "/words/" not in read(Client()).content.decode()
    for code in ("fr", "it"):
        page = read(Client(), accepts=code).content.decode()
        found = re.search(r'<script src="(/words/[\w.-]+)" defer>', page)
        assert found is not None
        # Before the modules, which run in the order of the page.
        assert page.index(found[0]) < page.index('<script type="module"')
        answer = read(Client(), found[1], accepts="en")
        assert answer.status_code == 200
        assert "immutable" in answer["Cache-Control"]
        words = answer.content.decode().removeprefix("globalThis.words=").removesuffix(";\n")
        assert json.loads(words)["Start"] == f"Start ({code})"


@pytest.mark.parametrize("path", ["/words/fr.0123456789ab.js", "/words/xx.0.js", "/words/en-gb.0.js"])
def test_words_that_are_not_there_are_not_found(path: str) -> None:
    assert Client().get(path).status_code == 404


def test_a_refusal_is_in_the_language_of_its_reader() -> None:
    answer = Client().get("/rules/?x=%00", headers={"Accept-Language": "it"})
    assert answer.status_code == 400
    assert spoken(answer) == "it"


def test_a_form_says_what_is_wrong_in_the_language_of_its_reader() -> None:
    answer = Client().post("/accounts/signup/", {"username": ""}, headers={"Accept-Language": "fr"})
    assert "Ce champ est obligatoire." in answer.content.decode()


def test_people_are_told_in_their_own_languages() -> None:
    people = {code: author(name) for code, name in (("fr", "ada"), ("it", "bob"), ("", "cleo"))}
    for code, user in people.items():
        User.objects.filter(pk=user.pk).update(language=code)
    # A text that Django itself has in all languages.
    text = gettext_lazy("This field is required.")
    tell([user.pk for user in people.values()], Kind.CHECKED, "once", text, "/")
    told = {user: Notice.objects.get(user=user).text for user in people.values()}
    assert told[people["fr"]] == "Ce champ est obligatoire."
    assert told[people["it"]] == "Questo campo è obbligatorio."
    assert told[people[""]] == "This field is required."
    assert not mail.outbox


@pytest.mark.parametrize("code", ["fr", "it", "pt-br"])
def test_a_finished_game_has_another_gender_than_a_finished_tournament(code: str) -> None:
    game, tournament = Game.Status.FINISHED.label, Tournament.Status.FINISHED.label
    assert say_in(game, code) != say_in(tournament, code)


def test_a_void_game_is_told_in_a_word_for_its_state() -> None:
    running(None, rivals(2), pairs=1)
    void_pair(Pair.objects.get(), "again")
    game = Game.objects.filter(status="void")[0]
    page = read(Client(), game.get_absolute_url(), accepts="it").content.decode()
    told = re.sub(r"<[^>]+>", "", page[page.index("Questa partita è ") :][:300])
    assert told.startswith("Questa partita è annullata e non conta.")
