"""What becomes of a person's game whose bot cannot answer, or no longer needs to."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from arena.web.processes import shutdown
from bots.errors import FilesMissing
from friendlies.models import Friendly
from friendlies.opponent.engagement import Fault
from friendlies.tables import bot_turns
from friendlies.tables.bot_turns import RETRY, answer
from friendlies.tables.new_games import NewFriendly, start
from friendlies.tables.people import Person
from friendlies.tables.waiting_bots import Engagements
from referee.errors import Infrastructure
from sandbox import SandboxUnavailable
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


class Meeting(Engagements):
    """Bots that are not there: something happens instead when one is asked."""

    def __init__(self, happens: Callable[[Friendly, Callable[[], object]], None]) -> None:
        super().__init__()
        self.asked = 0
        self._happens = happens

    def take(self, row: Friendly, known: int, beat: Callable[[], object]) -> Any:
        self.asked += 1
        self._happens(row, beat)
        raise AssertionError("expected that nothing was left to ask")


def raising(error: Exception) -> Meeting:

    def happens(row: Friendly, beat: Callable[[], object]) -> None:
        raise error

    return Meeting(happens)


@pytest.fixture
def game() -> Friendly:
    ada = author()
    return start(Person(ada), NewFriendly("crapo", accepted_bot(ada).pk, 1))


def test_a_bot_that_breaks_off_forfeits_the_game(game: Friendly) -> None:
    assert answer(game.pk, raising(Fault("crash", "The bot ended with status 1.")))
    game.refresh_from_db()
    assert game.result is not None
    assert (game.result["termination"], game.result["seat"]) == ("crash", 0)
    assert game.result["ranking"] == [[1], [0]]


@pytest.mark.parametrize(
    "error",
    [
        Infrastructure("no memory is left"),
        SandboxUnavailable("bwrap is not installed", "install it"),
        FilesMissing("no files"),
        OSError("no space is left"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_of_the_machine_costs_nobody_the_game_and_it_is_tried_again(
    game: Friendly, error: Exception
) -> None:
    broken = raising(error)
    before = timezone.now()
    assert not answer(game.pk, broken)
    assert not answer(game.pk, broken), "it rests for a while"
    assert broken.asked == 1
    game.refresh_from_db()
    assert (game.result, game.trouble) == (None, str(error))
    assert game.lease_until is not None
    assert before <= game.lease_until - RETRY <= timezone.now()
    Friendly.objects.filter(pk=game.pk).update(lease_until=before)
    assert not answer(game.pk, broken)
    assert broken.asked == 2


@pytest.mark.parametrize("error", [ValueError("\ud800\0"), KeyError("moves"), RecursionError()], ids=type)
def test_an_error_that_nobody_foresaw_is_the_bots_loss_and_not_a_game_without_end(
    game: Friendly, error: Exception
) -> None:
    assert answer(game.pk, raising(error))
    game.refresh_from_db()
    assert game.result is not None
    assert (game.result["termination"], game.result["seat"]) == ("crash", 0)
    assert game.result["detail"].startswith("Seat 0 caused an error that the arena did not expect (")


def test_a_bot_that_thinks_while_the_site_stops_is_left_alone(
    game: Friendly, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(row: Friendly, beat: Callable[[], object]) -> None:
        monkeypatch.setattr(shutdown, "is_announced", lambda: True)
        beat()

    assert not answer(game.pk, Meeting(stop))
    game.refresh_from_db()
    assert (game.result, game.trouble) == (None, "")


def test_the_lease_is_renewed_while_the_bot_thinks_and_lost_when_the_game_goes_on(
    game: Friendly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "RENEW_SECONDS", 0)
    leases = []

    def think(row: Friendly, beat: Callable[[], object]) -> None:
        for _ in range(2):
            leases.append(Friendly.objects.get(pk=row.pk).lease_until)
            beat()
        Friendly.objects.filter(pk=row.pk).update(revision=row.revision + 1)
        beat()

    assert not answer(game.pk, Meeting(think))
    assert leases[0] is not None
    assert leases[1] is not None
    assert leases[0] < leases[1]
    game.refresh_from_db()
    assert (game.result, game.trouble) == (None, "")
