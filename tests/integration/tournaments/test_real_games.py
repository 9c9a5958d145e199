"""Real bots in real sandboxes: played in turns and in ticks, killed in the middle, and counted once."""

import json
import os
import signal
import threading
import time
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import engine
from analysis.errors import InvalidTournament
from analysis.event_log import canonical
from arena.accounts.models import User
from bots.house import SPARRING
from bots.models import Trial, Version
from bots.playing.game_process import NICE, processes
from referee.job import Job
from referee.supervise import PlayingProcess, RunningGame
from tests.factories.accounts import author
from tests.factories.bots import house_bots, judge, new_bot
from tests.factories.bundles import differences, downloaded
from tests.factories.results import play_attempt
from tests.factories.tournaments import rivals, running
from tournaments.events.house_tournaments import start_house_tournament
from tournaments.games import luck_measurement as luck
from tournaments.games.claims import claim_next
from tournaments.games.play import play_next
from tournaments.games.records import find_game, record
from tournaments.models import Alarm, Attempt, Game, GameLuck, Pair, Rating, Result, Tournament
from tournaments.pairing.progress import advance
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder, fill_ladder
from tournaments.ratings.ratings import compute_ratings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

FAST: dict[str, Any] = {"bank_ms": 10_000, "increment_ms": 0, "pairs": 1}
RESIGNS = b"from crapette import Answer, run\n\nrun(lambda turn: Answer(resign=True))\n"


@pytest.fixture
def house(transactional_db: None) -> list[Version]:
    return house_bots("greedy", "random")


@pytest.fixture
def quitters(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> list[Version]:
    """Two bots that resign at once, for games of which only that they are played is of interest."""
    monkeypatch.setattr("tests.factories.bots.GOOD_BOT", RESIGNS)
    return rivals(2)


def play_to_the_end(tournament: Tournament) -> None:
    while play_next("a worker"):
        advance(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.status == "finished"


def test_a_round_robin_of_house_bots_is_played_to_its_end_and_replays_step_by_step(
    house: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = start_house_tournament("crapaud", 1, ["greedy", "random"])
    assert tournament is not None
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
    assert not Result.objects.exists(), "a killed playing process costs an attempt but no bot its game"
    assert not Alarm.objects.exists()
    Game.objects.update(not_before=None)

    play_to_the_end(tournament)
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
        assert replay["result"] is not None
        assert replay["result"]["plies"] == table.ply
    assert compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}
    assert start_house_tournament("crapaud", 1, ["greedy", "random"]) is None


@pytest.mark.any_database
def test_one_yielding_process_plays_one_game_after_the_other_and_another_takes_over_when_it_is_gone(
    quitters: list[Version],
) -> None:
    running(None, quitters, **{**FAST, "pairs": 2})
    processes.close()
    assert play_next("a worker")
    (first,) = processes._idle
    pid = first.process.popen.pid
    assert (os.getpriority(os.PRIO_PROCESS, pid), os.sched_getscheduler(pid)) == (NICE, os.SCHED_BATCH)
    assert first.games == 2  # both of a pair
    os.kill(pid, signal.SIGKILL)
    first.process.popen.wait()
    assert play_next("a worker")
    (other,) = processes._idle
    assert (other.process.popen.pid != pid, other.games) == (True, 2)
    assert dict(Counter(Attempt.objects.values_list("cause", flat=True))) == {"delivered": 4}
    pairs = Pair.objects.filter(status=Pair.Status.ACCEPTED)
    assert [pair.games.count() for pair in pairs] == [2, 2]
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
    quitters: list[Version], settings: Any
) -> None:
    running(None, quitters, **FAST)
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
    assert Result.objects.count() == 2
    assert not Alarm.objects.filter(cleared_at=None).exists()


def test_a_tournament_in_ticks_is_played_rated_shown_and_verified(ada: User, client: Client) -> None:
    cup = running(None, house_bots("greedy", "random"), pairs=1, variant="vitesse")
    play_to_the_end(cup)
    games = list(Game.objects.select_related("result"))

    for game in games:
        assert game.result.termination in {"stop", "stall"}
        record = client.get(f"/games/{game.pk}/record.json").json()
        replayed = engine.TickGame(engine.TickPosition.parse(record["start"]))
        replayed.play([",".join(event["actions"]) for event in record["events"][:-1]])
        outcome = replayed.outcome()
        assert outcome is not None
        assert list(outcome.points) == game.result.points
    luck.measure_pairs([games[0].pair_id])
    first, second = GameLuck.objects.order_by("game__leg")
    assert (first.deal_result, first.deal_margin) == (second.deal_result, second.deal_margin)
    assert min(first.reveals, second.reveals) > 20
    compute_ratings("vitesse")
    assert Rating.objects.filter(variant="vitesse", games=2).count() == 2
    assert audit_all() == {"vitesse": []}

    bundle = downloaded(cup)
    assert differences(bundle) == []
    lines = bundle.splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if b'"events"' in line)
    told: dict[str, Any] = json.loads(lines[number])
    tick = next(event for event in told["events"] if "wait" not in event["actions"])
    at = f"event {tick['n']}: "
    for changed, named in (
        ({"actions": ["stop", "stop"]}, f"{at}actions: expected {tick['actions']}, got"),
        ({"late": [0, 1]}, f"{at}actions[0] of a seat that was late: expected 'wait', got"),
    ):
        events = [event | changed if event is tick else event for event in told["events"]]
        lines[number] = canonical({**told, "events": events}) + b"\n"
        said = differences(b"".join(lines))
        assert any(named in one for one in said), (named, said)


def test_only_versions_that_answer_ticks_enter_where_both_act_at_once(ada: User) -> None:
    slow = new_bot(ada)
    judge(slow, True, boards=["crapaud"])
    Trial.objects.create(version=slow, board="vitesse", verdict=Trial.Verdict.LEFT_OUT, at=timezone.now())
    quick = house_bots("greedy", "random")
    with pytest.raises(InvalidTournament, match="does not play Crapette vitesse"):
        running(ada, [slow, *quick], variant="vitesse")
    ladder = ensure_ladder("vitesse")
    fill_ladder(ladder)
    entered = {entry.version for entry in ladder.entries.all()}
    assert slow not in entered
    assert entered == set(Version.objects.playing("vitesse").exclude(bot__slug__in=SPARRING))
