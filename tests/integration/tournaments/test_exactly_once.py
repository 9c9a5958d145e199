"""Claims, leases and results: what comes twice, late or from the wrong worker counts once or not at all."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from analysis.errors import BrokenChain, ResultRefused, StaleAttempt, WrongStatus
from arena.accounts.models import User
from bots.models import Version
from tests.factories.results import accepted_pairs, delivery, lease, play_all, play_one
from tests.factories.tournaments import rivals, running
from tournaments.events.standings import tournament_standings
from tournaments.games.claims import MOST_FAILURES, claim, claim_next, end_attempt, release, renew
from tournaments.games.results import accept_result
from tournaments.models import Alarm, Attempt, EventBatch, Game, Pair, Pairing, Rating, Record, Result
from tournaments.operation.recovery import recover, sweep
from tournaments.pairing import pairs
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.planning import WINDOW
from tournaments.pairing.progress import cancel_tournament, pause_tournament, resume_tournament
from tournaments.ratings import ratings
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings


def test_a_whole_tournament_adds_up(db: None) -> None:
    tournament = running(None, rivals(), pairs=3)
    assert play_all(tournament) == 3 * 3 * 2
    assert tournament.status == "finished"
    standings = tournament_standings(tournament)
    assert sum(standing.row.points for standing in standings) == 18
    assert [standing.row.games for standing in standings] == [12, 12, 12]
    assert Record.objects.count() == Result.objects.count() == 18
    assert not EventBatch.objects.exists()
    compute_ratings("crapaud")
    assert Rating.objects.count() == 3
    assert audit_all() == {"crapaud": []}


def test_a_game_is_claimed_once(trio: list[Version], ada: User) -> None:
    running(ada, trio)
    game = Game.objects.order_by("order")[0]
    game = Game.objects.select_related("tournament").get(pk=game.pk)
    assert claim(game, "one") is not None
    assert claim(game, "other") is None
    assert Attempt.objects.filter(game=game).count() == 1


def test_the_same_result_again_is_answered_the_same_and_another_is_refused(
    trio: list[Version], ada: User
) -> None:
    running(ada, trio)
    held = lease()
    first = accept_result(held, delivery(held.game, seat=0))
    assert accept_result(held, delivery(held.game, seat=0)) == first
    with pytest.raises(ResultRefused, match=r"^expected the accepted result \w{64} of game .*, got \w{64}$"):
        accept_result(held, delivery(held.game, seat=1))
    assert Result.objects.get().ranking == [[0], [1]]


def test_a_late_result_of_a_lost_lease_is_refused_and_the_new_attempts_counts(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    late = lease()
    Attempt.objects.filter(pk=late.attempt).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep()
    game = Game.objects.select_related("tournament").get(pk=late.game)
    assert game.status == "queued"
    new = claim(game, "another worker")
    assert new is not None
    assert new.token == late.token + 1
    with pytest.raises(StaleAttempt, match=r"^expected attempt 1 of game .* to be current, it is not$"):
        accept_result(late, delivery(late.game, seat=1))
    accept_result(new, delivery(new.game, seat=0))
    # The late worker delivers once more, after the accepted one.
    with pytest.raises(ResultRefused):
        accept_result(late, delivery(late.game, seat=1))
    assert Result.objects.get().attempt_id == new.attempt
    play_all(tournament)
    assert accepted_pairs(tournament) == 6
    assert audit_all() == {"crapaud": []}


def test_a_lost_lease_cannot_be_renewed_and_its_events_are_not_stored(trio: list[Version], ada: User) -> None:
    running(ada, trio)
    held = lease()
    renew(held, 2, delivery(held.game).events[:2])
    assert Attempt.objects.get(pk=held.attempt).ply == 2
    Attempt.objects.filter(pk=held.attempt).update(lease_until=timezone.now() - timedelta(seconds=1))
    sweep()
    assert not EventBatch.objects.exists()
    with pytest.raises(StaleAttempt):
        renew(held, 4, delivery(held.game).events[2:4])
    assert not EventBatch.objects.exists()


def test_a_lease_that_ends_too_far_ahead_is_taken_back_too(trio: list[Version], ada: User) -> None:
    """The clock was set back after the claim."""
    running(ada, trio)
    held = lease()
    Attempt.objects.filter(pk=held.attempt).update(lease_until=timezone.now() + timedelta(hours=2))
    sweep()
    assert Attempt.objects.get(pk=held.attempt).cause == "lease-expired"


def test_a_log_with_a_gap_is_not_accepted(trio: list[Version], ada: User) -> None:
    running(ada, trio)
    held = lease()
    whole = delivery(held.game)
    with pytest.raises(BrokenChain, match=r"^expected event 1, got 2$"):
        accept_result(held, replace(whole, events=[whole.events[0], *whole.events[2:]]))
    assert Game.objects.get(pk=held.game).status == "running"


def test_a_pair_is_accepted_with_its_last_leg_only(trio: list[Version], ada: User) -> None:
    tournament = running(ada, trio)
    one = play_one(seat=0)
    pair = Pair.objects.get(games=one.game)
    assert pair.status == "running"
    assert accepted_pairs(tournament) == 0
    other = play_one(seat=0)
    pair.refresh_from_db()
    assert Pair.objects.get(games=other.game) == pair
    # Seat 0 won both games, so each entrant won one.
    assert (pair.status, pair.score, pair.margin) == ("accepted", 2, 0.0)
    pairing = Pairing.objects.get(pk=pair.pairing_id)
    assert (pairing.wins, pairing.draws, pairing.losses, pairing.pairs_done) == (1, 0, 1, 1)
    assert pairing.penta == (0, 0, 1, 0, 0)


def test_a_voided_pair_is_taken_back_and_played_again_on_the_same_deal(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    play_all(tournament)
    before = [(one.entry.pk, one.row.points) for one in tournament_standings(tournament)]
    pair = Pair.objects.filter(status="accepted")[0]
    again = void_pair(pair, "the host ran out of memory")
    assert again is not None
    tournament.refresh_from_db()
    assert tournament.status == "running"
    assert (again.deal_seed, again.number, again.run) == (pair.deal_seed, pair.number, 2)
    assert accepted_pairs(tournament) == 5
    assert audit_all() == {"crapaud": []}
    assert play_all(tournament) == 2
    assert tournament.status == "finished"
    assert sum(one.row.points for one in tournament_standings(tournament)) == 12
    assert before == [(one.entry.pk, one.row.points) for one in tournament_standings(tournament)]
    with pytest.raises(WrongStatus, match=r"^This pair is already void\.$"):
        void_pair(pair, "again")


def test_a_result_for_a_voided_game_is_refused(trio: list[Version], ada: User) -> None:
    running(ada, trio)
    held = lease()
    void_pair(Pair.objects.get(games=held.game), "by an operator")
    with pytest.raises(StaleAttempt):
        accept_result(held, delivery(held.game))


def test_a_game_that_fails_three_times_sets_its_pair_aside_with_an_alarm(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    held = lease()
    pair = Pair.objects.get(games=held.game)
    for failure in range(MOST_FAILURES):
        game = Game.objects.select_related("tournament").get(pk=held.game)
        again = held if failure == 0 else claim(game, "a worker")
        assert again is not None
        release(again, Attempt.Cause.INFRASTRUCTURE, "the disk is full")
    pair.refresh_from_db()
    assert pair.status == "stuck"
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.cleared_at) == ("pair", None)
    assert alarm.detail == ("A pair of 'Test cup' failed 3 times and waits for an operator: the disk is full")
    play_all(tournament)
    assert tournament.status == "running"
    void_pair(pair, "the disk was emptied")
    alarm.refresh_from_db()
    assert alarm.cleared_at is not None
    play_all(tournament)
    assert tournament.status == "finished"
    assert audit_all() == {"crapaud": []}


def test_ratings_do_not_know_of_failed_attempts(db: None) -> None:
    def ratings() -> list[tuple[int, float, float]]:
        compute_ratings("crapaud")
        return list(Rating.objects.order_by("version").values_list("version", "elo", "error"))

    tournament = running(None, rivals())
    play_one()
    play_one()
    before = ratings()
    assert before
    held = lease()
    release(held, Attempt.Cause.PLAYER_DIED, "killed")
    assert ratings() == before
    play_all(tournament)
    assert ratings() != before


def test_after_a_restart_interrupted_games_are_played_again_and_finished_ones_stay(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    done = play_one()
    interrupted = lease()
    assert recover() == {"attempts": 0, "games": 10, "checks": 0}
    assert recover(alone=True) == {"attempts": 1, "games": 11, "checks": 0}
    assert Attempt.objects.get(pk=interrupted.attempt).cause == "restarted"
    assert Result.objects.get().game_id == done.game
    assert play_all(tournament) == 11
    assert tournament.status == "finished"
    assert Result.objects.count() == 12


def test_a_cancelled_tournament_stops_its_games_and_keeps_its_accepted_pairs(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    play_one()
    play_one()
    held = lease()
    cancel_tournament(tournament, "by its owner")
    with pytest.raises(StaleAttempt):
        renew(held, 1)
    with pytest.raises(StaleAttempt):
        accept_result(held, delivery(held.game))
    assert claim_next("a worker") is None
    assert accepted_pairs(tournament) == 1
    assert audit_all() == {"crapaud": []}
    with pytest.raises(
        WrongStatus,
        match=r"^The tournament is cancelled\."
        r" This works only while it is not started or running or paused\.$",
    ):
        cancel_tournament(tournament)


def test_a_paused_tournament_begins_no_games_and_accepts_those_in_progress(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    held = lease()
    pause_tournament(tournament)
    assert claim_next("a worker") is None
    accept_result(held, delivery(held.game))
    resume_tournament(tournament)
    assert play_all(tournament) == 11
    assert tournament.status == "finished"


def test_owners_take_turns(trio: list[Version], ada: User, bob: User) -> None:
    hers = running(ada, trio, pairs=5)
    his = running(bob, trio, pairs=5, name="Bob's cup")
    slugs = [lease().slug for _ in range(6)]
    assert sorted(slugs) == sorted([hers.slug, his.slug] * 3)
    assert slugs[0] != slugs[1]


def test_a_result_of_an_attempt_that_has_ended_is_refused(trio: list[Version], ada: User) -> None:
    running(ada, trio)
    held = lease()
    Attempt.objects.filter(pk=held.attempt).update(ended_at=timezone.now(), cause="lease-expired")
    with pytest.raises(StaleAttempt, match=r"^expected attempt 1 of game .* to be open, it has ended$"):
        accept_result(held, delivery(held.game))
    assert not Result.objects.exists()
    assert Game.objects.get(pk=held.game).status == "running"


def test_a_lease_knows_its_game_without_reading_it_again(
    trio: list[Version], ada: User, django_assert_num_queries: Any
) -> None:
    tournament = running(ada, trio)
    held = lease()
    with django_assert_num_queries(0):
        game = held.game_row()
        assert (game.pk, game.token, game.tournament.slug) == (held.game, held.token, tournament.slug)


def test_a_pair_asks_for_more_games_only_when_half_of_the_window_is_played(
    trio: list[Version], ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(pairs, "advance_on_commit", asked.append)
    tournament = running(ada, trio, pairs=20)
    made = Pair.objects.count()
    assert made == WINDOW
    for _ in range(made - 4):
        play_one()
    assert asked == []
    for _ in range(2):
        play_one()
    assert asked == [tournament.pk]


def test_ratings_wait_longer_the_more_versions_are_rated(db: None) -> None:
    tournament = running(None, rivals(3))
    assert ratings.delay("crapaud") == ratings.DELAY_SECONDS
    play_all(tournament)
    compute_ratings("crapaud")
    assert ratings.delay("crapaud") == pytest.approx(ratings.DELAY_SECONDS + 3 * ratings.DELAY_A_VERSION)


def test_an_attempt_ends_once(trio: list[Version], ada: User) -> None:
    running(ada, trio)
    held = lease()
    attempt = Attempt.objects.get(pk=held.attempt)
    assert end_attempt(attempt, Attempt.Cause.PLAYER_DIED)
    assert not end_attempt(attempt, Attempt.Cause.LEASE_EXPIRED)
    assert Attempt.objects.get(pk=held.attempt).cause == "player-died"


def test_the_audit_finds_a_changed_counter_a_lost_record_and_a_changed_rating(db: None) -> None:
    tournament = running(None, rivals())
    play_all(tournament)
    compute_ratings("crapaud")
    assert audit_all() == {"crapaud": []}
    pairing = Pairing.objects.all()[0]
    Pairing.objects.filter(pk=pairing.pk).update(wins=pairing.wins + 1)
    record = Record.objects.all()[0]
    Record.objects.filter(pk=record.pk).delete()
    rating = Rating.objects.all()[0]
    Rating.objects.filter(pk=rating.pk).update(elo=rating.elo + 1)
    found = audit_all()["crapaud"]
    assert found[0] == f"Game {record.pk} is finished without a result or record."
    assert found[1].startswith(f"Pairing {pairing.pk} counts [2, ")
    assert (
        f"The elo of version {rating.version_id} is stored as {rating.elo + 1}, computed as {rating.elo}."
        in found
    )
    assert Alarm.objects.get(kind="audit").key == "crapaud"
