"""A shared page is made once, is never older than the database, and has everybody's own forms."""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.backends.signed_cookies import SessionStore as SignedSession
from django.db import connection, connections, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from pytest_django import Settings

from arena.web.cache import pages as shared_pages
from arena.web.cache import values, versions
from arena.web.cache.pages import TOKEN, Kept, Shelf, asked, plain, shared_by_strangers, shared_page
from arena.web.cache.values import shared_value
from arena.web.http.handler import Pages
from bots import bots
from bots.models import Bot, Version
from tests.factories.accounts import PASSWORD, author, sign_in_operator
from tests.factories.bots import accepted_bot
from tests.factories.friendlies import sit_down
from tests.factories.results import lease, play_one
from tests.factories.tournaments import entrants, running
from tests.racing import at_once
from tests.shelves import clear_shelves
from tournaments.games.attempts import release
from tournaments.models import Attempt, Game, Tournament
from tournaments.pairing.progress import cancel_tournament, pause_tournament
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db


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


@pytest.mark.each_database
def test_a_page_costs_one_query_and_shows_what_was_written_by_whatever_way(cup: Tournament) -> None:
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


def test_every_step_of_a_tournament_shows_at_once_on_every_page(
    monkeypatch: pytest.MonkeyPatch, cup: Tournament
) -> None:
    # No page is made again for its age.
    monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda: 100.0)
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


@pytest.mark.each_database
def test_a_part_of_pages_is_read_once_until_its_tables_change(cup: Tournament) -> None:
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
    clock[0] += 1.1
    assert "Renamed" in page(address)


@pytest.mark.django_db(transaction=True)
def test_of_strangers_who_come_often_none_waits_until_a_page_is_made(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SHARED_PAGES_SECONDS = 1.0
    ada, clock, site = author("ada"), [100.0], Pages(1)
    address = running(ada, entrants(ada, 2), pairs=2, name="Cup").get_absolute_url()
    monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda: clock[0])
    first = page(address)
    rename_with_sql()
    clock[0] += 1.9
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": address, "query_string": b""}
    scope |= {"headers": [(b"host", b"testserver")], "client": ("192.0.2.1", 1)}

    async def visit() -> str:
        ends: Any = ApplicationCommunicator(site, scope)  # type: ignore[no-untyped-call]
        await ends.send_input({"type": "http.request", "body": b"", "more_body": False})
        await ends.receive_output(timeout=30)
        body = (await ends.receive_output(timeout=30))["body"]
        await ends.wait(timeout=30)
        return str(body.decode())

    try:
        assert asyncio.run(visit()) == first, "this one gets what is there"
        site._renewal.submit(connections.close_all).result()
        with CaptureQueriesContext(connection) as queries:
            assert "Renamed" in page(address), "and the next one what was made since"
        assert not queries
    finally:
        site._pool.submit(connections.close_all).result()
        site._pool.shutdown()
        site._renewal.shutdown()


@pytest.mark.django_db(transaction=True)
def test_what_was_read_for_one_page_says_of_others_that_they_are_as_they_were(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SHARED_PAGES_SECONDS = 1.0
    ada, clock = author("ada"), [100.0]
    running(ada, entrants(ada, 2), pairs=2, name="Cup")
    monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda: clock[0])
    first = page("/bots/")
    clock[0] += 0.9
    page("/rules/")  # for which it is read what was written until now
    clock[0] += 0.05
    rename_with_sql()
    clock[0] += 0.9
    with CaptureQueriesContext(connection) as queries:
        assert page("/bots/") == first
    assert not queries
    clock[0] += 1.1
    assert (page("/bots/") == first, "Renamed" in page("/bots/")) == (False, True)


PLAY, LOGIN, SIGN_UP = "/play/", "/accounts/login/", "/accounts/signup/"
FIELD = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def opponent() -> Version:
    """A bot of the house, against which anybody may play."""
    version = accepted_bot(author("owner"), "Planner")
    Bot.objects.filter(pk=version.bot_id).update(owner=None, is_house=True)
    return version


@pytest.mark.parametrize(("path", "queries"), [(PLAY, 1), (LOGIN, 2), (SIGN_UP, 2)])
def test_strangers_share_a_page_but_not_its_tokens(opponent: Version, path: str, queries: int) -> None:
    first = page(path)
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(path)
    # The stamps, and whether the site takes new accounts.
    assert len(asked) == queries
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    second = answer.content.decode()
    assert FIELD.sub("", first) == FIELD.sub("", second)
    assert FIELD.findall(first)
    assert not set(FIELD.findall(first)) & set(FIELD.findall(second))
    assert TOKEN not in first + second


