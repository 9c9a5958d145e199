"""Those who play: threads that are woken, hosts that share an event with fair clocks and whole pairs."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from kombu.exceptions import OperationalError as BrokerAway

from arena.accounts.models import User
from arena.web import worker_messages
from arena.web.cache import values
from arena.web.models import Worker
from arena.web.processes import capacity, shutdown
from bots.models import Version
from bots.playing.game_process import DeliveredGame
from tests.factories.games import played
from tests.factories.hosts import host
from tests.factories.results import accept_result, accepted_pairs, delivery, lease, play_attempt
from tests.factories.tournaments import rivals, running
from tests.racing import until
from tournaments import tasks
from tournaments.games import play, records, slots
from tournaments.games.attempts import renew
from tournaments.games.claims import Lease, TournamentTurns, claim_next
from tournaments.models import Alarm, EventBatch, Game, Pair, Result, Tournament
from tournaments.operation import hosts
from tournaments.pairing.progress import advance, cancel_tournament, pause_tournament
from tournaments.tasks import play_game


def small_event(pairs: int = 1) -> Tournament:
    return running(None, rivals(2), pairs=pairs)


def two_hosts(pairs: int = 1) -> Tournament:
    host("here")
    host("there")
    return small_event(pairs)


def claimed(name: str) -> Lease:
    found = claim_next("w", name)
    assert found is not None
    return found


def deliver(held: Lease) -> None:
    accept_result(held, delivery(held.game))


def leaves(name: str) -> None:
    Worker.objects.filter(host=name).delete()
    values.forget_all()


@pytest.mark.django_db
class TestPairs:
    def test_both_games_of_a_pair_are_played_on_one_host_which_waits_for_no_other(self) -> None:
        two_hosts(pairs=2)
        names = ("here", "there", "there", "here")
        games = [Game.objects.get(pk=claimed(name).game) for name in names]
        assert [(game.pair.number, game.leg) for game in games] == [(1, 0), (2, 0), (2, 1), (1, 1)]
        assert [pair.host for pair in Pair.objects.order_by("number")] == ["here", "there"]

    def test_a_pair_is_begun_again_when_its_host_leaves_between_its_games(self) -> None:
        cup = two_hosts()
        first = claimed("here")
        assert claim_next("w", "there") is None
        leaves("here")
        assert claim_next("w", "there") is None, "the first is still played elsewhere"
        deliver(first)
        for held in (claimed("there"), claimed("there")):
            deliver(held)
        found = [(pair.run, pair.status, pair.host) for pair in Pair.objects.order_by("run")]
        assert found == [(1, "void", "here"), (2, "accepted", "there")]
        assert accepted_pairs(cup) == 1

    def test_a_pair_is_begun_again_when_the_rules_change(self, monkeypatch: pytest.MonkeyPatch) -> None:
        two_hosts()
        deliver(claimed("here"))
        monkeypatch.setattr("engine.RULES_VERSION", 999)
        assert Game.objects.get(pk=claimed("here").game).leg == 0
        found = list(Pair.objects.order_by("run").values_list("status", "rules"))
        assert found == [("void", 1), ("running", 999)]


@pytest.mark.django_db
class TestClocks:
    def test_a_slower_host_gives_more_time_and_says_so_in_the_record(self) -> None:
        host("reference", speed=2.0)
        host("slow", speed=1.0)
        small_event()
        held = claimed("slow")
        assert held.clock_scale == 2.0
        deliver(held)
        assert Result.objects.get().clock_scale == 2.0
        assert records.head(Game.objects.get(pk=held.game))["clock_scale"] == 2.0
        # Nobody has more than four times the time, and as fast hosts play with the clock as it is.
        assert [capacity.clock_scale(speed, 2.0) for speed in (1.9, 0.0, 0.01, 4.0, 100.0)] == [
            *(1.0, 1.0, 4.0, 0.5, 0.25)
        ]


@pytest.mark.django_db
class TestFairness:
    @pytest.fixture(autouse=True)
    def few_games(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Look after few games: each takes a while here."""
        monkeypatch.setattr(hosts, "FIRST_LOOK", 12)

    @staticmethod
    def play(**late: int) -> Tournament:
        """A tournament whose games each host plays in turn; the first games of each end on time so often."""
        for name in late:
            host(name)
        cup = small_event(6 * len(late))
        for number in range(12):
            for name, lost in late.items():
                held = claimed(name)
                whole = delivery(held.game, seat=0)
                if number < lost:
                    whole.result.update(termination="timeout", seat=1)  # type: ignore[attr-defined]
                accept_result(held, whole)
        return cup

    def test_a_host_with_many_losses_on_time_is_set_aside_and_its_games_are_played_again(self) -> None:
        cup = self.play(sound=0, slow=12)
        assert hosts.look_at_hosts() == ["slow"]
        values.forget_all()
        assert Alarm.objects.get(cleared_at=None).kind == "host"
        theirs = Pair.objects.filter(host="slow").values_list("status", flat=True)
        assert list(theirs) == ["void"] * 6
        assert capacity.field().set_aside == {"slow"}
        assert capacity.games_at_once() == 2
        while (held := claim_next("w", "sound")) is not None:
            deliver(held)
            advance(cup.pk)
        assert accepted_pairs(cup) == 12
        cup.refresh_from_db()
        assert cup.status == "finished"

    def test_a_few_more_losses_on_time_are_chance(self) -> None:
        self.play(sound=3, unlucky=7)
        assert hosts.look_at_hosts() == []


