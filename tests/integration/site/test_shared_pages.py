"""A shared page is made once, and is never older than the database, whoever wrote to it."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from arena.web.cache import pages as shared_pages
from arena.web.cache import values
from arena.web.cache.pages import Kept, Shelf, asked, plain, shared_page
from arena.web.cache.values import shared_value
from bots import bots
from bots.models import Bot
from tests.factories.accounts import author, sign_in_operator
from tests.factories.results import lease, play_one
from tests.factories.tournaments import entrants, running
from tests.shelves import clear_shelves
from tournaments.games.attempts import release
from tournaments.models import Attempt, Game, Tournament
from tournaments.pairing.progress import cancel_tournament, pause_tournament
from tournaments.ratings.ratings import compute_ratings

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


@pytest.fixture
def cup() -> Tournament:
    ada = author("ada")
    return running(ada, entrants(ada, 2), pairs=2, name="Cup")


def page(path: str = "/") -> str:
    return Client().get(path).content.decode()


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.get(username=name))
    return client


def made(view: Any) -> str:
    request = RequestFactory().get("/")
    request.user, request.session = AnonymousUser(), SessionStore()
    return str(view(request).content.decode())


def without_ages(text: str) -> str:
    """A page without what it says about the present: while two are compared a second may pass."""
    # Nor with the marks against forgery, which differ in every answer.
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
    return re.sub(r"finished, \d+|\bnow\b|(a|\d+)\W(second|minute)s?(\W+ago)?", "", text)


def rename_with_sql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE bots_bot SET name = 'Renamed' WHERE name = 'ada bot 1'")


def rename_in_the_admin() -> None:
    client = Client()
    sign_in_operator(client)
    bot = Bot.objects.get(name="ada bot 1")
    kinds = ("versions", "active_versions", "co_owners", "audit_log")
    inline = {f"{one}-{count}_FORMS": "0" for one in kinds for count in ("TOTAL", "INITIAL")}
    form = {**inline, "name": "Renamed", "slug": bot.slug, "owner": bot.owner_id, "open_to_all": "on"}
    answer = client.post(reverse("admin:bots_bot_change", args=[bot.pk]), form)
    assert answer.status_code == 302, answer.context["errors"]


def test_a_page_costs_its_second_visitor_one_query_and_shows_what_was_written_by_whatever_way(
    cup: Tournament,
) -> None:
    address = cup.get_absolute_url()
    first = Client().get(address)
    assert (first["Cache-Control"], "Cookie" in first["Vary"]) == ("no-cache", True)
    with CaptureQueriesContext(connection) as queries:
        again = Client().get(address, headers={"If-None-Match": first["ETag"]})
        assert Client().get(address).content == first.content
    assert [query["sql"].partition(" ")[0] for query in queries] == ["SELECT"] * 2
    assert (again.status_code, again.content) == (304, b"")
    assert again["Content-Security-Policy"] == first["Content-Security-Policy"]
    by_row = Bot.objects.filter(name="ada bot 1")
    for rename in (lambda: by_row.update(name="Renamed"), rename_with_sql, rename_in_the_admin):
        assert "ada bot 1" in page(address)
        rename()
        assert "Renamed" in page(address)
        assert Client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200
        Bot.objects.filter(name="Renamed").update(name="ada bot 1")


def test_every_step_of_a_tournament_shows_at_once_on_every_page(cup: Tournament) -> None:
    bot = Bot.objects.get(name="ada bot 1")
    held = lease()
    steps: list[Callable[[], Any]] = [
        lambda: release(held, Attempt.Cause.RESTARTED),
        play_one,
        play_one,
        lambda: compute_ratings("crapaud"),
        lambda: bots.edit_bot(bot, bots.BotDetails("Another", description="new", open_to_all=True)),
        lambda: get_user_model().objects.update(username="augusta"),
        lambda: pause_tournament(cup),
        lambda: bots.withdraw_bot(bot),
        lambda: cancel_tournament(cup),
    ]
    pages = [
        *("/", reverse("tournaments:list"), reverse("games:list"), reverse("games:tv")),
        *(cup.get_absolute_url(), reverse("tournaments:live", args=[cup.slug])),
        *(reverse("leaderboard", args=["crapaud"]), Game.objects.get(pk=held.game).get_absolute_url()),
        *(bot.get_absolute_url(), reverse("tournaments:bot-panel", args=[bot.slug])),
    ]
    for step in steps:
        for path in pages:
            assert "ETag" in Client().get(path), f"{path} is not shared"
        step()
        shown = [without_ages(page(path)) for path in pages]
        clear_shelves()
        values.forget_all()
        for path, seen in zip(pages, shown, strict=True):
            assert seen == without_ages(page(path)), path


def test_signed_in_users_share_pages_that_look_the_same_to_everyone(cup: Tournament) -> None:
    play_one()
    author("bob")
    game = Game.objects.filter(status=Game.Status.FINISHED).get()
    ada, bob = signed_in("ada"), signed_in("bob")
    for path in ("/", cup.get_absolute_url(), game.get_absolute_url(), reverse("leaderboard")):
        page(path)
        answers = [client.get(path) for client in (ada, bob)]
        assert "bob" not in page(path)
        clear_shelves()
        for client, name, seen in zip((ada, bob), ("ada", "bob"), answers, strict=True):
            text = seen.content.decode()
            assert (name in text, "ETag" in seen) == (True, False)
            with pytest.MonkeyPatch.context() as alone:
                alone.setattr(shared_pages, "_has_message", lambda request: True)
                assert without_ages(client.get(path).content.decode()) == without_ages(text), path
    bob.get("/")


def test_what_an_owner_may_do_and_is_told_stands_in_a_page_that_is_shared_otherwise(cup: Tournament) -> None:
    address = cup.get_absolute_url()
    author("bob")
    bob, ada = signed_in("bob"), Client(enforce_csrf_checks=True)
    ada.force_login(get_user_model().objects.get(username="ada"))
    page(address)
    seen = ada.get(address).content.decode()
    assert 'value="pause"' in seen
    others = bob.get(address).content.decode()
    assert ("Copy with new deals" in others, 'value="pause"' in others) == (True, False)
    assert "Copy with new deals" not in page(address)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', seen)
    assert token is not None
    deed = {"action": "pause", "csrfmiddlewaretoken": token[1]}
    assert ada.post(f"{address}action/", deed).status_code == 302
    assert Tournament.objects.get(pk=cup.pk).status == Tournament.Status.PAUSED
    assert bob.post(reverse("tournaments:leave", args=[cup.slug, 1])).status_code == 302
    texts = [client.get("/").content.decode() for client in (Client(), bob, Client())]
    assert ["can remove a version" in text for text in texts] == [False, True, False]


@pytest.mark.parametrize(("before", "by"), [(True, ["of the visitor"]), (False, [])])
def test_whoever_waited_gets_what_was_made_since_they_asked(
    monkeypatch: pytest.MonkeyPatch, cup: Tournament, before: bool, by: list[str]
) -> None:
    seen: list[str] = []

    def body_of(name: str) -> str:
        @shared_page()
        def view(request: object) -> HttpResponse:
            Bot.objects.count()
            seen.append(name)
            return HttpResponse(name)

        return made(view)

    def write() -> None:
        Bot.objects.update(description="new")

    @contextmanager
    def somebody_makes_it(key: tuple[str, ...]) -> Iterator[bool]:
        monkeypatch.undo()
        write()
        if not before:
            body_of("of another")
            write()  # which outdates it already
        seen.clear()
        yield True

    body_of("of another")
    write()
    monkeypatch.setattr(plain, "making", somebody_makes_it)
    assert body_of("of the visitor") == (by[0] if by else "of another")
    assert seen == by


def test_a_part_of_pages_is_read_once_until_its_tables_change_and_elsewhere_each_time(
    cup: Tournament,
) -> None:
    read: list[int] = []

    @shared_value
    def bots_known(least: int) -> int:
        read.append(least)
        return Bot.objects.filter(pk__gte=least).count()

    def shown(least: int) -> int:
        @shared_page()
        def view(request: object) -> HttpResponse:
            return HttpResponse(str(bots_known(least)))

        clear_shelves()
        body = made(view)
        (kept,) = plain.pages()
        assert kept.tables == {"bots_bot"}, "the page depends on what its part was read from"
        return int(body)

    assert [shown(0) for _ in range(3)] == [2, 2, 2]
    assert read == [0]
    rename_with_sql()
    assert [shown(0), shown(10**9)] == [2, 0]
    assert read == [0, 0, 10**9]
    assert bots_known(0) == bots_known(0) == 2
    assert len(read) == 5


def test_what_has_no_stamp_is_made_each_time() -> None:
    @shared_page()
    def view(request: object) -> HttpResponse:
        return HttpResponse(str(Attempt.objects.count()))

    made(view)
    assert plain.pages() == []


def test_pages_are_dropped_by_age_and_for_want_of_room(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Kept(frozenset(), 0, 101.0, b"", {}, "", checked=100.0)
    for now, fresh in ((100.0, True), (101.0, False)):
        monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda now=now: now)
        assert one.is_fresh({}) is fresh
    small = Shelf(most=10)
    for name in "abc":
        small.keep((name,), Kept(frozenset(), 0, float("inf"), b"12345", {}, name, checked=0))
        assert small.find(("a",), {}, 0) is not None
    assert [bool(small.find((name,), {}, 0)) for name in "abc"] == [True, False, True]
    # Queries that somebody thinks up push out no page without one.
    monkeypatch.undo()
    monkeypatch.setattr(asked, "_most", 50_000)
    first = page("/rules/")
    for number in range(20):
        page(f"/rules/?{number}")
    assert asked.bytes <= 50_000 < 20 * len(first)
    with CaptureQueriesContext(connection) as queries:
        assert page("/rules/") == first
    assert len(queries) == 1


def test_strangers_may_get_a_page_of_a_moment_ago_and_whoever_would_notice_does_not(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, cup: Tournament
) -> None:
    settings.SHARED_PAGES_SECONDS = 1.0
    clock = [100.0]
    monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda: clock[0])
    address = cup.get_absolute_url()
    author("bob")
    bob, first = signed_in("bob"), page(address)
    bob.get(address)
    open_pages: list[dict[str, str]] = [{"HX-Request": "true"}, {"Sec-Fetch-Dest": "empty"}]
    rename_with_sql()
    clock[0] += 0.9
    with CaptureQueriesContext(connection) as queries:
        assert page(address) == first
    assert not queries
    assert "Renamed" in bob.get(address).content.decode(), "whoever has a session sees at once what changed"
    for headers in open_pages:
        assert "Renamed" in Client().get(address, headers=headers).content.decode()
    clock[0] += 0.1
    assert "Renamed" in page(address)
