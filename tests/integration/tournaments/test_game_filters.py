"""The list of games narrows by bot, opponent, variant, ending, date, length and closeness."""

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from tests.factories.ratings import rating
from tests.factories.results import delivery as end
from tests.factories.results import lease
from tests.factories.tournaments import rivals, running
from tournaments.games.results import accept_result
from tournaments.models import Game
from tournaments.pages.events import meetings

pytestmark = pytest.mark.django_db


def listed(client: Client, query: str) -> set[str]:
    shown = client.get(f"/games/?{query}").content.decode()
    return {str(key) for key in Game.objects.values_list("pk", flat=True) if f"/games/{key}/" in shown}


def test_each_filter_narrows_and_together_they_narrow_further(client: Client, ada: User) -> None:
    cup = running(ada, rivals(3), pairs=1)
    for number in range(6):
        found = lease()
        left = [0, 2] if number == 0 else [0, 30]
        accept_result(found, end(found.game, seat=0, plies=100 + number, left=left))
    every = {str(game.pk) for game in cup.games.all()}
    assert len(every) == 6
    assert listed(client, "") == every
    assert len(listed(client, "bot=rival 1")) == 4
    assert len(listed(client, "bot=Rival 1&opponent=Rival 2")) == 2
    assert listed(client, "bot=Rival 1&opponent=Rival 1") == set()
    assert listed(client, "bot=nobody") == set()
    assert listed(client, "bot=rival") == every
    assert listed(client, "variant=crapaud&ending=win") == every
    assert listed(client, "ending=crash") == set()
    assert len(listed(client, "close=3")) == 1
    assert len(listed(client, "least=101&most=103")) == 3
    today = timezone.now().date().isoformat()
    assert listed(client, f"since={today}&until={today}") == every
    assert listed(client, "until=2001-01-01") == set()


def test_upsets_are_games_that_a_bot_won_against_one_rated_higher(client: Client, ada: User) -> None:
    cup = running(ada, rivals(2), pairs=1)
    first, second = cup.entries.order_by("number")
    for winner in (first, second):
        found = lease()
        ended = Game.objects.get(pk=found.game)
        accept_result(found, end(ended.pk, seat=ended.seats.get(entry=winner).seat))
    rating(first.version, elo=1500)
    strong = rating(second.version, elo=1600)
    won = {
        str(key)
        for key in cup.games.filter(result__ranking__0=[0], seats__seat=0, seats__entry=first).values_list(
            "pk", flat=True
        )
    }
    won |= {
        str(key)
        for key in cup.games.filter(result__ranking__0=[1], seats__seat=1, seats__entry=first).values_list(
            "pk", flat=True
        )
    }
    assert len(won) == 1
    assert listed(client, "upset=1") == won
    strong.elo = 1599
    strong.save()
    assert listed(client, "upset=1") == set()


def test_nonsense_in_a_filter_is_said_and_narrows_nothing(client: Client, ada: User) -> None:
    running(ada, rivals(2), pairs=1)
    for query in ("variant=chess", "least=-1", "since=yesterday", "close=999", "status=lost"):
        answer = client.get(f"/games/?{query}")
        assert answer.status_code == 200
    assert "field__errors" in client.get("/games/?since=yesterday").content.decode()


def test_two_who_met_are_drawn_as_one_bar(client: Client, ada: User) -> None:
    cup = running(ada, rivals(2), pairs=2)
    for seat in (0, 1, 0, 0):  # the first wins both games of a pair, then one of two
        found = lease()
        accept_result(found, end(found.game, seat=seat))
    one, other = cup.entries.order_by("number")
    both = meetings.of_entries(cup, one, other)
    assert sum(part.pairs for part in both.picture) == 2
    assert sum(part.width for part in both.picture) == pytest.approx(100)
    turned = meetings.of_entries(cup, other, one)
    assert {(4 - part.half_points, part.pairs) for part in turned.picture} == {
        (part.half_points, part.pairs) for part in both.picture
    }
    shown = client.get(f"/tournaments/{cup.slug}/meeting/1/2/").content.decode()
    assert 'class="split-bar"' in shown
