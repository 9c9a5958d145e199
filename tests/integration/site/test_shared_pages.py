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
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.games.claims import release
from tournaments.models import Attempt, Game, Tournament
from tournaments.pairing.progress import cancel_tournament, pause_tournament
from tournaments.ratings.ratings import compute_ratings

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def a_tournament() -> Tournament:
    """A running one of two bots of Ada's."""
    ada = author("ada")
    return running(ada, entrants(ada, 2), pairs=2, name="Cup")


def page(path: str = "/") -> str:
    """What somebody who is not signed in sees."""
    return Client().get(path).content.decode()


def without_ages(text: str) -> str:
    """A page without what it says about the present: while two are compared a second may pass."""
    # Nor with the marks against forgery, which differ in every answer.
    text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text)
    return re.sub(r"finished, \d+|\bnow\b|(a|\d+)\W(second|minute)s?(\W+ago)?", "", text)


def test_the_second_visitor_costs_one_query() -> None:
    tournament = a_tournament()
    address = tournament.get_absolute_url()
    first = page(address)
    with CaptureQueriesContext(connection) as queries:
        assert page(address) == first
    assert [query["sql"].partition(" ")[0] for query in queries] == ["SELECT"]


def rename_with_sql() -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE bots_bot SET name = 'Renamed' WHERE name = 'ada bot 1'")


def rename_in_bulk() -> None:
    found = list(Bot.objects.filter(name="ada bot 1"))
    for bot in found:
        bot.name = "Renamed"
    Bot.objects.bulk_update(found, ["name"])


def rename_in_the_admin() -> None:
    client = Client()
    sign_in_operator(client)
    bot = Bot.objects.get(name="ada bot 1")
    kinds = ("versions", "active_versions", "co_owners", "deeds")
    inline = {f"{one}-{count}_FORMS": "0" for one in kinds for count in ("TOTAL", "INITIAL")}
    form = {**inline, "name": "Renamed", "slug": bot.slug, "owner": bot.owner_id, "open_to_all": "on"}
    answer = client.post(reverse("admin:bots_bot_change", args=[bot.pk]), form)
    assert answer.status_code == 302, answer.context["errors"]


@pytest.mark.parametrize(
    "rename",
    [
        lambda: Bot.objects.filter(name="ada bot 1").update(name="Renamed"),
        rename_with_sql,
        rename_in_bulk,
        rename_in_the_admin,
    ],
)
def test_a_page_shows_what_was_written_by_whatever_way(rename: Callable[[], Any]) -> None:
    tournament = a_tournament()
    assert "ada bot 1" in page(tournament.get_absolute_url())
    rename()
    assert "Renamed" in page(tournament.get_absolute_url())


def test_every_step_of_a_tournament_shows_at_once_on_every_page() -> None:
    tournament = a_tournament()
    bot = Bot.objects.get(name="ada bot 1")
    held = lease()

    def rename_owner() -> None:
        get_user_model().objects.update(username="augusta")

    steps: list[Callable[[], Any]] = [
        lambda: release(held, Attempt.Cause.RESTARTED),
        play_one,
        play_one,
        lambda: compute_ratings("crapaud"),
        lambda: bots.edit_bot(bot, bots.BotDetails("Another", description="new", open_to_all=True)),
        rename_owner,
        lambda: pause_tournament(tournament),
        lambda: bots.withdraw_bot(bot),
        lambda: cancel_tournament(tournament),
    ]
    pages = [
        "/",
        reverse("tournaments:list"),
        tournament.get_absolute_url(),
        reverse("tournaments:live", args=[tournament.slug]),
        reverse("leaderboard", args=["crapaud"]),
        reverse("games:list"),
        reverse("games:tv"),
        Game.objects.get(pk=held.game).get_absolute_url(),
        bot.get_absolute_url(),
        reverse("tournaments:bot-panel", args=[bot.slug]),
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


def test_a_browser_gets_304_until_the_page_changes() -> None:
    address = a_tournament().get_absolute_url()
    first = Client().get(address)
    assert first["Cache-Control"] == "no-cache"
    assert "Cookie" in first["Vary"]
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Content-Security-Policy"] == first["Content-Security-Policy"]
    rename_with_sql()
    assert Client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_signed_in_users_have_pages_of_their_own() -> None:
    tournament = a_tournament()
    page(tournament.get_absolute_url())
    client = Client()
    client.force_login(author("bob"))
    own = client.get(tournament.get_absolute_url())
    assert "bob" in own.content.decode()
    assert "ETag" not in own
    assert "bob" not in page(tournament.get_absolute_url())


def test_signed_in_users_share_pages_that_look_the_same_to_everyone() -> None:
    tournament = a_tournament()
    play_one()
    game = Game.objects.filter(status=Game.Status.FINISHED).get()
    ada, bob = Client(), Client()
    ada.force_login(get_user_model().objects.get(username="ada"))
    bob.force_login(author("bob"))
    for path in ("/", tournament.get_absolute_url(), game.get_absolute_url(), reverse("leaderboard")):
        page(path)
        shared = [client.get(path).content.decode() for client in (ada, bob)]
        clear_shelves()
        for client, seen in zip((ada, bob), shared, strict=True):
            with pytest.MonkeyPatch.context() as alone:
                alone.setattr(shared_pages, "_has_message", lambda request: True)
                assert without_ages(client.get(path).content.decode()) == without_ages(seen), path
    with CaptureQueriesContext(connection) as queries:
        assert "bob" in bob.get("/").content.decode()
        bob.get("/")
    assert len(queries) < 30
    with CaptureQueriesContext(connection) as queries:
        zipped = bob.get("/", headers={"Accept-Encoding": "gzip"})
    assert zipped["Content-Encoding"] == "gzip"
    assert len(queries) == 6  # the session, the user, the bell, the stamps, the own bots, the followed ones


def test_what_an_owner_may_do_stands_in_a_page_that_is_shared_otherwise() -> None:
    tournament = a_tournament()
    address = tournament.get_absolute_url()
    ada, bob = Client(enforce_csrf_checks=True), Client()
    ada.force_login(get_user_model().objects.get(username="ada"))
    bob.force_login(author("bob"))
    page(address)
    with CaptureQueriesContext(connection) as queries:
        seen = ada.get(address).content.decode()
    # The session, the user, what is theirs, its announcements, the bell, the stamps.
    assert len(queries) == 6
    assert 'value="pause"' in seen
    others = bob.get(address).content.decode()
    assert "Copy with new deals" in others
    assert 'value="pause"' not in others
    assert "Copy with new deals" not in page(address)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', seen)
    assert token is not None
    deed = {"action": "pause", "csrfmiddlewaretoken": token[1]}
    assert ada.post(f"{address}action/", deed).status_code == 302
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.PAUSED


def test_a_draft_says_to_each_what_they_may_enter() -> None:
    ada = author("ada")
    draft = create_tournament(NewTournament("Draft", tuple(one.pk for one in entrants(ada, 2))), ada)
    client = Client()
    client.force_login(ada)
    page(draft.get_absolute_url())
    assert 'value="start"' in client.get(draft.get_absolute_url()).content.decode()


def test_a_message_is_shown_to_whom_it_was_meant_for_alone() -> None:
    tournament = a_tournament()
    stranger = Client()
    stranger.force_login(author("bob"))
    leave = reverse("tournaments:leave", args=[tournament.slug, 1])
    assert stranger.post(leave).status_code == 302
    words = "can remove a version"
    assert words not in page()
    assert words in stranger.get("/").content.decode()
    assert words not in page()


def test_a_page_that_reads_what_has_no_stamp_is_made_each_time() -> None:
    made = []

    @shared_page()
    def view(request: object) -> HttpResponse:
        made.append(Attempt.objects.count())
        return HttpResponse("x")

    for _ in range(2):
        request = RequestFactory().get("/")
        request.user, request.session = AnonymousUser(), SessionStore()
        view(request)
    assert len(made) == 2


def test_a_page_about_the_present_is_rebuilt_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [100.0]
    monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda: clock[0])
    one = Kept(frozenset(), 0, clock[0] + 1, b"", {}, "", checked=clock[0])
    assert one.is_fresh({})
    clock[0] += 1
    assert not one.is_fresh({})