def test_a_token_holds_for_whom_it_was_given_to_alone() -> None:
    author("ada")
    page(LOGIN)
    ada, eve = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    (token,) = FIELD.findall(ada.get(LOGIN).content.decode())
    eve.get(LOGIN)
    secret = ada.cookies[settings.CSRF_COOKIE_NAME].value
    ada.get(SIGN_UP)
    assert ada.cookies[settings.CSRF_COOKIE_NAME].value == secret, "a visitor keeps the secret in the cookie"
    form = {"login": "ada", "password": PASSWORD, "csrfmiddlewaretoken": token}
    assert eve.post(LOGIN, form).status_code == 403
    assert ada.post(LOGIN, form).status_code == 302


@shared_by_strangers()
@never_cache
def a_form(request: HttpRequest) -> HttpResponse:
    return HttpResponse("<form></form>")


def test_a_kept_page_is_as_private_as_its_view_made_it(rf: RequestFactory) -> None:
    for _ in range(2):
        request = rf.get("/a-form/")
        request.user, request.session = AnonymousUser(), SignedSession()
        assert a_form(request)["Cache-Control"] == "private, no-store"


def test_what_is_of_one_visitor_stands_in_their_page_alone(opponent: Version) -> None:
    assert 'value="/bots/new/"' in page(f"{LOGIN}?next=/bots/new/")
    assert 'value="/bots/new/"' not in page(LOGIN)
    answer = Client().get(LOGIN, headers={"Accept": "application/json"})
    assert answer["Content-Type"] == "application/json"
    assert "<html" in page(LOGIN)
    page(PLAY)
    guest, ada = Client(), Client()
    address = sit_down(guest, opponent).get_absolute_url()
    assert address in guest.get(PLAY).content.decode()
    assert address not in page(PLAY)
    ada.force_login(author("ada"))
    assert "ada" in ada.get(PLAY).content.decode()
    assert ada.get(LOGIN).status_code == 302


def names() -> set[tuple[str, str]]:
    """Each of our triggers that is there, with its table."""
    return {(table, name) for table, found in versions._triggers(connection).items() for name in found}


@pytest.mark.each_database
def test_triggers_that_are_lost_or_of_other_columns_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = names()
    lost = sorted(whole)[:3]
    with connection.cursor() as cursor:
        for table, name in lost:
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{on}")
    assert len(lost) == len(whole - names()) == 3
    for _ in range(2):
        versions.install("default")
        assert names() == whole
    monkeypatch.setitem(versions.UNSHOWN, "tournaments_tournament", frozenset({"served_at", "note"}))
    versions.install("default")
    gone, new = whole - names(), names() - whole
    assert [table for table, _ in gone] == [table for table, _ in new] == ["tournaments_tournament"]


@pytest.mark.each_database
def test_what_is_undone_or_shown_on_no_page_leaves_no_stamp() -> None:
    before = versions.read()
    with transaction.atomic():
        author("eve")
        assert versions.read()["accounts_user"] == before["accounts_user"] + 1
        transaction.set_rollback(True)
    assert versions.read() == before
    ada = author("ada")
    cup = running(ada, entrants(ada, 2), pairs=2)

    def written(**values: object) -> bool:
        before = versions.read()["tournaments_tournament"]
        Tournament.objects.filter(pk=cup.pk).update(**values)
        return versions.read()["tournaments_tournament"] != before

    assert not written(served_at=timezone.now())
    assert written(note="seen")
    assert written(served_at=timezone.now(), note="seen too")


@pytest.mark.each_database
@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_a_stamp_and_none_is_lost() -> None:
    users = author("ada"), author("bob")
    before = versions.read()["accounts_user"]
    together = threading.Barrier(2, timeout=10)

    def write(key: int) -> None:
        with transaction.atomic():
            get_user_model().objects.filter(pk=key).update(first_name="x")
            if connection.vendor == "postgresql":
                # Both have written and neither is committed. SQLite has one writer at a time.
                together.wait()

    at_once(*(lambda key=user.pk: write(key) for user in users))
    assert versions.read()["accounts_user"] == before + 2
