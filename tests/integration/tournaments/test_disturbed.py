"""A tournament disturbed at random in every way ends as an undisturbed one from the same seed.

Workers die, wake up late, and deliver twice; playing processes are killed; the site is started again;
messages come twice or never; every tenth answer of the database is lost; two workers hold one lease; the
clock jumps.
Everything follows from the number of the run. ``CRAPETTE_TEST_DISTURBANCES=200`` makes that many runs.
"""

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from analysis.errors import ResultRefused, StaleAttempt
from analysis.formats.committed_seeds import commitment
from arena.accounts.models import User
from bots.models import Version
from bots.playing.game_process import DeliveredGame
from tests.factories.games import played
from tests.factories.results import accept_result
from tests.thorough import THOROUGH
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.events.standings import tournament_standings
from tournaments.games import play
from tournaments.games.attempts import release, renew
from tournaments.games.claims import Lease, claim_next, claim_rest
from tournaments.games.results import accept_results
from tournaments.models import Attempt, Game, Pair, Rating, RatingState, Result, Tournament
from tournaments.operation.ledger import ledger
from tournaments.operation.recovery import recover, sweep
from tournaments.pairing.groups import with_groups
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import (
    advance,
    pause_tournament,
    resume_tournament,
    start_tournament,
)
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db

RUNS = int(os.environ.get("CRAPETTE_TEST_DISTURBANCES", "4"))
SEED = "5e" * 32
PLIES = 24
"""Short games: what is tested is what happens to their results."""

FORMATS = ("round-robin", "swiss", "single-elimination", "groups")


class Clock:
    _now, offset = staticmethod(timezone.now), timedelta()

    def __call__(self) -> datetime:
        return self._now() + self.offset


class Disturber:
    """Plays a tournament with several workers, and does to them what machines do."""

    def __init__(self, tournament: Tournament, dice: random.Random, clock: Clock) -> None:
        self.tournament = tournament
        self.dice = dice
        self.clock = clock
        self.held: list[Lease] = []
        self.playing: Lease
        self.ghosts: list[Lease] = []
        self.done: Counter[str] = Counter()
        self.calls = 0
        self.ways: list[tuple[int, Callable[[], None]]] = [
            (10, self.claim),
            (10, self.deliver),
            (3, self.heartbeat),
            (2, self.die),
            (2, self.ghost_delivers),
            (1, self.kill_player),
            (2, self.move_clock),
            (2, self.repeat_messages),
            (1, self.restart),
            (1, self.pause),
        ]

    def run(self) -> None:
        """Go on until the tournament is over; then let every ghost deliver."""
        weights = [weight for weight, _ in self.ways]
        for _ in range(5_000):
            way = self.dice.choices([way for _, way in self.ways], weights)[0]
            way()
            self.done[way.__name__] += 1
            self.tournament.refresh_from_db()
            if self.tournament.status == "finished":
                break
            self.operator()
        assert self.tournament.status == "finished", self.done
        while self.ghosts:
            self.ghost_delivers()

    def claim(self) -> None:
        """A worker takes a game; if none is to be had, time goes by."""
        found = claim_next(f"worker {len(self.held)}")
        if found is not None:
            self.held.append(found)
        else:
            self.clock.offset += timedelta(seconds=self.dice.choice((2, 10, 40)))
            sweep()
            advance(self.tournament.pk)

    def deliver(self) -> None:
        """A worker delivers, sometimes twice, and sometimes another thinks it holds the same lease."""
        if not self.held:
            return
        lease = self.held.pop(self.dice.randrange(len(self.held)))
        rest = claim_rest(lease, "a worker") if self.dice.random() < 0.7 else None
        if rest is not None and self.dice.random() < 0.3:
            # One of the two that are about to be delivered together was taken away.
            lost = self.dice.choice((lease, rest))
            Attempt.objects.filter(pk=lost.attempt).update(lease_until=timezone.now() - timedelta(seconds=1))
            sweep()
        whole = self.accept(lease) if rest is None else self.accept(lease, rest)
        if whole is not None and self.dice.random() < 0.3:
            self.accept(lease)
            with pytest.raises((ResultRefused, StaleAttempt)):
                accept_result(lease, forged(whole))
        if self.dice.random() < 0.8:
            advance(self.tournament.pk)

    def accept(self, *leases: Lease) -> DeliveredGame | None:
        """Play games of a pair and deliver them together, asking again when an answer is lost; what was
        delivered of the first, None if any came too late."""
        player = play.PairPlayer()
        for self.playing in leases:
            assert player.play(self.playing)
        player.deliver()
        delivered = len(player.results) == len(leases)
        return played(leases[0].game, plies=PLIES) if delivered else None

    def play(self, *_: object, **__: object) -> DeliveredGame:
        """What the playing process says of the game."""
        return replace(played(self.playing.game, plies=PLIES), passed_on=False)

    def unreliable(self, over: Sequence[tuple[Lease, DeliveredGame]]) -> list[Result]:
        """Every tenth answer is lost, in turn before and after the database took the result."""
        self.calls += 1
        if self.calls % 20 == 10:
            raise OperationalError("the connection was lost before")
        results = accept_results(over)
        if self.calls % 20 == 0:
            raise OperationalError("the connection was lost after")
        return results

    def heartbeat(self) -> None:
        """A worker tells how far it is, in two batches."""
        if not self.held:
            return
        lease = self.dice.choice(self.held)
        news = played(lease.game, plies=PLIES).events
        if Attempt.objects.get(pk=lease.attempt).ply:
            return
        try:
            renew(lease, 5, news[:5])
            renew(lease, 9, news[5:9])
        except StaleAttempt:
            self.held.remove(lease)

    def die(self) -> None:
        """A worker is killed, or sleeps so long that it is taken for dead."""
        if self.held:
            self.ghosts.append(self.held.pop())

    def ghost_delivers(self) -> None:
        """Somebody taken for dead delivers after all; once another took over, nothing it says counts."""
        if not self.ghosts:
            return
        lease = self.ghosts.pop()
        if Attempt.objects.filter(pk=lease.attempt).exclude(ended_at=None).exists():
            with pytest.raises((ResultRefused, StaleAttempt)):
                accept_result(lease, forged(played(lease.game, plies=PLIES)))
        self.accept(lease)

    def kill_player(self) -> None:
        if self.held:
            release(self.held.pop(), Attempt.Cause.PLAYER_DIED, "killed")

    def move_clock(self) -> None:
        """The clock is set, by up to two hours."""
        self.clock.offset += timedelta(seconds=self.dice.uniform(-7200, 7200))
        sweep()

    def repeat_messages(self) -> None:
        """Messages come twice, late, and in any order."""
        for message in (lambda: advance(self.tournament.pk), sweep, lambda: compute_ratings("crapaud")) * 2:
            message()

    def restart(self) -> None:
        self.ghosts += self.held
        self.held = []
        recover(alone=True)

    def pause(self) -> None:
        """The owner pauses, and changes his mind."""
        if self.tournament.status == "running":
            pause_tournament(self.tournament)
            assert claim_next("a worker") is None
            resume_tournament(self.tournament)

    def operator(self) -> None:
        """Pairs that failed too often are begun again."""
        for pair in Pair.objects.filter(pairing__tournament=self.tournament, status="stuck"):
            void_pair(pair, "its host was replaced")