@pytest.mark.parametrize(("before", "made"), [(True, ["of the visitor"]), (False, [])])
def test_whoever_waited_gets_what_was_made_since_they_asked(
    monkeypatch: pytest.MonkeyPatch, before: bool, made: list[str]
) -> None:
    a_tournament()
    seen: list[str] = []

    def body_of(name: str) -> str:
        @shared_page()
        def view(request: object) -> HttpResponse:
            Bot.objects.count()
            seen.append(name)
            return HttpResponse(name)

        request = RequestFactory().get("/")
        request.user, request.session = AnonymousUser(), SessionStore()
        answer = view(request)
        assert isinstance(answer, HttpResponse)
        return answer.content.decode()

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
    assert body_of("of the visitor") == (made[0] if made else "of another")
    assert seen == made


def test_thought_up_queries_push_out_no_page_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "_most", 50_000)
    first = page("/rules/")
    for number in range(20):
        page(f"/rules/?{number}")
    assert asked.bytes <= 50_000 < 20 * len(first)
    with CaptureQueriesContext(connection) as queries:
        assert page("/rules/") == first
    assert len(queries) == 1
    assert plain.bytes >= len(first)


def test_a_part_of_pages_is_read_once_until_its_tables_change() -> None:
    read: list[int] = []
    a_tournament()

    @shared_value
    def bots_known(least: int) -> int:
        read.append(least)
        return Bot.objects.filter(pk__gte=least).count()

    def make(view_of: Callable[[], int]) -> int:
        @shared_page()
        def view(request: object) -> HttpResponse:
            return HttpResponse(str(view_of()))

        clear_shelves()
        request = RequestFactory().get("/")
        request.user, request.session = AnonymousUser(), SessionStore()
        body = view(request)
        assert isinstance(body, HttpResponse)
        (made,) = plain.pages()
        assert made.tables == {"bots_bot"}, "the page depends on what its part was read from"
        return int(body.content)

    assert [make(lambda: bots_known(0)) for _ in range(3)] == [2, 2, 2]
    assert read == [0]
    rename_with_sql()
    assert make(lambda: bots_known(0)) == 2
    assert make(lambda: bots_known(10**9)) == 0
    assert read == [0, 0, 10**9]


def test_a_part_of_pages_is_read_each_time_elsewhere() -> None:
    read: list[int] = []

    @shared_value
    def bots_known() -> int:
        read.append(1)
        return Bot.objects.count()

    assert bots_known() == bots_known() == 0
    assert len(read) == 2


def test_a_full_cache_drops_the_least_recently_used_page() -> None:
    small = Shelf(most=10)
    for name in ("a", "b"):
        small.keep((name,), Kept(frozenset(), 0, float("inf"), b"12345", {}, name, checked=0))
    assert small.find(("a",), {}, 0) is not None
    small.keep(("c",), Kept(frozenset(), 0, float("inf"), b"12345", {}, "c", checked=0))
    assert [bool(small.find((name,), {}, 0)) for name in ("a", "b", "c")] == [True, False, True]
