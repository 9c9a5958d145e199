"""What bots forfeit that leave an event, format by format, and what a site keeps of bots that left before."""

from dataclasses import asdict
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.formats.groups import GroupRule
from analysis.formats.matches import MatchRule
from analysis.verdicts.sprt import Hypotheses
from arena.web.processes.alarms import raise_alarm
from bots.bots import restore_bot, withdraw_bot
from bots.models import Bot, Version
from people.deletion import delete_account
from tests.factories.results import delivery, group_delivery, lease, play_all, play_one
from tests.factories.tournaments import created, rivals, running
from tests.integration.tournaments.test_groups_verified import bundled, findings
from tournaments.events.brackets import current_bracket
from tournaments.events.standings import count, progress, tournament_standings
from tournaments.games.claims import claim_next, end_attempt
from tournaments.games.results import accept_result
from tournaments.models import Alarm, Attempt, Game, Pair, Pairing, Seat, Tournament
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.operation.recovery import recover, sweep
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import (
    advance,
    pause_tournament,
    resume_tournament,
    start_in_a_worker,
)
from tournaments.pairing.reveal import reveal
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import ensure_ladder

pytestmark = pytest.mark.django_db

MATCH = MatchRule("points", 30, 10).as_options()
EVENTS: dict[str, dict[str, Any]] = {
    "round-robin": {"cycles": 2},
    "gauntlet": {"format": "gauntlet"},
    "swiss": {"format": "swiss", "rounds": 3},
    "single-elimination": {"format": "single-elimination"},
    "double-elimination": {"format": "double-elimination"},
    "groups": {"format": "groups", "options": GroupRule(2, 1).as_options()},
    "matches": {"variant": "crapette", "options": MATCH},
    "knock-out of matches": {"variant": "crapette", "format": "single-elimination", "options": MATCH},
    "three seats": {"players": 3, "variant": "crapette"},
}


def leave_by_withdrawing(version: Version) -> None:
    withdraw_bot(version.bot)


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


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_ends_without_a_bot_that_left_and_its_file_is_verified(kind: str) -> None:
    versions = rivals(4)
    event = running(None, versions, pairs=1, **EVENTS[kind])
    for _ in range(4):
        if (held := claim_next("a worker")) is None:
            advance(event.pk)
            held = lease()
        end = (delivery if event.players == 2 else group_delivery)(held.game)
        accept_result(held, end)
    before = points(event)
    leave_by_withdrawing(versions[0])
    assert not Seat.objects.filter(
        version=versions[0], game__status="queued", game__pair__status="queued"
    ).exists()
    after = points(event)
    assert all(after[one.pk] >= before[one.pk] for one in versions[1:])
    play_all(event)
    assert event.status == "finished"
    assert findings(bundled(event)) == []
    leaver = event.entries.get(withdrawn=True)
    if "elimination" in kind or "knock-out" in kind:
        assert current_bracket(event, list(event.entries.order_by("number"))).state.champion != leaver.pk
    if kind == "round-robin":
        # Each meeting has so many points, played or not.
        made = sum(points(event).values())
        assert made == 2 * event.cycles * 6


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_ends_that_everybody_leaves(kind: str) -> None:
    versions = rivals(4)
    event = running(None, versions, pairs=1, **EVENTS[kind])
    if kind != "three seats":
        play_one()
    for version in versions[1:]:
        leave_by_withdrawing(version)
    leave_with_the_account(versions[0])
    play_all(event)
    assert event.status == "finished"
    assert findings(bundled(event)) == []
    assert Client().get(event.get_absolute_url()).status_code == 200


def test_a_bot_that_leaves_before_the_first_games_are_made_plays_none() -> None:
    versions = rivals(3)
    event = created(None, versions, pairs_per_pairing=1)
    start_in_a_worker(event)
    leave_by_withdrawing(versions[0])
    play_all(event)
    assert event.status == "finished"
    assert not Seat.objects.filter(version=versions[0]).exists()
    assert points(event)[versions[1].pk] >= 2


def test_a_bot_that_is_restored_does_not_return_to_an_event_but_to_ladders() -> None:
    versions = rivals(3)
    ladder, event = ensure_ladder("crapaud"), running(None, versions, pairs=2)
    advance(ladder.pk)
    leave_by_withdrawing(versions[0])
    restore_bot(versions[0].bot)
    advance(ladder.pk)
    advance(event.pk)
    assert event.entries.get(version=versions[0]).withdrawn
    assert not ladder.entries.get(version=versions[0]).withdrawn
    theirs = Seat.objects.filter(version=versions[0], game__tournament=event)
    assert not theirs.filter(game__status="queued").exists()


