"""Real bots in real sandboxes: checked, played, killed in the middle, and counted once."""

import os
import signal
import threading
import time
from collections import Counter
from typing import Any

import pytest

import engine
from bots.models import Version
from bots.playing.process_pool import NICE, processes
from referee.job import Job
from referee.supervise import PlayingProcess, RunningGame
from tests.factories.accounts import author
from tests.factories.bots import house_bots
from tests.factories.tournaments import running
from tournaments.events.house_tournaments import start_house_tournament
from tournaments.games.claims import claim_next
from tournaments.games.play import play_attempt, play_next
from tournaments.games.records import find_game, record
from tournaments.models import Alarm, Attempt, Game, Result
from tournaments.pairing.progress import advance
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

FAST: dict[str, Any] = {"bank_ms": 10_000, "increment_ms": 0, "pairs": 1}


@pytest.fixture
def house(transactional_db: None) -> list[Version]:
    return house_bots("greedy", "random")


def test_a_round_robin_of_house_bots_is_played_to_its_end_and_replays_step_by_step(
    house: list[Version],
) -> None:
    tournament = start_house_tournament("crapaud", 1, ["greedy", "random"])
    assert tournament is not None
    while play_next("a worker"):
        advance(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert Result.objects.count() == 2
    for key in Game.objects.values_list("pk", flat=True):
        game = find_game(key)
        assert game is not None
        replay = record(game)
        table = engine.TurnGame(engine.TurnPosition.parse(replay["start"]))
        for event in replay["events"]:
            if event["type"] == "move":
                table.push(event["move"])
        assert table.finished
        assert [event["n"] for event in replay["events"]] == list(range(len(replay["events"])))
        assert replay["result"] is not None
        assert replay["result"]["plies"] == table.ply
    assert compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}
    assert start_house_tournament("crapaud", 1, ["greedy", "random"]) is None


def test_a_killed_playing_process_costs_an_attempt_but_no_bot_its_game(
    house: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = running(author(), house, **FAST)

    start = PlayingProcess.start

    def killed(process: PlayingProcess, job: Job, **more: Any) -> RunningGame:
        game = start(process, job, **more)
        os.kill(game.pid, signal.SIGKILL)
        return game

    lease = claim_next("a worker")
    assert lease is not None
    with monkeypatch.context() as patch:
        patch.setattr(PlayingProcess, "start", killed)
        assert play_attempt(lease) is None
    attempt = Attempt.objects.get(pk=lease.attempt)
    assert attempt.cause == "player-died"
    assert attempt.detail.startswith("the playing process ended with status -9")
    assert not Result.objects.exists()
    assert not Alarm.objects.exists()
    Game.objects.update(not_before=None)
    while play_next("a worker"):
        advance(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert audit_all() == {"crapaud": []}


@pytest.mark.any_database
def test_one_yielding_process_plays_one_game_after_the_other_and_another_takes_over_when_it_is_gone(
    house: list[Version],
) -> None:
    running(author(), house, **{**FAST, "pairs": 2})
    processes.close()
    assert play_next("a worker")
    (first,) = processes._idle
    pid = first.process.popen.pid
    assert (os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid)) == (NICE, os.SCHED_BATCH)
    assert play_next("a worker")
    (again,) = processes._idle
    assert (again, again.games) == (first, 2)
    os.kill(pid, signal.SIGKILL)
    again.process.popen.wait()
    assert play_next("a worker")
    (other,) = processes._idle
    assert (other.process.popen.pid != pid, other.games) == (True, 1)
    assert dict(Counter(Attempt.objects.values_list("cause", flat=True))) == {"delivered": 3}
    processes.close()


def test_a_game_taken_away_while_it_is_played_is_stopped(house: list[Version]) -> None:
    """The lease is lost in the middle: the process is ended, nothing is delivered."""
    running(author(), house, **FAST)
    lease = claim_next("a worker")
    assert lease is not None
    Attempt.objects.filter(pk=lease.attempt).update(ended_at="2026-01-01T00:00Z", cause="lease-expired")
    children = threading.active_count()
    begun = time.monotonic()
    assert play_attempt(lease) is None
    assert time.monotonic() - begun < 20
    assert threading.active_count() <= children + 1
    assert not Result.objects.exists()


def test_without_a_sandbox_no_game_is_played_no_bot_loses_and_an_alarm_is_raised(
    house: list[Version], settings: Any
) -> None:
    running(author(), house, **FAST)
    settings.SANDBOX_LEVEL = "none"
    assert play_next("a worker")
    attempt = Attempt.objects.get()
    assert attempt.cause == "sandbox"
    assert Game.objects.filter(status="queued").count() == 2
    assert not Result.objects.exists()
    assert Alarm.objects.get(cleared_at=None).kind == "sandbox"
    # Until it may be there again nothing is even tried.
    assert not play_next("a worker")
    assert Attempt.objects.count() == 1
    settings.SANDBOX_LEVEL = "full"
    Alarm.objects.update(seen_at="2026-01-01T00:00Z")
    Game.objects.update(not_before=None)
    assert play_next("a worker")
    assert Result.objects.count() == 1
    assert not Alarm.objects.filter(cleared_at=None).exists()
