"""A pair is voided while its games are claimed and its results accepted."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from django.db import connection, connections, transaction

from bots.bots import withdraw_bot
from tests.factories.results import lease
from tests.factories.tournaments import rivals, running
from tournaments.games.claims import Lease
from tournaments.models import Attempt, Game, Pair, Pairing
from tournaments.models.embargo import seeing_hidden
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import cancel_tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

HELD_SECONDS = 0.4


def claims(pair: Pair, holds: threading.Event) -> None:
    """Lock a game and then its pair, as a claim does."""
    game = Game.objects.select_for_update().get(pair=pair, leg=1)
    holds.set()
    time.sleep(HELD_SECONDS)
    Pair.objects.filter(pk=pair.pk).update(host="")
    assert game.status == Game.Status.QUEUED


def accepts(pair: Pair, holds: threading.Event) -> None:
    """Lock a game and then its pair, as whoever accepts a result does."""
    Game.objects.filter(pair=pair, leg=0).update(not_before=None)
    holds.set()
    time.sleep(HELD_SECONDS)
    Pair.objects.select_for_update().get(pk=pair.pk)


def ends(lease: Lease, holds: threading.Event) -> None:
    """Lock a game and then its attempt, as whoever accepts a result or gives a game back does."""
    Game.objects.filter(pk=lease.game).update(not_before=None)
    holds.set()
    time.sleep(HELD_SECONDS)
    Attempt.objects.filter(pk=lease.attempt).update(ply=1)


@contextmanager
def beside(locks: Callable[[threading.Event], None]) -> Iterator[None]:
    """Continue once somebody else holds the first lock; afterwards they must have got the others."""
    holds = threading.Event()
    failures: list[BaseException] = []

    def other() -> None:
        try:
            with seeing_hidden(), transaction.atomic():
                if not connection.features.has_select_for_update:
                    holds.set()  # one writes at a time, so nobody can hold a row and wait for another
                    return
                locks(holds)
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=other)
    thread.start()
    assert holds.wait(10)
    yield
    thread.join()
    assert failures == []


@pytest.mark.parametrize("locks", [claims, accepts])
def test_voiding_a_pair_blocks_neither_a_claim_nor_a_result(
    locks: Callable[[Pair, threading.Event], None],
) -> None:
    running(None, rivals(2), pairs=1)
    pair = Pair.objects.select_related("pairing").get()
    with beside(partial(locks, pair)):
        void_pair(pair, "the host failed")
    assert Pair.objects.filter(pk=pair.pk).get().status == Pair.Status.VOID
    assert Game.objects.filter(pair__run=2).count() == 2


@pytest.mark.parametrize("locks", [claims, accepts])
def test_a_bot_that_is_withdrawn_blocks_neither_a_claim_nor_a_result(
    locks: Callable[[Pair, threading.Event], None],
) -> None:
    versions = rivals(2)
    running(None, versions, pairs=1)
    pair = Pair.objects.select_related("pairing").get()
    with beside(partial(locks, pair)):
        withdraw_bot(versions[0].bot)
    assert Pair.objects.get().status == Pair.Status.VOID
    assert Pairing.objects.get().won_by_forfeit == pair.pairing.second_id


def test_cancelling_an_event_does_not_block_a_result() -> None:
    event = running(None, rivals(2), pairs=1)
    held = lease()
    with beside(partial(ends, held)):
        cancel_tournament(event)
    assert Attempt.objects.get().cause == Attempt.Cause.CANCELLED
    assert set(Game.objects.values_list("status", flat=True)) == {Game.Status.VOID}
