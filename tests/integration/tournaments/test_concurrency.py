"""Several workers at once, every message twice, every tenth answer lost."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import OperationalError, connection, connections

from analysis.errors import InvalidTournament
from analysis.formats.groups import GroupRule
from tests.factories.accounts import author
from tests.factories.results import accepted_pairs, delivery, lease
from tests.factories.tournaments import draft, entrants, rivals, running
from tests.racing import waiting
from tournaments.events.registration import leave
from tournaments.events.standings import tournament_standings
from tournaments.games import play
from tournaments.games.claims import claim_next, release
from tournaments.games.results import accept_result
from tournaments.models import Attempt, Game, Pair, Result, Tournament
from tournaments.pairing.progress import advance, start_in_a_worker
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db(transaction=True)


def work(number: int, tournament: Tournament, failures: list[BaseException]) -> None:
    """A worker that delivers everything twice and asks for the next games twice."""
    try:
        idle = 0
        while idle < 3:
            found = claim_next(f"worker {number}")
            if found is None:
                idle += 1
            else:
                idle = 0
                whole = delivery(found.game)
                accept_result(found, whole)
                accept_result(found, whole)
            advance(tournament.pk)
            advance(tournament.pk)
    except BaseException as error:
        failures.append(error)
    finally:
        connections.close_all()


def test_four_workers_play_a_tournament_together_and_count_every_game_once() -> None:
    owner = author()
    tournament = running(owner, entrants(owner, 4), pairs=4)
    failures: list[BaseException] = []
    threads = [threading.Thread(target=work, args=(n, tournament, failures)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    advance(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert accepted_pairs(tournament) == 24
    assert Result.objects.count() == Attempt.objects.count() == 48
    assert Counter(Attempt.objects.values_list("cause", flat=True)) == {"delivered": 48}
    assert sum(standing.row.points for standing in tournament_standings(tournament)) == 48
    compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}


def test_simultaneous_claims_get_different_games() -> None:
    owner = author()
    running(owner, entrants(owner, 2), pairs=4)

    def claim(number: int) -> object:
        try:
            found = claim_next(f"worker {number}")
            return found.game if found else None
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        games = list(pool.map(claim, range(8)))
    assert None not in games
    assert len(set(games)) == 8


@pytest.mark.on_postgresql
def test_a_result_waits_for_its_game_without_holding_its_pair() -> None:
    """A claim may hold a game that it did not get, and then needs the pair for another game."""
    owner = author()
    running(owner, entrants(owner, 2), pairs=1)
    held = lease()
    if not connection.features.has_select_for_update:  # one writes at a time, so nobody waits for a row
        assert accept_result(held, delivery(held.game))
        return
    tries = []

    def deliver() -> None:
        tries.append(1)
        accept_result(held, delivery(held.game))

    with waiting(deliver, lambda: Game.objects.select_for_update().get(pk=held.game)):
        assert Pair.objects.update(host="") == 1
    assert tries == [1]  # a deadlock would have ended the first
    assert Result.objects.count() == 1


@pytest.mark.on_postgresql
def test_an_attempt_that_ends_waits_for_its_game_without_holding_itself() -> None:
    """Whoever accepts the result now, or voids the pair, has locked the game and needs the attempt."""
    owner = author()
    running(owner, entrants(owner, 2), pairs=1)
    held = lease()
    if not connection.features.has_select_for_update:  # one writes at a time, so nobody waits for a row
        assert release(held, Attempt.Cause.LEASE_EXPIRED)
        return
    tries = []

    def end() -> None:
        tries.append(1)
        release(held, Attempt.Cause.LEASE_EXPIRED)

    with waiting(end, lambda: Game.objects.filter(pk=held.game).update(not_before=None)):
        assert Attempt.objects.update(ply=0) == 1
    assert tries == [1]  # a deadlock would have ended the first
    assert Attempt.objects.get().cause == Attempt.Cause.LEASE_EXPIRED


@pytest.mark.on_postgresql
def test_an_event_starts_with_those_who_are_in_it_then() -> None:
    """Somebody leaves at this moment, and the groups would be too small without them."""
    event = draft(author(), rivals(6), format="groups", options=GroupRule(2, 2).as_options())
    refused = []

    def start() -> None:
        try:
            start_in_a_worker(Tournament.objects.get(pk=event.pk))
        except InvalidTournament as error:
            refused.append(error.field)

    last = event.entries.order_by("number").last()
    assert last is not None
    if connection.features.has_select_for_update:
        with waiting(start, lambda: leave(last)):
            pass
    else:  # one writes at a time
        leave(last)
        start()
    event.refresh_from_db()
    assert (refused, event.status) == (["groups"], "draft")


def test_two_workers_on_one_lease_deliver_one_result() -> None:
    """A worker that was taken for dead and its successor deliver at the same moment."""
    owner = author()
    running(owner, entrants(owner, 2), pairs=1)
    held = lease()
    start = threading.Barrier(2)
    answers: list[object] = []

    def deliver(winner: int) -> None:
        try:
            whole = delivery(held.game, seat=winner)
            start.wait()
            answers.append(accept_result(held, whole).ranking)
        except Exception as error:
            answers.append(type(error).__name__)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=deliver, args=(winner,)) for winner in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = Result.objects.get()
    assert sorted(map(str, answers)) == sorted([str(stored.ranking), "ResultRefused"])


def test_a_lost_answer_is_made_good_by_delivering_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third answer is lost after the database took the result, every fifth call before it."""
    owner = author()
    tournament = running(owner, entrants(owner, 3), pairs=2)
    calls = iter(range(1, 1000))

    def unreliable(*arguments: object) -> Result:
        number = next(calls)
        if number % 5 == 0:
            raise OperationalError("the connection was lost before")
        result = accept_result(*arguments)  # type: ignore[arg-type]
        if number % 3 == 0:
            raise OperationalError("the connection was lost after")
        return result

    monkeypatch.setattr(play, "accept_result", unreliable)
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    played = 0
    while (found := claim_next("a worker")) is not None:
        play.deliver(found, delivery(found.game))
        advance(tournament.pk)
        played += 1
    assert played == 12
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert Result.objects.count() == 12
    assert sum(standing.row.points for standing in tournament_standings(tournament)) == 12
    assert audit_all() == {"crapaud": []}
