"""Which games with remote bots may be claimed, by whom, and what becomes of one whose bot is not there."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from arena.web.models import Heartbeat
from bots.models import Bot, RemotePresence, Version
from bots.remote import connections
from tests.factories.accounts import author
from tests.factories.bots import house_bots
from tests.factories.remote import online, remote_bot
from tests.factories.results import delivery
from tournaments.games.claims import Kind, claim_next, release, renew
from tournaments.games.results import accept_result
from tournaments.models import Attempt, Game, Pair, Tournament
from tournaments.operation.recovery import recover
from tournaments.pairing.progress import advance
from tournaments.ratings.ladder import tend_open_boards

pytestmark = pytest.mark.django_db
GONE = connections.GONE_AFTER + timedelta(seconds=1)


def opened() -> Tournament:
    """The open board of crapaud with its games."""
    tend_open_boards()
    ladder = Tournament.objects.get(slug="ladder-open-crapaud")
    advance(ladder.pk)
    return ladder


@pytest.fixture
def two() -> list[Bot]:
    """Two remote bots, online with one place each, and the only pair of the open board waits for them."""
    bots = [remote_bot(author(name), f"{name}'s GPU") for name in ("ada", "bob")]
    for bot in bots:
        online(bot, "crapaud")
    ladder = opened()
    assert Game.objects.filter(tournament=ladder, status=Game.Status.QUEUED).count() == 2
    return bots


def test_remote_games_are_claimed_apart_from_others_and_only_while_their_bots_are_free(
    two: list[Bot],
) -> None:
    assert claim_next("a worker") is None
    assert claim_next("a worker", kind=Kind.MIXED) is None
    lease = claim_next("a worker", "a host", kind=Kind.REMOTE)
    assert lease is not None
    assert claim_next("another", kind=Kind.REMOTE) is None  # the other game of the pair: no place is free
    RemotePresence.objects.update(games=2)
    other = claim_next("another", kind=Kind.REMOTE)
    assert other is not None
    assert other.game != lease.game
    assert release(lease, Attempt.Cause.BOT_AWAY, "the bot in seat 0 was not connected")
    game = Game.objects.get(pk=lease.game)
    assert game.not_before is not None
    assert game.not_before > timezone.now()
    Game.objects.update(not_before=None)
    connections.disconnect(two[0].pk, RemotePresence.objects.get(bot=two[0]).connection)
    assert claim_next("a worker", kind=Kind.REMOTE) is None
    online(two[0], "crapaud", games=2)
    again = claim_next("a worker", kind=Kind.REMOTE)
    assert again is not None
    assert (again.game, again.token) == (lease.game, lease.token + 1)


def test_a_bot_that_leaves_in_the_middle_of_a_pair_does_not_escape_its_second_game(two: list[Bot]) -> None:
    first = claim_next("a worker", kind=Kind.REMOTE)
    assert first is not None
    connections.disconnect(two[0].pk, RemotePresence.objects.get(bot=two[0]).connection)
    accept_result(first, delivery(first.game))
    assert claim_next("a worker", kind=Kind.REMOTE) is None
    RemotePresence.objects.filter(bot=two[0]).update(seen_at=timezone.now() - GONE)
    assert claim_next("a worker", kind=Kind.REMOTE) is not None


def test_nobody_loses_the_second_game_because_the_site_was_away(two: list[Bot]) -> None:
    first = claim_next("a worker", kind=Kind.REMOTE)
    assert first is not None
    accept_result(first, delivery(first.game))
    away = timezone.now() - GONE
    Heartbeat.objects.create(name="play", beaten_at=away)
    RemotePresence.objects.update(online_since=None, connection="", seen_at=away)
    recover()
    assert claim_next("a worker", kind=Kind.REMOTE) is None, "they have time to come back"
    long_gone = away - timedelta(hours=1)
    RemotePresence.objects.update(seen_at=long_gone)
    recover()
    assert set(RemotePresence.objects.values_list("seen_at", flat=True)) == {long_gone}


def test_switched_off_nothing_waits_for_remote_bots_and_nobody_loses(two: list[Bot], settings: Any) -> None:
    first = claim_next("a worker", kind=Kind.REMOTE)
    assert first is not None
    accept_result(first, delivery(first.game))
    Pair.objects.update(created_at=timezone.now() - timedelta(hours=1))
    RemotePresence.objects.update(seen_at=timezone.now() - GONE)  # its server was killed
    settings.REMOTE = False
    tend_open_boards()
    assert not RemotePresence.objects.filter(online_since__isnull=False).exists()
    told = set(Pair.objects.values_list("status", "void_reason"))
    assert told == {("void", "Remote bots were switched off.")}


def test_a_game_that_the_arena_broke_off_is_played_again_with_cards_that_nobody_has_seen(
    two: list[Bot],
) -> None:
    lease = claim_next("a worker", kind=Kind.REMOTE)
    assert lease is not None
    broken = lease.game_row()
    renew(lease, 5)
    assert release(lease, Attempt.Cause.LEASE_EXPIRED)
    broken.pair.refresh_from_db()
    assert broken.pair.status == Pair.Status.VOID
    again = claim_next("a worker", kind=Kind.REMOTE)
    assert again is not None
    game = again.game_row()
    assert (game.pair.number, game.pair.run) == (broken.pair.number, broken.pair.run + 1)
    assert game.start != broken.start
    # What nobody has seen is played as it is.
    assert release(again, Attempt.Cause.LEASE_EXPIRED)
    same = claim_next("a worker", kind=Kind.REMOTE)
    assert same is not None
    assert same.game == again.game


def test_a_pair_that_has_not_begun_waits_for_its_bots(two: list[Bot]) -> None:
    connections.disconnect(two[0].pk, RemotePresence.objects.get(bot=two[0]).connection)
    RemotePresence.objects.filter(bot=two[0]).update(seen_at=timezone.now() - GONE)
    assert claim_next("a worker", kind=Kind.REMOTE) is None


def test_a_game_with_a_bot_in_a_sandbox_needs_a_core() -> None:
    house_bots("greedy")
    bot = remote_bot(author("ada"))
    online(bot, "crapaud")
    opened()
    assert claim_next("a worker", kind=Kind.REMOTE) is None
    lease = claim_next("a worker", kind=Kind.MIXED)
    assert lease is not None
    seats = Version.objects.filter(seats__game=lease.game)
    assert {version.is_remote for version in seats} == {True, False}
