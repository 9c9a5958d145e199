"""Claims, leases and results: what comes twice, late or from the wrong worker counts once or not at all."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from analysis.errors import BrokenChain, ResultRefused, StaleAttempt, WrongStatus
from arena.accounts.models import User
from arena.web.processes.alarms import clear_alarm
from bots.errors import Unplayable
from bots.models import Version
from bots.playing.game_process import DeliveredGame
from tests.factories.bots import accepted_bot
from tests.factories.results import (
    accept_result,
    accepted_pairs,
    delivery,
    lease,
    play_all,
    play_attempt,
    play_one,
)
from tests.factories.tournaments import rivals, running
from tournaments import live_updates as events
from tournaments.events.standings import tournament_standings
from tournaments.games import play
from tournaments.games.attempts import MOST_FAILURES, end_attempt, release, renew
from tournaments.games.claims import Lease, claim, claim_next, claim_rest
from tournaments.models import (
    AccountLink,
    Alarm,
    Attempt,
    EventBatch,
    Game,
    Pair,
    Pairing,
    Rating,
    Record,
    Result,
    Seat,
    Tournament,
)
from tournaments.operation.ledger import ledger
from tournaments.operation.recovery import recover, sweep
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import cancel_tournament, pause_tournament, resume_tournament
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings


@pytest.fixture
def cup(ada: User, trio: list[Version]) -> Tournament:
    return running(ada, trio, pairs=1)


def claimable(held: Lease) -> Game:
    return Game.objects.select_related("tournament").get(pk=held.game)


def test_a_game_that_fails_three_times_sets_its_pair_aside_with_an_alarm(
    cup: Tournament, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    over: list[object] = []
    monkeypatch.setattr(events, "publish_finished", over.append)
    held = lease()
    pair = Pair.objects.get(games=held.game)
    for failure in range(MOST_FAILURES):
        again = held if failure == 0 else claim(claimable(held), "a worker")
        assert again is not None
        with django_capture_on_commit_callbacks(execute=True):
            release(again, Attempt.Cause.INFRASTRUCTURE, "the disk is full")
    assert held.game in over, "or its watchers would wait for good"
    pair.refresh_from_db()
    assert pair.status == "stuck"
    alarm = Alarm.objects.get(kind="pair", cleared_at=None)
    play_all(cup)
    assert cup.status == "running"
    void_pair(pair, "the disk was emptied")
    alarm.refresh_from_db()
    assert alarm.cleared_at is not None
    play_all(cup)
    assert cup.status == "finished"
    assert audit_all() == {"crapaud": []}


def test_after_a_restart_interrupted_games_are_played_again_and_ratings_know_nothing_of_it(db: None) -> None:
    def rated() -> list[tuple[int, float, float]]:
        compute_ratings("crapaud")
        return list(Rating.objects.order_by("version").values_list("version", "elo", "error"))

    tournament = running(None, rivals())
    done = {play_one().game, play_one().game}
    before = rated()
    interrupted = lease()
    assert recover() == {"attempts": 0, "games": 9, "checks": 0}
    assert recover(alone=True) == {"attempts": 1, "games": 10, "checks": 0}
    assert Attempt.objects.get(pk=interrupted.attempt).cause == "restarted"
    assert rated() == before
    assert set(Result.objects.values_list("game", flat=True)) == done
    assert play_all(tournament) == 10
    assert tournament.status == "finished"
    assert Result.objects.count() == 12
    assert rated() != before


def test_a_paused_tournament_begins_no_games_and_a_cancelled_one_keeps_only_its_accepted_pairs(
    cup: Tournament,
) -> None:
    play_one()
    held = lease()
    pause_tournament(cup)
    assert claim_next("a worker") is None
    accept_result(held, delivery(held.game))
    resume_tournament(cup)
    held = lease()
    cancel_tournament(cup, "by its owner")
    with pytest.raises(StaleAttempt):
        renew(held, 1)
    with pytest.raises(StaleAttempt):
        accept_result(held, delivery(held.game))
    assert claim_next("a worker") is None
    assert accepted_pairs(cup) == 1
    assert audit_all() == {"crapaud": []}
    with pytest.raises(WrongStatus, match=r"^The tournament is cancelled\. This works only while it is not"):
        cancel_tournament(cup)


def test_owners_take_turns_at_pairs(trio: list[Version], ada: User, bob: User) -> None:
    hers = running(ada, trio, pairs=5)
    his = running(bob, trio, pairs=5, name="Bob's cup")
    held = [lease() for _ in range(8)]
    assert [one.slug for one in held[:4]] in (
        [hers.slug] * 2 + [his.slug] * 2,
        [his.slug] * 2 + [hers.slug] * 2,
    )
    assert sorted(one.slug for one in held) == sorted([hers.slug, his.slug] * 4)
    pairs = [one.game_row().pair_id for one in held]
    assert pairs[::2] == pairs[1::2]


def test_the_second_game_of_a_pair_is_claimed_only_where_and_while_it_may_be_played(
    trio: list[Version], ada: User
) -> None:
    tournament = running(ada, trio)
    first = claim_next("a worker", "one")
    assert first is not None
    assert claim_rest(first, "a worker", "two") is None
    pause_tournament(tournament)
    assert claim_rest(first, "a worker", "one") is None
    resume_tournament(tournament)
    second = claim_rest(first, "a worker", "one")
    assert second is not None
    assert (second.game_row().pair_id, second.game_row().leg, second.token) == (
        first.game_row().pair_id,
        1,
        1,
    )
    assert Game.objects.get(pk=second.game).start == second.game_row().start
    assert claim_rest(first, "another worker", "one") is None
    assert Attempt.objects.get(pk=second.attempt).host == "one"


@pytest.mark.on_postgresql
@pytest.mark.parametrize(("lasts", "stored"), [(False, [0, 0]), (True, [0, 0, 1])])
def test_short_games_of_a_pair_are_delivered_together_and_before_the_news_of_a_long_one(
    trio: list[Version], ada: User, monkeypatch: pytest.MonkeyPatch, lasts: bool, stored: list[int]
) -> None:
    running(ada, trio)
    seen: list[int] = []

    def playing(start: str, *arguments: Any, **_: Any) -> DeliveredGame:
        seen.append(Result.objects.count())
        game = Game.objects.get(start=start, status="running")
        whole = delivery(game.pk)
        if lasts and game.leg == 1:
            assert arguments[-1](2, list(whole.events[:2]))
            seen.append(Result.objects.count())
        return replace(whole, passed_on=lasts and game.leg == 1)

    monkeypatch.setattr(play, "play", playing)
    assert play.play_next("a worker")
    assert seen == stored
    assert Result.objects.count() == 2
    assert Pair.objects.filter(status="accepted").count() == 1
    assert not EventBatch.objects.exists()
    assert Seat.objects.filter(cpu_ms__isnull=False).count() == 4


def lose(version: Version, times: int) -> None:
    """Have so many games of the version end as if the host had killed it."""
    for _ in range(times):
        seat = Seat.objects.filter(version=version, game__status=Game.Status.QUEUED)[0]
        held = claim(Game.objects.select_related("pair", "tournament").get(pk=seat.game_id), "a worker")
        assert held is not None
        play.give_back(held, Unplayable(f"seat {seat.seat}: it was killed", seat=seat.seat))


def doubted(*versions: Version) -> list[int]:
    return sorted(play.doubted_seats(versions))


def test_after_three_voids_a_person_is_called_and_only_proof_is_believed(
    trio: list[Version], ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, other = trio[0], accepted_bot(bob, "Bob's own")
    running(ada, [*trio, other], pairs=4)
    lose(victim, play.MOST - 1)
    assert doubted(other, victim) == []
    assert not Alarm.objects.filter(kind="bot").exists()
    lose(victim, 1)
    assert doubted(other, victim) == [1]
    alarm = Alarm.objects.get(kind="bot")

    # The playing process is told which seats it is not to believe.
    seen: list[frozenset[int]] = []

    def playing(start: str, *_: Any, doubted: frozenset[int], **__: Any) -> Any:
        seen.append(doubted)
        return delivery(Game.objects.get(start=start, status=Game.Status.RUNNING).pk, seat=0)

    monkeypatch.setattr(play, "play", playing)
    held: Lease | None = None
    while held is None or Seat.objects.filter(game=held.game, version__in=(victim, other)).count() < 2:
        held = lease()
    play_attempt(held)
    assert seen == [frozenset({Seat.objects.get(game=held.game, version=victim).seat})]

    # A person has looked: it is believed again, as often as before.
    clear_alarm(alarm.kind, alarm.key)
    assert doubted(victim) == []
    lose(victim, play.MOST)
    assert doubted(victim) == [0]

    Attempt.objects.filter(seat__isnull=False).update(ended_at=timezone.now() - timedelta(hours=25))
    assert doubted(victim) == [], "a day ago"
    for _ in range(play.MOST):
        play.give_back(lease(), Unplayable("the disk is full"))
    assert doubted(*trio) == [], "without a seat"


def test_the_bots_of_one_author_and_linked_ones_have_their_free_voids_together(
    trio: list[Version], ada: User, bob: User
) -> None:
    other = accepted_bot(bob, "Bob's own")
    running(ada, [*trio, other], pairs=4)
    AccountLink.objects.create(one=bob, other=ada, reason="one address, one name")
    for version in (other, *trio[:2]):  # Ada's bots two together, and the linked account one
        lose(version, 1)
    assert doubted(*trio, other) == [0, 1, 2, 3]
    assert Alarm.objects.filter(kind="bot").count() == 1


def test_a_whole_tournament_adds_up_and_the_audit_finds_what_was_changed_afterwards(db: None) -> None:
    tournament = running(None, rivals(), pairs=2)
    assert play_all(tournament) == Record.objects.count() == Result.objects.count() == 12
    assert tournament.status == "finished"
    standings = tournament_standings(tournament)
    assert sum(standing.row.points for standing in standings) == 12
    compute_ratings("crapaud")
    assert Rating.objects.count() == 3
    assert audit_all() == {"crapaud": []}

    pairing = Pairing.objects.all()[0]
    Pairing.objects.filter(pk=pairing.pk).update(wins=pairing.wins + 1)
    record = Record.objects.all()[0]
    Record.objects.filter(pk=record.pk).delete()
    rating = Rating.objects.all()[0]
    Rating.objects.filter(pk=rating.pk).update(elo=rating.elo + 1)
    found = audit_all()["crapaud"]
    assert found[0] == f"Game {record.pk} is finished without a result or record."
    assert found[1].startswith(f"Pairing {pairing.pk} counts [2, {pairing.wins + 1}, ")
    elo = f"The elo of version {rating.version_id} is stored as {rating.elo + 1}, computed as {rating.elo}."
    assert elo in found
    assert Alarm.objects.get(kind="audit").key == "crapaud"


def test_a_game_is_claimed_once_and_its_whole_result_accepted_once(
    cup: Tournament, django_assert_num_queries: Any
) -> None:
    game = Game.objects.select_related("tournament").order_by("order")[0]
    held = claim(game, "one")
    assert held is not None
    assert claim(game, "other") is None
    with django_assert_num_queries(0):
        found = held.game_row()
        assert (found.pk, found.token, found.tournament.slug) == (held.game, held.token, cup.slug)
    whole = delivery(held.game, seat=0)
    with pytest.raises(BrokenChain, match=r"^expected event 1, got 2$"):
        accept_result(held, replace(whole, events=[whole.events[0], *whole.events[2:]]))
    assert Game.objects.get(pk=held.game).status == "running"

    first = accept_result(held, whole)
    assert accept_result(held, whole) == first
    with pytest.raises(ResultRefused, match=r"^expected the accepted result \w{64} of game .*, got \w{64}$"):
        accept_result(held, delivery(held.game, seat=1))
    assert Result.objects.get().ranking == [[0], [1]]
    assert Attempt.objects.filter(game=game).count() == 1


@pytest.mark.parametrize("seconds", [-1, 7200], ids=["over", "the clock was set back after the claim"])
def test_a_lost_lease_cannot_be_renewed_its_late_result_is_refused_and_the_new_attempts_counts(
    cup: Tournament, seconds: int
) -> None:
    late = lease()
    renew(late, 2, delivery(late.game).events[:2])
    attempt = Attempt.objects.filter(pk=late.attempt)
    assert attempt.get().ply == 2
    attempt.update(lease_until=timezone.now() + timedelta(seconds=seconds))
    sweep()
    assert attempt.get().cause == "lease-expired"
    assert not end_attempt(attempt.get(), Attempt.Cause.PLAYER_DIED), "an attempt ends once"
    with pytest.raises(StaleAttempt):
        renew(late, 4, delivery(late.game).events[2:4])
    assert not EventBatch.objects.exists()

    new = claim(claimable(late), "another worker")
    assert new is not None
    assert new.token == late.token + 1
    with pytest.raises(StaleAttempt, match=r"^expected attempt 1 of game .* to be current, it is not$"):
        accept_result(late, delivery(late.game, seat=1))
    accept_result(new, delivery(new.game, seat=0))
    with pytest.raises(ResultRefused):  # once more, after the accepted one
        accept_result(late, delivery(late.game, seat=1))
    assert Result.objects.get().attempt_id == new.attempt
    play_all(cup)
    assert accepted_pairs(cup) == 3
    assert audit_all() == {"crapaud": []}


def test_a_result_of_an_ended_attempt_or_of_a_voided_game_is_refused(cup: Tournament) -> None:
    held, other = lease(), lease()
    Attempt.objects.filter(pk=held.attempt).update(ended_at=timezone.now(), cause="lease-expired")
    with pytest.raises(StaleAttempt, match=r"^expected attempt 1 of game .* to be open, it has ended$"):
        accept_result(held, delivery(held.game))
    assert Game.objects.get(pk=held.game).status == "running"
    void_pair(Pair.objects.get(games=other.game), "by an operator")
    with pytest.raises(StaleAttempt):
        accept_result(other, delivery(other.game))
    assert not Result.objects.exists()


def test_a_pair_is_accepted_with_its_last_leg_only_and_played_again_on_the_same_deal_when_voided(
    cup: Tournament,
) -> None:
    one = play_one(seat=0)
    pair = Pair.objects.get(games=one.game)
    assert (pair.status, accepted_pairs(cup)) == ("running", 0)
    assert play_one(seat=0).game in pair.games.values_list("pk", flat=True)
    pair.refresh_from_db()
    # Seat 0 won both games, so each entrant won one.
    assert (pair.status, pair.score, pair.margin) == ("accepted", 2, 0.0)

    play_all(cup)
    pair = Pair.objects.exclude(pk=pair.pk)[0]
    before = [(one.entry.pk, one.row.points) for one in tournament_standings(cup)]
    again = void_pair(pair, "the host ran out of memory")
    assert again is not None
    cup.refresh_from_db()
    assert (again.deal_seed, again.number, again.run) == (pair.deal_seed, pair.number, 2)
    assert (cup.status, accepted_pairs(cup)) == ("running", 2)
    assert audit_all() == {"crapaud": []}
    assert play_all(cup) == 2
    assert cup.status == "finished"
    assert before == [(one.entry.pk, one.row.points) for one in tournament_standings(cup)]
    with pytest.raises(WrongStatus, match=r"^This pair is already void\.$"):
        void_pair(pair, "again")


def page(client: Client) -> str:
    cache.clear()
    answer = client.get("/audit/")
    assert answer.status_code == 200
    return answer.content.decode()


def counts(client: Client) -> tuple[int, int]:
    """What the page says was lost, and was counted twice."""
    text = page(client)
    lost, twice = (int(re.findall(rf"data-{name}>([^<]*)<", text)[0]) for name in ("lost", "twice"))
    assert ('data-clean="yes"' in text) is not (lost or twice)
    return lost, twice


@pytest.mark.django_db
def test_the_audit_page_tells_of_a_changed_rating_and_of_what_is_lost_or_counted_twice(
    client: Client,
) -> None:
    tournament = running(None, rivals(), pairs=2)
    release(lease(), Attempt.Cause.PLAYER_DIED, "killed")
    Game.objects.update(not_before=None)
    play_all(tournament)
    void_pair(Pair.objects.filter(status="accepted")[0], "the host ran out of memory")
    play_all(tournament)
    assert tournament.status == "finished"
    compute_ratings("crapaud")
    audit_all()
    assert counts(client) == (0, 0)
    found = ledger()
    assert (found.games, found.results, found.accepted_pairs, found.voided_pairs) == (12, 14, 6, 1)
    rating = Rating.objects.all()[0]
    Rating.objects.filter(pk=rating.pk).update(elo=rating.elo + 1)
    audit_all()
    assert f"The elo of version {rating.version_id} is stored as {rating.elo + 1}" in page(client)
    assert not ledger().clean

    one, other, third = Game.objects.filter(status="finished")[:3]
    Record.objects.filter(pk__in=(one.pk, other.pk)).delete()
    Result.objects.filter(pk=other.pk).delete()
    Game.objects.filter(pk=third.pk).update(status="queued")
    assert counts(client) == (3, 0)
    assert "Something does not add up" in page(client)
    attempt = Attempt.objects.filter(cause="delivered")[0]
    attempt.pk, attempt.token, attempt.worker = None, attempt.token + 1, "forged"
    attempt.save()
    pairing = Pairing.objects.all()[0]
    Pairing.objects.filter(pk=pairing.pk).update(pairs_done=pairing.pairs_done + 1)
    assert counts(client)[1] == 2
