"""Bots that are benched or leave: what they forfeit, format by format, and how they come back."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.formats.groups import GroupRule
from analysis.formats.matches import MatchRule
from arena.accounts.models import User
from arena.web import worker_messages
from arena.web.processes.alarms import raise_alarm
from bots import checks, uploads
from bots.bots import withdraw_bot
from bots.models import Bot, Trial, Version
from engine.boards import BOARDS
from people.deletion import delete_account
from tests.factories.bots import accepted_bot, judge, upload
from tests.factories.bundles import bundled, findings
from tests.factories.results import accept_result, delivery, group_delivery, lease, play_all, play_one
from tests.factories.tournaments import created, rivals, running
from tournaments import tasks
from tournaments.events.brackets import current_bracket
from tournaments.events.creation import enterable
from tournaments.events.standings import count, progress, tournament_standings
from tournaments.games.attempts import end_attempt
from tournaments.games.claims import claim_next
from tournaments.models import Alarm, Attempt, Game, Pair, Pairing, Seat, Tournament
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.operation import benchings
from tournaments.operation.recovery import sweep
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.hidden_results_reveal import reveal
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import (
    advance,
    cancel_tournament,
    start_in_a_worker,
)
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder

pytestmark = pytest.mark.django_db

MATCH = MatchRule("points", 30, 2).as_options()

EVENTS: dict[str, dict[str, Any]] = {
    "round-robin": {"cycles": 2},
    "swiss": {"format": "swiss", "rounds": 3},
    "single-elimination": {"format": "single-elimination"},
    "double-elimination": {"format": "double-elimination"},
    "groups": {"format": "groups", "options": GroupRule(2, 1).as_options()},
    "knock-out of matches": {"variant": "crapette", "format": "single-elimination", "options": MATCH},
    "three seats": {"players": 3, "variant": "crapette"},
}


def leave_with_the_account(version: Version) -> None:
    owner = version.bot.owner
    assert owner is not None
    delete_account(owner)


def departed_long_ago(*versions: Version) -> None:
    """What an earlier version of the arena left of deleted accounts: events were not told."""
    Version.objects.filter(pk__in=[one.pk for one in versions]).update(archive=None)
    bots = Bot.objects.filter(versions__in=versions)
    bots.update(owner=None, withdrawn_at=timezone.now())


def points(event: Tournament) -> dict[int, float]:
    return {one.entry.version_id: one.row.points for one in tournament_standings(event)}


def ends_and_is_verified(event: Tournament) -> None:
    play_all(event)
    assert event.status == "finished"
    assert findings(bundled(event))[0] == []
    assert not any(audit_all().values())


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_ends_without_a_bot_that_left_and_without_all_and_its_file_is_verified(kind: str) -> None:
    versions = rivals(5)
    event = running(None, versions[:4], pairs=1, **EVENTS[kind])
    for _ in range(4):
        if (held := claim_next("a worker")) is None:
            advance(event.pk)
            held = lease()
        accept_result(held, (delivery if event.players == 2 else group_delivery)(held.game))
    before = points(event)
    withdraw_bot(versions[0].bot)
    theirs = Seat.objects.filter(version=versions[0], game__status="queued", game__pair__status="queued")
    assert not theirs.exists()
    after = points(event)
    assert all(after[one.pk] >= before[one.pk] for one in versions[1:4])
    ends_and_is_verified(event)
    leaver = event.entries.get(withdrawn=True)
    if "elimination" in kind or "knock-out" in kind:
        assert current_bracket(event, list(event.entries.order_by("number"))).state.champion != leaver.pk
    if kind == "round-robin":  # each meeting has so many points, played or not
        assert sum(points(event).values()) == 2 * event.cycles * 6

    if kind in ("round-robin", "knock-out of matches"):
        return  # without all they are like groups and other knock-outs
    again = running(None, versions[1:], pairs=1, name="Again", **EVENTS[kind])
    for version in versions[1:4]:
        withdraw_bot(version.bot)
    leave_with_the_account(versions[4])
    ends_and_is_verified(again)


def test_a_bot_that_leaves_before_the_first_games_are_made_or_that_hides_its_results_forfeits() -> None:
    versions = rivals(3)
    event = created(None, versions, pairs_per_pairing=1)
    hidden = running(None, versions, pairs=1, hiding=Hiding(last_rounds=EVERY_ROUND))
    start_in_a_worker(event)
    leave_with_the_account(versions[0])
    play_all(event)
    assert event.status == "finished"
    assert not Seat.objects.filter(version=versions[0]).exists()
    with seeing_hidden():
        play_all(hidden)
        assert not Pair.objects.filter(status__in=("queued", "running", "stuck")).exists()
    reveal(hidden)
    hidden.refresh_from_db()
    assert hidden.status == "finished"
    assert min(points(event)[versions[1].pk], points(hidden)[versions[1].pk]) >= 2


@pytest.mark.each_database
def test_what_an_earlier_version_left_stuck_is_settled_at_the_next_tick() -> None:
    versions = rivals(3)
    ladder, event = ensure_ladder("crapaud"), running(None, versions, pairs=2)
    advance(ladder.pk)
    departed_long_ago(versions[0])
    ladder.entries.filter(version=versions[0]).update(withdrawn=True)
    theirs = Pair.objects.filter(games__seats__version=versions[0])
    for pair in theirs.filter(pairing__tournament__in=(ladder, event)).distinct():
        pair.games.update(status="void")
        Pair.objects.filter(pk=pair.pk).update(status="stuck")
        raise_alarm(Alarm.Kind.PAIR, f"pair {pair.pk}", "a pair failed")
    assert Alarm.objects.filter(cleared_at=None).exists()
    sweep()
    assert not Alarm.objects.filter(cleared_at=None).exists()
    assert not Pair.objects.filter(status="stuck").exists()
    advance(event.pk)
    play_all(event)
    assert event.status == "finished"


@pytest.mark.each_database
def test_a_game_without_files_is_never_claimed_and_blames_no_machine() -> None:
    versions = rivals(3)
    running(None, versions, pairs=3)
    held = lease()
    playing = {one.version_id for one in held.game_row().seats.all()}
    departed_long_ago(*(one for one in versions if one.pk in playing))
    now = timezone.now()
    ended = dict.fromkeys(("heartbeat_at", "lease_until", "ended_at"), now)
    for token in (100, 101):
        Attempt.objects.create(game_id=held.game, token=token, worker="", cause="infrastructure", **ended)
    assert end_attempt(Attempt.objects.get(pk=held.attempt), Attempt.Cause.INFRASTRUCTURE, "no files")
    assert not Alarm.objects.exists()
    Game.objects.update(not_before=None)
    while (claimed := claim_next("a worker")) is not None:
        here = {one.version_id for one in claimed.game_row().seats.all()}
        assert not Version.objects.filter(pk__in=here, archive=None).exists()
        accept_result(claimed, delivery(claimed.game))
    sweep()
    assert not Game.objects.filter(status="queued").exists()


def test_forfeits_are_no_games_for_ratings_and_the_audit() -> None:
    versions = rivals(4)
    event = running(None, versions, pairs=1, format="swiss", rounds=3)
    play_one()
    leaver = Seat.objects.filter(game__pair__status="queued")[0].version
    leave_with_the_account(leaver)
    play_all(event)
    made = count([event])[event.pk]
    assert progress(event, made, 4).total == made.done_pairs == made.made_pairs
    counted = Pair.objects.filter(status="accepted").count()
    assert sum(Pairing.objects.exclude(second=None).values_list("pairs_done", flat=True)) == counted
    audit_all()
    assert not Alarm.objects.exists()
    replayed = Pair.objects.filter(status="accepted", pairing__forfeited_by=None)[0]
    assert void_pair(replayed, "again") is not None


def test_a_match_that_a_bot_left_is_over_on_its_sheet_and_in_its_round(client: Client) -> None:
    versions = rivals(3)
    event = running(None, versions, variant="crapette", options=MATCH)
    play_one(points=[5, 0])
    advance(event.pk)
    withdraw_bot(versions[0].bot)
    play_all(event)
    for met in Pairing.objects.filter(forfeited_by__isnull=False):
        pages = [f"match/{met.round}/{met.table}/", f"rounds/?round={met.round}"]
        for page in pages:
            shown = client.get(f"{event.get_absolute_url()}{page}").content.decode()
            assert "Rival 1 v1 left the event" in shown
            assert "leads by" not in shown
    duel = running(None, versions[1:], variant="crapette", options=MATCH)
    play_one(points=[5, 0])
    play_one(points=[0, 5])
    advance(duel.pk)
    withdraw_bot(versions[1].bot)
    play_all(duel)
    assert "Rival 3 beat Rival 2 1–0" in client.get(duel.get_absolute_url()).content.decode()


WHY = "It crashed in its last 5 games."


def play(version: Version, *ends: str) -> None:
    """Play the version's next games so that it loses by these ends; "win" is a game without trouble."""
    for end in ends:
        seat = Seat.objects.filter(version=version, game__status=Game.Status.QUEUED)[0]
        Game.objects.exclude(pk=seat.game_id).filter(status="queued").update(order=1000)
        Game.objects.filter(pk=seat.game_id).update(order=0)
        Tournament.objects.exclude(pk=seat.game.tournament_id).update(served_at=timezone.now())
        held = claim_next("a worker")
        assert held is not None
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