def test_a_test_that_is_paused_while_a_version_leaves_stops_once_it_goes_on() -> None:
    versions = rivals(2)
    test = running(None, versions, pairs=5, format="sprt", options=asdict(Hypotheses(0, 10)))
    pause_tournament(test)
    leave_with_the_account(versions[1])
    resume_tournament(test)
    advance(test.pk)
    test.refresh_from_db()
    assert test.status == "finished"
    assert test.note == "Stopped without a verdict: a bot left the event."


def test_an_event_that_hides_its_results_ends_without_a_bot_that_left() -> None:
    versions = rivals(3)
    event = running(None, versions, pairs=1, hiding=Hiding(last_rounds=EVERY_ROUND))
    leave_with_the_account(versions[0])
    with seeing_hidden():
        play_all(event)
        assert not Pair.objects.filter(status__in=("queued", "running", "stuck")).exists()
    reveal(event)
    event.refresh_from_db()
    assert event.status == "finished"
    assert points(event)[versions[1].pk] >= 2


@pytest.mark.each_database
def test_what_an_earlier_version_left_stuck_is_settled_at_the_next_tick_and_at_a_start() -> None:
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
    # A start finds nothing more to settle, nor does another tick.
    before = list(Pairing.objects.order_by("pk").values())
    recover(alone=True)
    sweep()
    assert list(Pairing.objects.order_by("pk").values()) == before


@pytest.mark.each_database
def test_a_game_without_files_is_never_claimed_and_blames_no_machine() -> None:
    versions = rivals(3)
    running(None, versions, pairs=3)
    held = lease()
    playing = {one.version_id for one in held.game_row().seats.all()}
    departed_long_ago(*(one for one in versions if one.pk in playing))
    for _ in range(2):
        Attempt.objects.create(
            game_id=held.game, token=100 + _, worker="", cause="infrastructure",
            heartbeat_at=timezone.now(), lease_until=timezone.now(), ended_at=timezone.now(),
        )  # fmt: skip
    assert end_attempt(Attempt.objects.get(pk=held.attempt), Attempt.Cause.INFRASTRUCTURE, "no files")
    assert not Alarm.objects.exists()
    Game.objects.update(not_before=None)
    while (claimed := claim_next("a worker")) is not None:
        here = {one.version_id for one in claimed.game_row().seats.all()}
        assert not Version.objects.filter(pk__in=here, archive=None).exists()
        accept_result(claimed, delivery(claimed.game))
    sweep()
    assert not Game.objects.filter(status="queued").exists()


def test_a_voided_pair_of_a_bot_that_left_is_won_by_its_opponent(client: Client) -> None:
    versions = rivals(2)
    owner = versions[1].bot.owner
    assert owner is not None
    event = running(owner, [versions[1], versions[0]], pairs=2)
    play_all(event)
    assert event.status == "finished"
    leave_with_the_account(versions[0])
    pair = Pair.objects.filter(status="accepted")[0]
    client.force_login(owner)
    page = client.post(f"/tournaments/{event.slug}/pairs/{pair.pk}/void/", {"reason": "wrong"}, follow=True)
    assert "its opponent wins it" in page.content.decode()
    play_all(event)
    assert event.status == "finished"
    pairing = Pairing.objects.get()
    assert (pairing.pairs_planned, pairing.pairs_done, pairing.pairs_forfeited) == (1, 1, 1)
    assert not Pair.objects.filter(status__in=("queued", "stuck")).exists()
    assert findings(bundled(event)) == []


def test_the_page_says_who_left_and_what_became_of_its_games() -> None:
    versions = rivals(4)
    event = running(None, versions, pairs=1, format="swiss", rounds=3)
    play_one()
    play_one()
    leave_with_the_account(versions[0])
    page = Client().get(event.get_absolute_url()).content.decode()
    assert f"Departed bot {versions[0].bot_id} left this event." in page
    assert f"Departed bot {versions[0].bot_id} can still reach" not in page
    play_all(event)
    made = count([event])[event.pk]
    assert progress(event, made, 4).total == made.done_pairs == made.made_pairs
    assert "problem on our side" not in page
    game = Game.objects.filter(status="void").first()
    if game is not None:
        assert "A bot left the event." in Client().get(game.get_absolute_url()).content.decode()


def test_forfeits_are_no_games_for_ratings_and_the_audit() -> None:
    versions = rivals(3)
    event = running(None, versions, pairs=2)
    play_one()
    play_one()
    leave_with_the_account(versions[2])
    play_all(event)
    counted = Pair.objects.filter(status="accepted").count()
    assert sum(Pairing.objects.values_list("pairs_done", flat=True)) == counted
    audit_all()
    assert not Alarm.objects.exists()
    void = Pair.objects.filter(status="void").first()
    if void is not None:
        assert void.void_reason == "A bot left the event."
    replayed = Pair.objects.filter(status="accepted", pairing__forfeited_by=None)[0]
    assert void_pair(replayed, "again") is not None
