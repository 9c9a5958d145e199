"""Four workers play an event while its results are hidden and revealed: nothing is lost."""

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from tests.factories.tournaments import rivals, running
from tests.integration.tournaments.test_concurrency import work
from tournaments.models import Game, HiddenResults, Pair, Pairing, Rating, Result, Tournament
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import advance
from tournaments.pairing.reveal import reveal, reveal_due
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db(transaction=True)

PAIRS = 4


def while_four_play(tournament: Tournament, act: Callable[[], object]) -> None:
    """Let four workers play the event to its end, and act when a few games are over."""
    failures: list[BaseException] = []
    threads = [threading.Thread(target=work, args=(n, tournament, failures)) for n in range(4)]
    for thread in threads:
        thread.start()
    try:
        with seeing_hidden():
            ends = time.monotonic() + 60
            while Result.objects.count() < 6 and time.monotonic() < ends and not failures:
                time.sleep(0.02)
        act()
    finally:
        for thread in threads:
            thread.join()
    assert failures == []


def assert_all_is_told(tournament: Tournament) -> None:
    """Every game of the event is over, shown and counted once."""
    advance(tournament.pk)
    reveal_due()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.FINISHED
    with seeing_hidden():
        assert not Game.objects.filter(hidden=True).exists()
        assert not Pairing.objects.filter(hidden=True).exists()
    pairs = Pair.objects.filter(status=Pair.Status.ACCEPTED).count()
    assert pairs == 6 * PAIRS
    compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 2 * pairs


def test_everything_is_revealed_while_four_workers_play() -> None:
    tournament = running(None, rivals(4), pairs=PAIRS, hiding=Hiding(EVERY_ROUND))
    while_four_play(tournament, lambda: reveal(tournament))
    assert_all_is_told(tournament)


def test_meetings_are_hidden_from_a_moment_on_while_four_workers_claim_them() -> None:
    tournament = running(
        None, rivals(4), pairs=PAIRS, hiding=Hiding(since=timezone.now() + timedelta(hours=1))
    )
    begin = lambda: HiddenResults.objects.update(since=timezone.now())  # noqa: E731
    while_four_play(tournament, begin)
    advance(tournament.pk)
    reveal_due()
    with seeing_hidden():
        for pairing in Pairing.objects.all():
            games = Game.objects.filter(pair__pairing=pairing)
            assert {one.hidden for one in games} == {pairing.hidden}, "a meeting is hidden as a whole"
    # On SQLite the workers may have finished before the moment could be written: then nothing is hidden.
    if HiddenResults.objects.filter(revealed_at=None).exists():
        reveal(tournament)
    assert_all_is_told(tournament)


def test_a_pair_is_voided_while_its_event_is_revealed() -> None:
    tournament = running(None, rivals(4), pairs=PAIRS, hiding=Hiding(EVERY_ROUND))

    def revealed() -> None:
        try:
            reveal(tournament)
        finally:
            connections.close_all()

    def both() -> None:
        with seeing_hidden():
            pair = Pair.objects.filter(status=Pair.Status.ACCEPTED).select_related("pairing")[0]
        other = threading.Thread(target=revealed)
        other.start()
        void_pair(pair, "the host failed")
        other.join()

    while_four_play(tournament, both)
    assert_all_is_told(tournament)


def test_a_reveal_that_waits_for_a_game_keeps_no_other_game_from_anybody() -> None:
    tournament = running(None, rivals(4), pairs=PAIRS, hiding=Hiding(EVERY_ROUND))
    with seeing_hidden():
        held, free = Game.objects.values_list("pk", flat=True)[:2]
    failures: list[BaseException] = []

    def revealed() -> None:
        try:
            reveal(tournament)
        except BaseException as error:
            failures.append(error)
        finally:
            connections.close_all()

    revealing = threading.Thread(target=revealed)
    with transaction.atomic(), seeing_hidden():
        locks_rows = connection.features.has_select_for_update_skip_locked  # otherwise one writes at a time
        if locks_rows:
            Game.objects.select_for_update().get(pk=held)
        revealing.start()
        time.sleep(0.3)
        found = (
            Game.objects.select_for_update(skip_locked=locks_rows).filter(pk=free).exists() for _ in range(20)
        )
        if not any(found):
            failures.append(AssertionError("the reveal keeps a game while it waits for another"))
    revealing.join()
    assert failures == []
    with seeing_hidden():
        assert not Game.objects.filter(hidden=True).exists()