@pytest.mark.any_database
def test_five_crashes_in_a_row_bench_it_and_nothing_else_does(
    field: list[Version], django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = field[0]
    Bot.objects.filter(pk=field[1].bot_id).update(owner=None, is_house=True)
    running(None, field[:2], pairs=12)
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        worker_messages._Carrier, "carrier", lambda task, given, _: sent.append((task, given))
    )
    look = ("tournaments.bench", [victim.pk])
    for end in ("illegal-move", "crash"):
        with django_capture_on_commit_callbacks(execute=True):
            play(victim, end)
        assert (look in sent) is (end == "crash"), "a crash asks to have the bot looked at"
    tasks.bench(victim.pk)
    play(victim, "win", *["illegal-move", "timeout", "silence", "resignation"] * 2)
    play(victim, "startup", "memory", "flood", "win", "crash", "startup", "memory", "protocol")
    assert not benched(victim)
    play(victim, "crash")
    assert benched(victim) == WHY
    assert victim not in enterable(None)


@pytest.mark.any_database
def test_a_rival_alone_or_what_owners_arrange_cannot_have_a_bot_benched(
    field: list[Version], ada: User
) -> None:
    victim, rival = field[:2]
    owned = running(ada, field[2:], pairs=2)
    play(field[2], *["crash"] * 6)
    assert not benched(field[2])
    cancel_tournament(owned)
    running(None, [victim, rival], pairs=5)
    play(victim, *["crash"] * 8)
    assert not benched(victim)
    running(None, [victim, field[2]], pairs=2)
    play(victim, "crash", "crash")
    assert not benched(victim)
    running(None, [victim, field[3]], pairs=1)
    play(victim, "crash")
    assert benched(victim).startswith("It crashed in its last 5 games")


