"""How many games were played when: counted from the games, and drawn where visitors and operators look."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from arena.web.cache import values
from tests.factories.accounts import sign_in_operator
from tests.factories.results import lease, play_one
from tests.factories.tournaments import rivals, running
from tournaments.games.claims import release
from tournaments.models import Attempt, Game
from tournaments.operation.throughput import last_days, last_hours, last_hours_for_operators

pytestmark = pytest.mark.django_db


def played(ago: timedelta, wait: timedelta = timedelta(seconds=4)) -> None:
    """A game that began so long ago, after so long a wait, and ended at once."""
    game = play_one().game
    at = timezone.now() - ago
    Game.objects.filter(pk=game).update(created_at=at - wait, started_at=at, finished_at=at)
    values.forget_all()
    cache.clear()


def test_days_are_counted_from_the_first_with_a_game_to_today() -> None:
    running(None, rivals(2), pairs=4)
    for days in (3, 3, 0, 40):
        played(timedelta(days=days))
    assert [one.games for one in last_days()] == [2, 0, 0, 1]
    assert last_days()[-1].at.date() == timezone.now().date()


def test_games_that_began_again_because_of_the_arena_are_counted_and_cancelled_ones_are_not() -> None:
    running(None, rivals(2), pairs=4)
    release(lease(), Attempt.Cause.PLAYER_DIED, "killed")
    release(lease(), Attempt.Cause.CANCELLED)
    values.forget_all()
    assert [(one.games, one.spoiled) for one in last_hours()] == [(0, 1)]


def test_operators_see_how_long_games_waited_and_visitors_are_not_told() -> None:
    running(None, rivals(2), pairs=4)
    played(timedelta(hours=2), timedelta(seconds=10))
    played(timedelta(hours=2), timedelta(seconds=20))
    assert last_hours_for_operators()[0].wait == pytest.approx(15)
    assert last_hours()[0].wait is None


def test_the_audit_the_queue_and_the_operators_page_have_a_picture(client: Client) -> None:
    running(None, rivals(2), pairs=4)
    played(timedelta(days=2))
    assert "chart__line--first" in client.get("/audit/").content.decode()
    assert "chart__line" not in client.get("/queue/").content.decode()
    played(timedelta(hours=3))
    played(timedelta(hours=1))
    assert "chart__line--first" in client.get("/queue/").content.decode()
    sign_in_operator(client)
    page = client.get("/admin/overview/").content.decode()
    assert "chart__line--first" in page
    assert "Average wait in seconds" in page