def forged(whole: DeliveredGame) -> DeliveredGame:
    result = {**whole.result, "ranking": whole.result["ranking"][::-1]}
    return replace(whole, result=result)


def started(owner: User, versions: list[Version], kind: str) -> Tournament:
    """A tournament on the deals of the one seed."""
    # A match of a bracket that is level goes on, so these need not begin with two pairs.
    pairs = 2 if THOROUGH or kind in ("round-robin", "swiss") else 1
    asked = NewTournament("Cup", tuple(one.pk for one in versions), format=kind, pairs_per_pairing=pairs)
    if kind == "groups":
        asked = with_groups(asked, 1, 2, 1)
    tournament = create_tournament(asked, owner)
    Tournament.objects.filter(pk=tournament.pk).update(seed=SEED, seed_commitment=commitment(SEED))
    tournament.refresh_from_db()
    start_tournament(tournament)
    return tournament


def undisturbed(tournament: Tournament) -> None:
    """Play it to its end with one worker that nothing happens to."""
    while tournament.status == "running":
        found = claim_next("a worker")
        if found is not None:
            accept_result(found, played(found.game, plies=PLIES))
        advance(tournament.pk)
        tournament.refresh_from_db()


def account(tournament: Tournament) -> tuple[object, ...]:
    """All that the tournament says: standings with tie-breaks, and every counted game by its place."""
    table = [(one.entry.number, one.row.place, one.row.key()) for one in tournament_standings(tournament)]
    games = Result.objects.filter(game__tournament=tournament, game__pair__status="accepted")
    places = ("game__pair__pairing__round", "game__pair__pairing__table", "game__pair__number", "game__leg")
    return table, sorted(games.values_list(*places, "chain_sha256"))


def rated() -> list[tuple[int, float, float]]:
    return [
        (key, round(elo, 6), round(error, 6))
        for key, elo, error in Rating.objects.order_by("version").values_list("version", "elo", "error")
    ]


@pytest.mark.parametrize("run", range(RUNS))
def test_a_tournament_disturbed_in_every_way_ends_as_an_undisturbed_one(
    ada: User, trio: list[Version], run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = FORMATS[run % len(FORMATS)]
    calm = started(ada, trio, kind)
    undisturbed(calm)
    compute_ratings("crapaud")
    expected, ratings = account(calm), rated()
    # Only the disturbed one counts from now on, so that the ratings can be compared.
    Tournament.objects.filter(pk=calm.pk).update(rated=False)

    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    wild = started(ada, trio, kind)
    disturber = Disturber(wild, random.Random(run), clock)
    monkeypatch.setattr(play, "play", disturber.play)
    monkeypatch.setattr(play, "accept_results", disturber.unreliable)
    disturber.run()

    assert account(wild) == expected
    late = Result.objects.exclude(attempt__token=F("game__token")).filter(game__tournament=wild)
    assert not late.exists()
    RatingState.objects.update(computed=0)
    compute_ratings("crapaud")
    assert rated() == ratings
    assert audit_all() == {"crapaud": []}
    counts = ledger()
    assert (counts.lost, counts.counted_twice, counts.alarms) == (0, 0, [])
    live = Game.objects.filter(tournament=wild).exclude(status="void")
    assert set(live.values_list("status", flat=True)) == {"finished"}
    assert Attempt.objects.filter(game__tournament=wild).exclude(cause="delivered").exists(), disturber.done


def test_a_clock_that_is_set_back_keeps_nothing_waiting(ada: User, trio: list[Version]) -> None:
    started(ada, trio, "round-robin")
    later = timezone.now() + timedelta(hours=2)
    Game.objects.update(not_before=later)
    RatingState.objects.create(variant="crapaud", scheduled_at=later)
    assert claim_next("a worker") is None
    Tournament.objects.update(served_at=later)
    sweep()
    assert claim_next("a worker") is not None
    assert Tournament.objects.get().served_at is None
    assert RatingState.objects.get().scheduled_at is None