def test_a_house_bot_is_not_benched_but_the_operator_is_told(field: list[Version]) -> None:
    field[0].bot.owner, field[0].bot.is_house = None, True
    field[0].bot.save()
    running(None, field, pairs=2)
    play(field[0], *["crash"] * 5)
    assert not benched(field[0])
    assert Alarm.objects.get(kind="bot").detail == "Rival 1 v1 of the house: It crashed in its last 5 games."


def test_its_owner_reads_why_and_has_it_checked_again_while_a_new_version_plays(
    client: Client, ada: User
) -> None:
    version = accepted_bot(ada, "Shaky")
    running(None, [version, *rivals(3)], pairs=2)
    play(version, *["crash"] * 5)
    assert benched(version)
    client.force_login(ada)
    assert WHY in client.get("/bots/shaky/").content.decode()
    assert client.post("/bots/shaky/versions/1/check-again/").status_code == 302

    def check(verdict: Trial.Verdict) -> None:
        claimed = checks.claim_check(version.pk)
        assert claimed is not None
        assert checks.claim_check(version.pk) is None
        assert checks.boards_to_try(claimed) == list(BOARDS)
        checks.record_trials(claimed, [checks.TrialReport(board, verdict, "so") for board in BOARDS])

    check(Trial.Verdict.FAILED)
    assert benched(version), "it passed nothing, and stays where it is"
    better = uploads.upload_version(version.bot, uploads.Submission(upload("better"), "bot.py"))
    judge(better, True)
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    entered = ladder.entries.filter(version__bot=version.bot, withdrawn=False)
    assert list(entered.values_list("version", flat=True)) == [better.pk]

    checks.ask_for_trials(version)
    check(Trial.Verdict.PASSED)
    assert not benched(version)
    # The old crashes are answered for: it takes five new ones.
    play(version, "crash")
    assert not benched(version)


def test_a_ladder_drops_what_has_not_begun_and_goes_on_with_the_others(field: list[Version]) -> None:
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    held = lease()
    begun = Seat.objects.get(game=held.game, seat=0).version
    benchings.bench(begun, WHY)
    pair = Pair.objects.get(games=held.game)
    assert set(pair.games.values_list("status", flat=True)) == {"running", "queued"}, (
        "it is played to its end"
    )
    queued = Seat.objects.filter(game__status="queued", game__pair__status="queued")
    version = queued[0].version
    assert benchings.bench(version, WHY)
    assert not queued.filter(version=version).exists()
    advance(ladder.pk)
    assert (queued.exists(), queued.filter(version=version).exists()) == (True, False)


def test_a_voided_pair_of_a_bot_that_left_is_won_by_its_opponent() -> None:
    versions = rivals(2)
    event = running(None, versions, pairs=2)
    play_all(event)
    leave_with_the_account(versions[0])
    void_pair(Pair.objects.filter(status="accepted")[0], "wrong")
    ends_and_is_verified(event)
    pairing = Pairing.objects.get()
    assert (pairing.pairs_planned, pairing.pairs_done, pairing.pairs_forfeited) == (1, 1, 1)
