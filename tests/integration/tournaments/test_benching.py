"""A version that keeps crashing is benched, and comes back by a new check."""

from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from arena.web import worker_messages
from bots import checks, uploads
from bots.errors import NotActivatable
from bots.models import Bot, Trial, Version
from engine.boards import BOARDS
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, judge, upload
from tests.factories.results import delivery, lease
from tests.factories.tournaments import rivals, running
from tournaments import tasks
from tournaments.events.creation import enterable
from tournaments.games.results import accept_result
from tournaments.models import Alarm, Entry, Game, Pair, Seat, Tournament
from tournaments.operation import benchings
from tournaments.pairing.progress import advance
from tournaments.ratings.ladder import ensure_ladder

pytestmark = pytest.mark.django_db
PASSED = Trial.Verdict.PASSED
WHY = "It crashed in its last 5 games."


def play(version: Version, *ends: str) -> None:
    """Play the version's next games so that it loses by these ends; "win" is a game without trouble."""
    for end in ends:
        seat = Seat.objects.filter(version=version, game__status=Game.Status.QUEUED)[0]
        Game.objects.exclude(pk=seat.game_id).filter(status="queued").update(order=1000)
        Game.objects.filter(pk=seat.game_id).update(order=0)
        Tournament.objects.exclude(pk=seat.game.tournament_id).update(served_at=timezone.now())
        held = lease()
        assert held.game == seat.game_id
        more: dict[str, Any] = {} if end == "win" else {"termination": end}
        if end != "win":
            more["detail"] = f"Seat {seat.seat}: it is gone."
        whole = delivery(held.game, seat=1 - seat.seat if end != "win" else seat.seat)
        whole.result.update(more, seat=seat.seat if end != "win" else None)  # type: ignore[attr-defined]
        accept_result(held, whole)
        benchings.look_at(version.pk)


def benched(version: Version) -> str:
    """Why it is benched; empty if it is not."""
    version.refresh_from_db()
    return version.benched_because


@pytest.fixture
def field(db: None) -> list[Version]:
    return rivals(5)


def against_the_house(field: list[Version], pairs: int) -> None:
    """Let the first play so many pairs against the second, which is the house's from now on."""
    Bot.objects.filter(pk=field[1].bot_id).update(owner=None, is_house=True)
    running(None, field[:2], pairs=pairs)


@pytest.mark.any_database
def test_five_crashes_in_a_row_bench_it_and_nothing_else_does(field: list[Version]) -> None:
    victim = field[0]
    against_the_house(field, pairs=12)
    play(victim, *["illegal-move", "timeout", "silence", "resignation"] * 2)
    play(victim, "crash", "startup", "memory", "flood", "win", "crash", "startup", "memory", "protocol")
    assert not benched(victim)
    play(victim, "crash")
    assert benched(victim) == WHY
    assert victim.is_benched
    assert victim not in enterable(None)


@pytest.mark.any_database
def test_a_tenth_of_the_last_fifty_games_benches_it_too(field: list[Version]) -> None:
    victim = field[0]
    against_the_house(field, pairs=30)
    play(victim, *["win"] * 9, "crash")
    play(victim, *(["win"] * 9 + ["crash"]) * 3)
    play(victim, *["win"] * 9)
    assert not benched(victim)
    play(victim, "crash")
    assert benched(victim) == "It crashed in 5 of its last 50 games."


@pytest.mark.any_database
def test_a_rival_alone_cannot_have_a_bot_benched(field: list[Version]) -> None:
    victim, rival = field[:2]
    running(None, [victim, rival], pairs=10)
    play(victim, *["crash"] * 12)
    assert not benched(victim)
    running(None, [victim, field[2]], pairs=2)
    play(victim, "crash", "crash")
    assert not benched(victim)
    running(None, [victim, field[3]], pairs=1)
    play(victim, "crash")
    assert benched(victim).startswith("It crashed in its last 5 games")


def test_what_its_owner_or_others_arrange_never_benches_a_bot(field: list[Version], ada: User) -> None:
    running(ada, field, pairs=3)
    play(field[0], *["crash"] * 8)
    assert not benched(field[0])


@pytest.mark.any_database
def test_a_crash_asks_to_have_the_bot_looked_at(
    field: list[Version], django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    running(None, field[:2], pairs=1)
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        worker_messages._Carrier, "carrier", lambda task, given, _: sent.append((task, given))
    )
    with django_capture_on_commit_callbacks(execute=True):
        play(field[0], "crash")
    assert ("tournaments.bench", [field[0].pk]) in sent
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        play(field[0], "illegal-move")
    assert not any(task == "tournaments.bench" for task, _ in sent)
    tasks.bench(field[0].pk)


