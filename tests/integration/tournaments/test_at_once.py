"""Several processes at once: who claims, delivers, voids, reveals and reads at the same moment."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from analysis.errors import InvalidTournament
from analysis.formats.groups import GroupRule
from analysis.scores import PairOutcome
from bots.bots import withdraw_bot
from bots.models import RemotePresence
from tests.factories.accounts import author
from tests.factories.bundles import differences, play_really
from tests.factories.remote import online, remote_bot
from tests.factories.results import accept_result, accepted_pairs, delivery, lease, play_all
from tests.factories.tournaments import draft, entrants, rivals, running
from tests.racing import at_once, waiting
from tests.thorough import THOROUGH
from tournaments.events.registration import leave
from tournaments.events.standings import tournament_standings
from tournaments.games.attempts import release
from tournaments.games.bundles import ratings_lines, tournament_lines
from tournaments.games.claims import claim_next, claim_rest
from tournaments.games.results import accept_results
from tournaments.models import Attempt, Game, HiddenResults, Pair, Pairing, Rating, Result, Tournament
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.hidden_results_reveal import reveal, reveal_due
from tournaments.pairing.pairs import outcome_of, void_pair
from tournaments.pairing.progress import advance, cancel_tournament, start_in_a_worker
from tournaments.ratings import audit
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db(transaction=True)


def work(number: int, tournament: Tournament, failures: list[BaseException]) -> None:
    """A worker that delivers pairs together, everything twice, and asks for the next games twice."""
    try:
        idle = 0
        while idle < 3:
            found = claim_next(f"worker {number}")
            if found is None:
                idle += 1
            else:
                idle = 0
                rest = claim_rest(found, f"worker {number}")
                over = [(one, delivery(one.game)) for one in (found, rest) if one is not None]
                accept_results(over)
                for one in over:
                    accept_results([one])
            advance(tournament.pk)
            advance(tournament.pk)
    except BaseException as error:
        failures.append(error)
    finally:
        connections.close_all()


def workers(tournament: Tournament, failures: list[BaseException]) -> list[threading.Thread]:
    """Four workers that have begun to play it."""
    threads = [threading.Thread(target=work, args=(n, tournament, failures)) for n in range(4)]
    for thread in threads:
        thread.start()
    return threads


def revealed(tournament: Tournament, failures: list[BaseException]) -> None:
    try:
        reveal(tournament)
    except BaseException as error:
        failures.append(error)
    finally:
        connections.close_all()


def beside(first: Callable[[], object], then: Callable[[], object], act: Callable[[], object]) -> None:
    """Act while somebody else holds a first lock, who must get the second one afterwards."""
    holds = threading.Event()

    def other() -> None:
        with seeing_hidden(), transaction.atomic():
            if connection.features.has_select_for_update:
                first()
                holds.set()
                time.sleep(0.4)
                then()
            holds.set()  # otherwise one writes at a time: nobody can hold a row and wait for another

    said: list[str] = []
    thread = threading.Thread(target=lambda: said.extend(at_once(other)))
    thread.start()
    assert holds.wait(10)
    act()
    thread.join()
    assert said == [""]


def test_four_workers_play_a_tournament_together_and_count_every_game_once() -> None:
    tournament = running(None, rivals(4), pairs=2)
    failures: list[BaseException] = []
    for thread in workers(tournament, failures):
        thread.join()
    assert failures == []
    advance(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert accepted_pairs(tournament) == 12
    assert Result.objects.count() == 24
    assert Counter(Attempt.objects.values_list("cause", flat=True)) == {"delivered": 24}
    assert sum(standing.row.points for standing in tournament_standings(tournament)) == 24
    compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}


@pytest.mark.on_postgresql
@pytest.mark.parametrize("how", ["accepts", "ends"])
def test_whoever_waits_for_a_game_holds_neither_its_pair_nor_its_attempt(how: str) -> None:
    """A claim may hold a game that it did not get, and then needs the pair for another game; whoever accepts
    the result now, or voids the pair, has locked the game and needs the attempt."""
    running(None, rivals(2), pairs=1)
    held = lease()
    tries = []

    def act() -> None:
        tries.append(1)
        if how == "accepts":
            accept_result(held, delivery(held.game))
        else:
            release(held, Attempt.Cause.LEASE_EXPIRED)

    with waiting(act, lambda: Game.objects.filter(pk=held.game).update(not_before=None)):
        assert (Pair.objects.update(host="") if how == "accepts" else Attempt.objects.update(ply=0)) == 1
    assert tries == [1]  # a deadlock would have ended the first
    assert Attempt.objects.get().cause == ("delivered" if how == "accepts" else "lease-expired")


def test_two_workers_on_one_lease_deliver_one_result() -> None:
    """A worker that was taken for dead and its successor deliver at the same moment."""
    running(None, rivals(2), pairs=1)
    held = lease()
    start = threading.Barrier(2)

    def deliver(winner: int) -> str:
        try:
            whole = delivery(held.game, seat=winner)
            start.wait()
            return str(accept_result(held, whole).ranking)
        except Exception as error:
            return type(error).__name__
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(deliver, (0, 1)))
    assert sorted(answers) == sorted([str(Result.objects.get().ranking), "ResultRefused"])


PAIRS = 2 if THOROUGH else 1
"""Of any two of the four in an event with hidden results."""


def while_four_play(act: Callable[[Tournament], object], hiding: Hiding) -> None:
    """Let four workers play an event with hidden results to its end, and act when a few games are over; every
    game of it is over, shown and counted once."""
    tournament = running(None, rivals(4), pairs=PAIRS, hiding=hiding)
    failures: list[BaseException] = []
    threads = workers(tournament, failures)
    try:
        with seeing_hidden():
            ends = time.monotonic() + 60
            while Result.objects.count() < 6 and time.monotonic() < ends and not failures:
                time.sleep(0.02)
        act(tournament)
    finally:
        for thread in threads:
            thread.join()
    work(4, tournament, failures)  # what was begun again after they had found no more
    assert failures == []
    reveal_due()
    if not hiding.last_rounds:
        with seeing_hidden():
            for pairing in Pairing.objects.all():
                games = Game.objects.filter(pair__pairing=pairing)
                assert {one.hidden for one in games} == {pairing.hidden}, "a meeting is hidden as a whole"
        # On SQLite the workers may have finished before the moment could be written: nothing is hidden then.
        if HiddenResults.objects.filter(revealed_at=None).exists():
            reveal(tournament)
        advance(tournament.pk)
        reveal_due()
    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.FINISHED
    with seeing_hidden():
        assert not Game.objects.filter(hidden=True).exists()
        assert not Pairing.objects.filter(hidden=True).exists()
    assert accepted_pairs(tournament) == 6 * PAIRS
    compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * 2 * 6 * PAIRS


def test_meetings_are_hidden_from_a_moment_on_while_four_workers_claim_them() -> None:
    while_four_play(
        lambda _: HiddenResults.objects.update(since=timezone.now()),
        Hiding(since=timezone.now() + timedelta(hours=1)),
    )


def test_a_pair_is_voided_while_its_event_is_revealed_and_played() -> None:
    def both(tournament: Tournament) -> None:
        with seeing_hidden():
            pair = Pair.objects.filter(status=Pair.Status.ACCEPTED).select_related("pairing")[0]
        failures: list[BaseException] = []
        other = threading.Thread(target=revealed, args=(tournament, failures))
        other.start()
        void_pair(pair, "the host failed")
        other.join()
        assert failures == []

    while_four_play(both, Hiding(EVERY_ROUND))


@pytest.mark.on_postgresql
@pytest.mark.parametrize("claims", [True, False])
@pytest.mark.parametrize("act", ["withdraw", "void", "cancel"])
def test_voiding_withdrawing_and_cancelling_block_neither_a_claim_nor_a_result(
    act: str, claims: bool
) -> None:
    """A claim, and whoever accepts a result, lock a game and then its pair, or its attempt."""
    versions = rivals(2)
    event = running(None, versions, pairs=1)
    held = lease() if act == "cancel" else None
    pair = Pair.objects.select_related("pairing").get()
    games, pairs = pair.games, Pair.objects.filter(pk=pair.pk)
    acts: dict[str, Callable[[], object]] = {
        "withdraw": lambda: withdraw_bot(versions[0].bot),
        "void": lambda: void_pair(pair, "the host failed"),
        "cancel": lambda: cancel_tournament(event),
    }
    if held is not None:
        then = Attempt.objects.filter(pk=held.attempt)
        beside(
            lambda: games.filter(pk=held.game).update(not_before=None), lambda: then.update(ply=1), acts[act]
        )
        assert then.get().cause == Attempt.Cause.CANCELLED
    elif claims:
        beside(lambda: games.select_for_update().get(leg=1), lambda: pairs.update(host=""), acts[act])
    else:
        beside(lambda: games.filter(leg=0).update(not_before=None), pairs.select_for_update().get, acts[act])
    assert set(games.values_list("status", flat=True)) == {Game.Status.VOID}
    assert Pairing.objects.get().won_by_forfeit == (pair.pairing.second_id if act == "withdraw" else None)
    assert Game.objects.filter(pair__run=2).count() == (2 if act == "void" else 0)


@pytest.mark.on_postgresql
def test_a_remote_bot_is_withdrawn_while_a_game_of_it_is_claimed() -> None:
    bob, bot = author("bob"), remote_bot(author("ada"))
    online(bot, "crapaud")
    running(bob, [bot.versions.get(), *entrants(bob, 1)], pairs=1, admits_remote=True)
    presence = RemotePresence.objects.filter(bot=bot)
    beside(
        lambda: Game.objects.select_for_update().get(leg=1),
        lambda: list(presence.select_for_update()),
        lambda: withdraw_bot(bot),
    )
    assert not presence.get().is_online
    assert set(Game.objects.values_list("status", flat=True)) == {Game.Status.VOID}


READS = range(1, 9) if THOROUGH else (4,)
"""The queries of a tournament's bundle, counted, before which something is stored."""


