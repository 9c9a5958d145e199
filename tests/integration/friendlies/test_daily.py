"""The deal of the day: committed to beforehand, the same for all, one try each, and secret while it lasts."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

import engine
from analysis.errors import InvalidFriendly
from analysis.formats.committed_seeds import commitment
from arena.accounts.models import User
from bots.models import Version
from friendlies import daily as dailies
from friendlies.models import Daily, Friendly
from friendlies.pages.daily import board
from friendlies.tables import new_games
from friendlies.tables.new_games import start_daily
from friendlies.tables.people import Person
from tests.factories.accounts import author
from tests.factories.friendlies import act

pytestmark = pytest.mark.django_db
TODAY = "/play/daily/"
LOOKED_AT = ("replay", "record", "explore", "values", "mistakes")
A_DAY = timedelta(days=1)


def deal(greedy: Version, later: timedelta = timedelta(0)) -> Daily:
    found = dailies.daily_of(dailies.today() + later)
    assert found is not None
    return found


def finish(row: Friendly, left: list[int], **more: object) -> Friendly:
    ranking = [[0], [1]] if left[0] < left[1] else [[1], [0]]
    result = {"ranking": ranking, "termination": "win", "seat": None, "points": [0, 0], "left": left}
    played = {"detail": "", "plies": 9, "turns": 3, "cpu_ms": [0, 0]}
    over = {"status": "finished", "awaits": "nobody", "finished_at": datetime.now(UTC)}
    Friendly.objects.filter(pk=row.pk).update(**over, result={**result, **played, **more})
    return Friendly.objects.get(pk=row.pk)


def played(user: User, daily: Daily, left: list[int], **more: object) -> Friendly:
    return finish(start_daily(Person(user), daily), left, **more)


def opened(client: Client, row: Friendly, *names: str) -> list[int]:
    return [client.get(reverse(f"play:{name}", args=[row.pk])).status_code for name in names or LOOKED_AT]


@pytest.mark.each_database
def test_all_get_the_same_committed_deal_once(client: Client, greedy: Version, ada: User, bob: User) -> None:
    daily = deal(greedy)
    page = client.get(TODAY).content.decode()
    tomorrow = deal(greedy, A_DAY)
    assert daily.commitment == commitment(daily.seed)
    told = (daily.commitment, tomorrow.commitment, daily.seed, tomorrow.seed)
    assert [one in page for one in told] == [True, True, False, False]
    games = []
    for user in (ada, bob):
        client.force_login(user)
        # Another try leads to the same game.
        replies = {client.post(TODAY)["Location"] for _ in range(2)}
        games.append(Friendly.objects.get(owner=user))
        assert replies == {games[-1].get_absolute_url()}
    assert {(one.start, one.seat, one.version_id) for one in games} == {
        (str(engine.deal(daily.variant, daily.seed)), daily.seat, daily.version_id)
    }
    address = reverse("play:hint", args=[games[1].pk])
    hint = client.post(address, {"step": 1}, content_type="application/json")
    assert (hint.status_code, hint.json()["error"]["code"]) == (409, "daily")


@pytest.mark.any_database
def test_a_guest_plays_once_and_takes_the_game_along(client: Client, greedy: Version, ada: User) -> None:
    daily = deal(greedy)
    reply = client.post(TODAY)
    row = Friendly.objects.get()
    assert (row.owner, row.unranked, reply["Location"]) == (None, False, row.get_absolute_url())
    assert client.post(TODAY)["Location"] == reply["Location"], "one try"
    same = {name: getattr(row, name) for name in ("guest", "version", "variant", "seat", "start", "rules")}
    with pytest.raises(IntegrityError), transaction.atomic():
        Friendly.objects.create(**same, daily=daily, acted_at=row.acted_at)
    finish(row, [0, 9])
    shown = client.get(TODAY).context["board"]
    assert (shown.rows, shown.playing, shown.mine) == ([], 0, row)
    assert shown.own.you
    client.force_login(ada)
    shown = client.get(TODAY).context["board"]
    assert [(one.who, one.place, one.you) for one in shown.rows] == [("ada", 1, True)]


def test_of_a_networks_guests_the_first_alone_can_reach_the_board(
    client: Client, greedy: Version, ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_games, "ADDRESS_A_DEAL", 2)
    daily = deal(greedy)
    first, again, third = (Person(None, name, "home") for name in ("1", "2", "3"))
    assert not start_daily(first, daily).unranked
    known = finish(start_daily(again, daily), [0, 9])
    assert known.unranked, "whoever comes back without cookies knows the cards"
    with pytest.raises(InvalidFriendly, match="Too many guests"):
        start_daily(third, daily)
    new_games.adopt(Person(ada, "2"))
    found = board(daily, Person(ada))
    assert (found.rows, found.mine) == ([], known)
    # An account has one try, its own: the guest's stays the guest's.
    start_daily(Person(bob), daily)
    new_games.adopt(Person(bob, "1"))
    assert daily.friendlies.get(owner=None).guest == "1"


def test_nobody_else_sees_it_that_day(client: Client, greedy: Version, ada: User, bob: User) -> None:
    daily = deal(greedy)
    row = played(ada, daily, [0, 9])
    client.force_login(bob)
    assert opened(client, row) == [403, 404, 404, 404, 404]
    assert str(row.pk) not in client.get(TODAY).content.decode()
    client.force_login(ada)
    assert opened(client, row, "replay") == [200]
    assert client.get(reverse("play:record", args=[row.pk])).json()["start"] == row.start
    tomorrow = deal(greedy, A_DAY)
    for path in (tomorrow.get_absolute_url(), *(f"{TODAY}{day}/" for day in ("2020-02-30", "9999-01-01"))):
        assert client.get(path).status_code == client.post(path).status_code == 404, path
    # Whoever gives up at once has not seen the deal.
    client.force_login(bob)
    given = start_daily(Person(bob), daily)
    act(client, given, do="resign")
    assert opened(client, given) == [403] * 5
    assert "??" in client.get(reverse("play:state", args=[given.pk])).json()["record"]["start"]

    # The day is over: everybody may look, and the seed is told.
    Daily.objects.filter(pk=daily.pk).update(day=daily.day - A_DAY)
    assert opened(client, row, "replay") == [200]
    assert client.get(reverse("play:record", args=[given.pk])).json()["start"] == given.start
    assert daily.seed in client.get(reverse("play:daily", args=[daily.day - A_DAY])).content.decode()
    daily.refresh_from_db()
    carol = Person(author("carol"))
    for other in (daily, tomorrow):
        with pytest.raises(InvalidFriendly, match="not today’s deal"):
            start_daily(carol, other)


def test_the_board_ranks_by_margin_and_games_given_up_last(greedy: Version, ada: User, bob: User) -> None:
    daily = deal(greedy)
    played(ada, daily, [30, 0])
    played(bob, daily, [0, 12])
    # Ahead by little when she resigned, and yet behind who lost by 30 cards.
    gave_up = {"termination": "resignation", "seat": 0, "ranking": [[1], [0]]}
    played(author("carol"), daily, [20, 21], **gave_up)
    start_daily(Person(author("dave")), daily)
    found = board(daily, Person(bob))
    assert [(one.place, one.who, one.margin, one.gave_up) for one in found.rows] == [
        (1, "bob", 12, False),
        (2, "ada", -30, False),
        (3, "carol", -20, True),
    ]
    assert (found.playing, found.mine is not None) == (1, True)
    # What ends after the day does not count.
    Friendly.objects.filter(owner=ada).update(finished_at=daily.ends_at)
    assert [one.who for one in board(daily, Person(None)).rows] == ["bob", "carol"]