def test_a_ladder_drops_what_has_not_begun_and_goes_on_with_the_others(field: list[Version]) -> None:
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    victim = Seat.objects.filter(game__status="queued")[0]
    version = victim.version
    assert benchings.bench(version, WHY)
    assert Entry.objects.get(tournament=ladder, version=version).withdrawn
    assert not Seat.objects.filter(version=version, game__status="queued").exists()
    assert set(Pair.objects.filter(games__seats__version=version).values_list("status", "void_reason")) == {
        ("void", f"{version} was benched.")
    }
    advance(ladder.pk)
    assert Game.objects.filter(status="queued").exists()
    assert not Seat.objects.filter(version=version, game__status="queued").exists()
    assert not benchings.bench(version, "again"), "it is benched already"


def test_a_pair_that_has_begun_on_the_ladder_is_played_to_its_end(field: list[Version]) -> None:
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    held = lease()
    version = Seat.objects.get(game=held.game, seat=0).version
    benchings.bench(version, WHY)
    pair = Pair.objects.get(games=held.game)
    assert pair.status == "running"
    assert set(pair.games.values_list("status", flat=True)) == {"running", "queued"}


def test_another_event_goes_on_without_it(field: list[Version]) -> None:
    event = running(None, field, pairs=1)
    benchings.bench(field[0], WHY)
    event.refresh_from_db()
    assert event.status == "running"
    assert Entry.objects.get(tournament=event, version=field[0]).withdrawn
    assert not Seat.objects.filter(version=field[0], game__status="queued").exists()


def test_a_sequential_test_of_it_stops_without_a_verdict(field: list[Version]) -> None:
    event = running(None, field[:2], pairs=5, format="sprt", options=asdict(Hypotheses(0, 10)))
    benchings.bench(field[0], WHY)
    event.refresh_from_db()
    assert event.status == "finished"
    assert event.note == "Stopped without a verdict: Rival 1 v1 was benched."
    assert "verdict" not in event.options
    assert not Game.objects.filter(status__in=("queued", "running")).exists()


def test_a_house_bot_is_not_benched_but_the_operator_is_told(field: list[Version]) -> None:
    field[0].bot.owner, field[0].bot.is_house = None, True
    field[0].bot.save()
    running(None, field, pairs=2)
    play(field[0], *["crash"] * 5)
    assert not benched(field[0])
    assert Alarm.objects.get(kind="bot").detail == "Rival 1 v1 of the house: It crashed in its last 5 games."


def test_its_owner_reads_why_and_has_it_checked_again(client: Client) -> None:
    ada = author("ada")
    version = accepted_bot(ada, "Shaky")
    running(None, [version, *rivals(3)], pairs=2)
    play(version, *["crash"] * 5)
    assert benched(version)
    client.force_login(ada)
    said = WHY
    for address in ("/bots/account/", "/bots/shaky/", "/bots/shaky/versions/1/"):
        assert said in client.get(address).content.decode(), address
    assert client.post("/bots/shaky/versions/1/check-again/").status_code == 302
    version.refresh_from_db()
    assert version.trial_asked_at is not None
    with pytest.raises(NotActivatable, match="is already waiting for its check"):
        checks.ask_for_trials(version)
    claimed = checks.claim_check(version.pk)
    assert claimed is not None
    assert checks.claim_check(version.pk) is None
    assert checks.boards_to_try(claimed) == list(BOARDS)
    # It passes nothing, and stays where it is.
    checks.record_trials(claimed, [checks.TrialReport(board, Trial.Verdict.FAILED, "no") for board in BOARDS])
    assert benched(version)
    checks.ask_for_trials(version)
    claimed = checks.claim_check(version.pk)
    assert claimed is not None
    checks.record_trials(claimed, [checks.TrialReport(board, PASSED, "yes") for board in BOARDS])
    assert not benched(version)
    # The old crashes are answered for: it takes five new ones.
    play(version, "crash")
    assert not benched(version)


@pytest.mark.any_database
def test_a_new_version_plays_while_the_old_one_stays_benched(ada: User) -> None:
    version = accepted_bot(ada, "Shaky")
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    benchings.bench(version, WHY)
    better = uploads.upload_version(version.bot, uploads.Submission(upload("better"), "bot.py"))
    judge(better, True)
    advance(ladder.pk)
    assert list(ladder.entries.filter(withdrawn=False).values_list("version", flat=True)) == [better.pk]
