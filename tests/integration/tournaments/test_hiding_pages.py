"""What pages say of an event that hides results, and what operators see of its games."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.models import Version
from tests.factories.accounts import author, sign_in_operator, token
from tests.factories.results import lease, play_all, play_one
from tests.factories.tournaments import rivals, running
from tests.shelves import clear_shelves
from tournaments.models import Entry, Game, HiddenResults, Pair, Tournament, VoidRequest
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.operation import health
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.reveal import reveal, reveal_next

pytestmark = pytest.mark.django_db

ALL, LAST = Hiding(EVERY_ROUND), Hiding(last_rounds=1)


def cup(
    hiding: Hiding = ALL, bots: int = 4, *, among: list[Version] | None = None, **wish: Any
) -> Tournament:
    """A house event with hidden results that has been started."""
    return running(None, among or rivals(bots), hiding=hiding, **{"pairs": 1, **wish})


def page_of(event: Tournament, place: str = "") -> str:
    clear_shelves()
    return Client().get(f"{event.get_absolute_url()}{place}").content.decode()


def stuck_pair() -> Pair:
    with seeing_hidden():
        pair = Pair.objects.select_related("pairing").order_by("pk")[0]
        assert pair.pairing.hidden
        Pair.objects.filter(pk=pair.pk).update(status=Pair.Status.STUCK)
        Game.objects.filter(pair=pair).update(status=Game.Status.VOID)
    return pair


def test_the_queue_says_that_hidden_games_are_played_and_nothing_else_of_them() -> None:
    cup(ALL, 3, name="Secret")
    clear_shelves()
    page = Client().get("/queue/").content.decode()
    assert "It plays games whose results are hidden." in page
    assert "Its next games are being paired." not in page
    bearer = {"Authorization": f"Bearer {token(author())}"}
    told = Client().get("/api/v1/queue/", headers=bearer).json()["tournaments"]
    assert [(one["tournament"], one["hidden"], one["waiting"]) for one in told] == [("secret", True, 0)]


def test_an_event_that_only_waits_for_its_reveal_is_neither_live_nor_in_the_queue() -> None:
    event = cup(LAST, 3, name="Secret")
    assert "chip--live" in page_of(event)
    play_all(event)
    shown = page_of(event)
    assert "waiting for the reveal" in shown
    assert "chip--live" not in shown
    clear_shelves()
    assert "Secret" not in Client().get("/queue/").content.decode()


def test_operators_count_hidden_games() -> None:
    cup(ALL, 3)
    lease()
    assert (health.queue()["queued"], health.queue()["running"]) == (5, 1)
    client = Client()
    sign_in_operator(client)
    assert "hidden results</dt><dd>6</dd>" in client.get("/admin/overview/").content.decode()


def test_a_hidden_pair_that_is_stuck_is_said_to_be_and_an_operator_voids_it() -> None:
    event = cup(ALL, 3)
    pair = stuck_pair()
    assert "1 pair could not be played because of a problem on our side" in page_of(event)
    api = Client(headers={"Authorization": f"Bearer {token(author())}"})
    assert api.get(f"/api/v1/tournaments/{event.slug}/").json()["progress"]["stuck"] == 1
    client = Client()
    sign_in_operator(client)
    address = "/admin/tournaments/pair/"
    assert f"/{pair.pk}/change/" in client.get(address).content.decode()
    client.post(address, {"action": "void_and_rerun", "_selected_action": [pair.pk]})
    with seeing_hidden():
        assert Pair.objects.get(pk=pair.pk).status == Pair.Status.VOID
        assert Pair.objects.filter(number=pair.number, pairing=pair.pairing, run=2).exists()


def test_staff_void_no_hidden_pair_of_their_own_bots() -> None:
    cup(ALL, 3)
    pair, client = stuck_pair(), Client()
    chief = sign_in_operator(client)
    with seeing_hidden():
        bot = pair.pairing.first.version.bot
    type(bot).objects.filter(pk=bot.pk).update(owner=chief)
    client.post("/admin/tournaments/pair/", {"action": "void_and_rerun", "_selected_action": [pair.pk]})
    with seeing_hidden():
        assert Pair.objects.get(pk=pair.pk).status == Pair.Status.STUCK


def test_operators_see_hidden_games_but_not_how_they_ended() -> None:
    cup(ALL, 3)
    game = play_one().game
    client = Client()
    sign_in_operator(client)
    assert str(game) in client.get("/admin/tournaments/game/").content.decode()
    assert "a worker" in client.get("/admin/tournaments/attempt/").content.decode()
    for table in ("result", "record", "evidence", "pairing", "seat"):
        assert str(game) not in client.get(f"/admin/tournaments/{table}/").content.decode()
    for table in ("result", "record", "evidence"):
        assert client.get(f"/admin/tournaments/{table}/{game}/change/").status_code == 302


def test_the_list_of_what_owners_asked_for_says_nothing_of_hidden_pairs() -> None:
    event = cup(ALL, 3)
    VoidRequest.objects.create(pair=stuck_pair(), asked_by=author(), evidence="the host failed")
    clear_shelves()
    assert event.slug not in Client().get("/integrity/").content.decode()
    reveal(event)
    clear_shelves()
    assert event.slug in Client().get("/integrity/").content.decode()


def test_what_an_event_hides_is_read_with_the_event() -> None:
    event = cup(LAST)
    clear_shelves()
    with CaptureQueriesContext(
        connection,
    ) as asked:
        Client().get(event.get_absolute_url())
    sentences = [one["sql"] for one in asked.captured_queries]
    assert [one for one in sentences if f'FROM "{HiddenResults._meta.db_table}"' in one] == []


def test_open_pages_of_a_reveal_learn_that_everything_is_revealed() -> None:
    event = cup(ALL, 3)
    play_all(event)
    note = '<p class="lede" id="reveal-note"'
    assert f"{note}>All results are hidden." in page_of(event, "reveal/")
    for place in range(3):
        told = page_of(event, "reveal/rows/")
        assert f'{note} hx-swap-oob="true">All results are hidden.' in told
        reveal_next(event, place)
    assert f'{note} hx-swap-oob="true">Hidden results of this event were revealed.' in page_of(
        event, "reveal/rows/"
    )
    assert "hx-swap-oob" not in page_of(event, "reveal/")


def test_staff_see_no_hidden_table_of_an_event_that_somebody_else_holds() -> None:
    for owner, sees in ((author("organiser"), False), (None, True)):
        event = running(
            owner,
            rivals(3) if owner else [one.version for one in Entry.objects.all()],
            pairs=1,
            hiding=Hiding(EVERY_ROUND, organiser_sees=True),
        )
        client = Client()
        client.force_login(author(f"staff {sees}", is_staff=True))
        page = client.get(f"{event.get_absolute_url()}reveal/").content.decode()
        assert "Reveal everything" in page
        assert ("for your eyes only" in page) is sees