@pytest.mark.django_db
def test_a_process_that_plays_looks_once_a_second_whose_turn_it_is_and_plays_nothing_that_has_ended(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("tournaments.games.claims.time.monotonic", lambda: clock[0])
    turns = TournamentTurns()

    def event() -> Tournament:
        found = claim_next("w", turns=turns)
        assert found is not None
        return found.game_row().tournament

    def looks() -> bool:
        with CaptureQueriesContext(connection) as asked:
            event()
        return any('FROM "tournaments_tournament" WHERE (EXISTS' in query["sql"] for query in asked)

    bots = rivals(2)
    first = running(None, bots, pairs=20)
    assert [looks(), looks()] == [True, False]
    later = running(None, bots, pairs=20)
    assert event() == first
    for whose in (first, later):
        clock[0] += 1
        assert event() == whose, "now they take turns"
    pause_tournament(later)
    assert event() == first, "what is paused is passed over at once"
    clock[0] += 1
    running(ada, bots, pairs=20)
    assert [looks(), looks()] == [True, True], "those who have not equal right take turns with every game"
    cancel_tournament(first, "The test is over.")
    cancel_tournament(Tournament.objects.get(owner=ada), "The test is over.")
    assert claim_next("w", turns=turns) is None


@contextmanager
def started(players: slots.GameSlots) -> Iterator[slots.GameSlots]:
    """Players that begin, and stop with the process, which is about to."""
    players.start()
    try:
        yield players
        shutdown._stopping.set()
        assert players.stop(time.monotonic() + 20)
    finally:
        shutdown._stopping.clear()


def test_a_player_outlives_whatever_a_game_raises_and_one_message_wakes_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(slots, "LOOK_SECONDS", 60.0)
    monkeypatch.setattr(slots, "AFTER_TROUBLE_SECONDS", 0.01)
    troubles: list[Exception] = [OperationalError("the connection was lost"), RuntimeError("a bug")]
    waiting, played, hold = deque[int](), list[int](), threading.Barrier(4)

    def play_next(claimed: Callable[[], None]) -> bool:
        if troubles:
            raise troubles.pop()
        if not waiting:
            return False
        game = waiting.popleft()
        claimed()
        hold.wait(20)  # for three games at once, and the test
        played.append(game)
        return True

    with started(slots.GameSlots(3, play_next)) as players:
        until(lambda: not troubles, "the troubles")
        waiting.extend(range(3))
        play_game()
        hold.wait(20)
        until(lambda: sorted(played) == [0, 1, 2], "all games")
        assert players.dead() == 0


@pytest.mark.django_db
def test_events_are_stored_once(trio: list[Version], ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = running(ada, trio)
    held = lease()
    whole = played(held.game, plies=24)
    answers = iter(("lost before", "", "lost after", "", ""))

    def unreliable(*arguments: object, **options: object) -> None:
        answer = next(answers)
        if answer == "lost before":
            raise OperationalError(answer)
        renew(*arguments, **options)  # type: ignore[arg-type]
        if answer:
            raise OperationalError(answer)

    def played_in_parts(*arguments: object, **_: object) -> DeliveredGame:
        news = arguments[-1]
        assert callable(news)
        told = 0
        for upto in (4, 6, 9, 12, 20):
            if news(upto, list(whole.events[told:upto])):
                told = upto
        stored = EventBatch.objects.filter(game=held.game).order_by("first_n")
        assert [(one.first_n, one.last_n) for one in stored] == [(0, 5), (6, 8), (9, 11), (12, 19)]
        return whole

    monkeypatch.setattr(play, "renew", unreliable)
    monkeypatch.setattr(play, "play", played_in_parts)
    result = play_attempt(held)
    assert result is not None
    assert result.game_id == held.game
    assert not EventBatch.objects.filter(game__tournament=tournament).exists()


def test_a_task_is_sent_again(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def away(*_: object, **__: object) -> None:
        raise BrokerAway("connection refused")

    monkeypatch.setattr(worker_messages.broker(), "send_task", away)
    worker_messages.send("tournaments.advance", 7)
    assert "no broker took a message of tournaments.advance: connection refused" in caplog.text

    answers = iter((OperationalError("server closed the connection"), None))
    seen: list[int] = []

    def work(tournament: int) -> None:
        seen.append(tournament)
        answer = next(answers)
        if answer is not None:
            raise answer

    monkeypatch.setattr("tournaments.pairing.progress.advance", work)
    tasks.advance.apply(args=(7,), retries=0)
    assert seen == [7, 7]