def written_between(lines: Iterator[bytes], tournament: Tournament, number: int) -> list[bytes]:
    """The lines, while another connection plays two pairs and rates just before the reader's query of that
    number."""
    asked = 0

    def write() -> None:
        try:
            play_really(Tournament.objects.get(pk=tournament.pk), 4)
            compute_ratings("crapaud")
        finally:
            connections.close_all()

    def interfere(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal asked
        if sql.startswith("SELECT"):
            asked += 1
            if asked == number + 1:
                writer = threading.Thread(target=write)
                writer.start()
                writer.join()
        return execute(sql, *rest)

    with connection.execute_wrapper(interfere):
        found = list(lines)
    assert asked > number
    return found


@pytest.mark.parametrize(("kind", "between"), [("leaderboard", 1), *(("cup", number) for number in READS)])
def test_a_bundle_is_of_one_moment_though_pairs_are_accepted_and_rated_between_the_reads(
    kind: str, between: int
) -> None:
    if kind == "cup":
        tournament = running(author("ada"), entrants(author("bob"), 3), pairs=2)
        play_really(tournament, 4)
        lines = tournament_lines(tournament)
    else:
        rivals(2)
        tournament = ensure_ladder("crapaud")
        advance(tournament.pk)
        play_really(tournament, 4)
        compute_ratings("crapaud")
        lines = ratings_lines("crapaud", "crapaud", 2)
    assert differences(b"".join(written_between(lines, tournament, between))) == []
    assert Pair.objects.filter(status="accepted").count() == 4


def test_pairs_that_are_accepted_while_the_audit_reads_are_no_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entrants = rivals(2)
    play_all(running(None, entrants, pairs=1, name="First"))
    second = running(None, entrants, pairs=2, name="Second")
    played: list[Pair] = []

    def meanwhile(pair: Pair, legs: Sequence[Result]) -> PairOutcome:
        if not played:
            played.append(pair)
            assert at_once(lambda: play_all(second)) == [""]
        return outcome_of(pair, legs)

    monkeypatch.setattr(audit, "outcome_of", meanwhile)
    assert audit.audit(second.variant) == []
    assert Pairing.objects.get(tournament=second).pairs_done == 2, "they were played while it read"


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

    last = event.entries.get(number=6)
    with waiting(start, lambda: leave(last)):
        pass
    event.refresh_from_db()
    assert (refused, event.status) == (["groups"], "draft")
