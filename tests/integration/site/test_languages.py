"""Pages come in the language and the time zone of their reader, and caches tell them apart."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import gettext_lazy

from arena.accounts.models import User
from arena.notices.models import Kind, Notice
from arena.notices.sending import tell
from arena.web.cache.pages import asked, plain
from arena.web.i18n import scripts
from arena.web.i18n.readers import ZONE_COOKIE
from tests.factories.accounts import PASSWORD, author
from tests.factories.tournaments import draft, rivals
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


FOUR = [("en-gb", "English"), ("fr", "Français"), ("it", "Italiano"), ("pt-br", "Português")]
EVIL = "https://evil.example"


@pytest.fixture(autouse=True)
def all_four(settings: Any) -> Iterator[None]:
    settings.LANGUAGES = FOUR
    forget_scripts()
    yield
    forget_scripts()


def forget_scripts() -> None:
    scripts.script.cache_clear()
    scripts._digest.cache_clear()


def spoken(answer: Any) -> str:
    found = re.search(r'<html lang="([\w-]+)">', answer.content.decode())
    assert found is not None
    assert answer.get("Content-Language", found[1]) == found[1]
    return found[1]


def read(client: Client, path: str = "/rules/", accepts: str = "", **more: str) -> Any:
    return client.get(path, headers={"Accept-Language": accepts, **more})


def choose(client: Client, code: str, **more: str) -> Any:
    return client.post("/language/", {"language": code, **more}, headers={"Origin": "http://testserver"})


def test_a_page_is_in_the_language_that_the_browser_asks_for() -> None:
    for accepts, language in (
        ("", "en"),
        ("fr-CH,de;q=0.9", "fr"),
        ("de,it;q=0.8,en;q=0.5", "it"),
        ("pt", "pt-BR"),
        ("en-US,fr;q=0.9", "en"),
        ("../../etc/passwd", "en"),
        ("fr;q=NaN,,;;,it;q=-1", "en"),
    ):
        answer = read(Client(), accepts=accepts)
        assert spoken(answer) == language, accepts[:50]
        assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", answer["Vary"]))
    # Strange languages make no more pages to keep.
    before = len(plain.pages())
    for number in range(20):
        read(Client(), accepts=f"q{number}, x{number}-Y")
    assert (len(plain.pages()), list(asked.pages())) == (before, [])


def test_a_choice_lasts_and_leads_back_and_nowhere_else() -> None:
    client = Client()
    answer = choose(client, "it", next="/rules/?x=1")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/?x=1")
    assert spoken(read(client, accepts="fr")) == "it"
    choose(client, "fr")
    assert spoken(read(client)) == "fr"
    here = {"Origin": "http://testserver", "Referer": "http://testserver/bots/?page=2"}
    answer = Client().post("/language/", {"language": "fr"}, headers=here)
    assert answer["Location"] == "/bots/?page=2", "the page is known by its address"
    for address in (EVIL, "//evil.example", "/\\evil.example", "javascript:alert(1)", "/language/"):
        assert choose(Client(), "fr", next=address)["Location"] == "/", address
    for code in ("", "xx", "../fr", "f" * 9000):
        client = Client()
        assert choose(client, code).status_code == 422, code
        assert settings.LANGUAGE_COOKIE_NAME not in client.cookies
    for headers in ({}, {"Origin": EVIL}, {"Origin": "null"}):
        client = Client(enforce_csrf_checks=True)
        assert client.post("/language/", {"language": "fr"}, headers=headers).status_code == 403


def test_an_account_keeps_its_language_and_tells_it_to_every_browser() -> None:
    ada, first, second = author("ada"), Client(), Client()
    for client in (first, second):
        client.force_login(ada)
    choose(first, "pt-br")
    ada.refresh_from_db()
    assert ada.language == "pt-br"
    second.cookies[settings.LANGUAGE_COOKIE_NAME] = "it"
    for path in ("/rules/", "/bots/account/"):
        assert spoken(read(second, path, accepts="fr")) == "pt-BR"
    User.objects.filter(pk=ada.pk).update(language="de")
    first.cookies.pop(settings.LANGUAGE_COOKIE_NAME, None)
    assert spoken(read(first, accepts="it")) == "it", "it is no longer offered"
    form = {"username": "bob", "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post("/accounts/signup/", form, headers={"Accept-Language": "fr-FR"}).status_code == 302
    assert User.objects.get(username="bob").language == "fr", "as they signed up"


def test_a_page_of_one_language_is_not_taken_for_another_and_costs_one_query() -> None:
    tags: dict[str, str] = {}
    for code in ("fr", "it", "en", "fr"):
        answer = read(Client(), accepts=code)
        assert spoken(answer) == code
        assert tags.setdefault(code, answer["ETag"]) == answer["ETag"]
    assert len(set(tags.values())) == 3
    for code, status in (("fr", 304), ("it", 200)):
        with CaptureQueriesContext(connection) as queries:
            answer = read(Client(), accepts=code, **{"If-None-Match": tags["fr"]})
        assert (answer.status_code, len(queries)) == (status, 1)


def test_what_programs_read_is_english_and_files_with_words_for_a_page_speak_its_language() -> None:
    def body(path: str, accepts: str) -> bytes:
        answer = read(Client(), path, accepts)
        assert "Content-Language" not in answer
        return re.sub(rb"[\d.]+|[0-9a-f-]{20,}", b"", answer.content)

    for path in ("/api/v1/bots", "/health", "/games/nothing.json"):
        assert body(path, "fr") == body(path, "en"), path
    for accepts, name in (("en", "Player 1"), ("fr", "Joueur 1"), ("pt-BR", "Jogador 1")):
        answer = read(Client(), "/rules/crapette/example.json", accepts)
        assert answer.json()["seats"][0]["bot"] == name
        assert "Accept-Language" in answer["Vary"]


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
    forget_scripts()
    assert "/words/" not in read(Client()).content.decode()
    for code in ("fr", "it"):
        page = read(Client(), accepts=code).content.decode()
        (words,) = re.findall(r'<script src="(/words/[\w.-]+)" defer>', page)
        # Before the modules, which run in the order of the page.
        assert page.index(words) < page.index('<script type="module"')
        answer = read(Client(), words, accepts="en")
        assert (answer.status_code, "immutable" in answer["Cache-Control"]) == (200, True)
        said = answer.content.decode().removeprefix("globalThis.words=").removesuffix(";\n")
        assert json.loads(said)["Start"] == f"Start ({code})"


def test_people_are_told_and_refused_in_their_own_languages() -> None:
    refused = read(Client(), "/rules/?x=%00", "it")
    assert (refused.status_code, spoken(refused)) == (400, "it")
    people = [author(name, language=code) for code, name in (("fr", "ada"), ("it", "bob"), ("", "cleo"))]
    # A text that Django itself has in all languages.
    text = gettext_lazy("This field is required.")
    tell([user.pk for user in people], Kind.CHECKED, "once", text, "/")
    told = [Notice.objects.get(user=user).text for user in people]
    assert told == ["Ce champ est obligatoire.", "Questo campo è obbligatorio.", "This field is required."]


@pytest.fixture
def cup(ada: User) -> Tournament:
    """An event that starts on a day in January, when no clock has summer time in the north."""
    year = timezone.now().year + 1
    starts = datetime(year, 1, 15, 18, 30, tzinfo=UTC)
    cup = draft(ada, rivals(2))
    cup.starts_at, cup.registration_until = starts, starts - timedelta(hours=1)
    cup.save()
    return cup


def test_a_page_has_the_zone_of_the_cookie_then_of_the_account_and_is_kept_for_each(
    client: Client, ada: User, cup: Tournament
) -> None:
    page = cup.get_absolute_url()
    for name, words in (
        ("", "18:30 UTC"),
        ("Asia/Tokyo", "03:30 JST"),
        ("Europe/Rome", "19:30 CET"),
        ("America/Sao_Paulo", "15:30 UTC-03"),
        ("../../etc/passwd", "18:30 UTC"),
    ):
        client.cookies[ZONE_COOKIE] = name
        assert words in client.get(page).content.decode()
        assert words in client.get(page).content.decode()  # from the cache of pages
    client.force_login(ada)
    said = client.post("/accounts/time-zone/", {"time_zone": "Asia/Kolkata"})
    assert said.status_code == 302
    assert "00:00 IST" in client.get(page).content.decode()
    assert client.post("/accounts/time-zone/", {"time_zone": "Mars/Olympus"}).status_code == 400
    client.post("/accounts/time-zone/", {"time_zone": ""})
    client.cookies[ZONE_COOKIE] = "Asia/Tokyo"
    assert "03:30 JST" in client.get(page).content.decode()


def test_a_form_takes_its_zone_and_programs_read_utc(client: Client, ada: User, cup: Tournament) -> None:
    client.force_login(ada)
    client.cookies[ZONE_COOKIE] = "Asia/Tokyo"
    edit = f"{cup.get_absolute_url()}edit/"
    shown = client.get(edit)
    assert "T03:30" in shown.content.decode()
    assert "Your time zone: Asia/Tokyo, JST." in shown.content.decode()
    form = shown.context["form"]
    sent = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    year = timezone.now().year + 1
    sent |= {"closes": f"{year}-01-16T02:30", "starts": f"{year}-01-16T04:30"}
    assert client.post(edit, sent).status_code == 302
    cup.refresh_from_db()
    assert cup.starts_at == datetime(year, 1, 15, 19, 30, tzinfo=UTC)
    told = client.get(f"/api/v1/tournaments/{cup.slug}/").json()
    assert told["starts_at"] == f"{year}-01-15T19:30:00Z"
    calendar = client.get(f"{cup.get_absolute_url()}calendar.ics").content.decode()
    assert f"DTSTART:{year}0115T193000Z" in calendar
