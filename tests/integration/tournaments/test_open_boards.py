"""Open boards and events: where remote bots play, whom they meet, what is rated, and what one leaves."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from analysis.errors import InvalidTournament
from arena.notices.models import Notice
from arena.web.cache import values
from arena.web.models import Worker
from bots.models import Bot, RemotePresence, Version
from bots.remote import connections
from bots.teams.departures import end_invitations, forget_owner
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, house_bots
from tests.factories.hosts import host
from tests.factories.remote import online, remote_bot
from tests.factories.results import accept_result, delivery, group_delivery
from tests.factories.tournaments import created, running
from tournaments.challenges.models import Challenge
from tournaments.challenges.requests import Wish, ask
from tournaments.events.withdrawals import ABSENT, leave_absent
from tournaments.games.attempts import release, renew
from tournaments.games.claims import Kind, Lease, claim, claim_next
from tournaments.games.play import directly
from tournaments.games.remote import ending_frames, remote_table
from tournaments.models import (
    AccountLink,
    Attempt,
    Game,
    Pair,
    Pairing,
    Rating,
    RatingAnchor,
    RatingState,
    Result,
    Tournament,
)
from tournaments.operation.benchings import look_at
from tournaments.pairing.progress import advance, pause_tournament, resume_tournament
from tournaments.ratings.audit import audit
from tournaments.ratings.ladder import ensure_ladder, tend_open_boards
from tournaments.ratings.leaderboards import rated_boards
from tournaments.ratings.open_boards import WAITS, tell_ratings, void_abandoned
from tournaments.ratings.ratings import compute_ratings
from tournaments.ratings.tallies import headline_ratings

pytestmark = pytest.mark.django_db

GONE = connections.GONE_AFTER + timedelta(seconds=1)


@pytest.fixture
def house() -> list[Version]:
    return house_bots("greedy", "planner", "cautious")


def opened(name: str = "crapaud") -> Tournament:
    """The open board of a game, which the sweep made and filled."""
    tend_open_boards()
    ladder = Tournament.objects.get(slug=f"ladder-open-{name.replace('/', '-')}")
    advance(ladder.pk)
    return ladder


def seated(ladder: Tournament) -> Iterator[set[str]]:
    """The names of the bots of each pair that waits."""
    for pair in Pair.objects.filter(pairing__tournament=ladder, status=Pair.Status.QUEUED):
        game = pair.games.order_by("leg")[0]
        yield set(game.seats.values_list("version__bot__name", flat=True))


def play(ladder: Tournament, **how: Any) -> None:
    """Play all that waits, with invented games."""
    for game in Game.objects.filter(tournament=ladder, status=Game.Status.QUEUED).order_by("order"):
        lease = claim(game, "a worker")
        assert lease is not None
        accept_result(lease, delivery(game.pk, **how) if ladder.players == 2 else group_delivery(game.pk))


@pytest.fixture
def two() -> list[Bot]:
    """Two remote bots, online with one place each, and the only pair of the open board waits for them."""
    bots = [remote_bot(author(name), f"{name}'s GPU") for name in ("ada", "bob")]
    for bot in bots:
        online(bot, "crapaud")
    assert Game.objects.filter(tournament=opened(), status=Game.Status.QUEUED).count() == 2
    return bots


def no_lease() -> bool:
    """Whether no game of remote bots can be claimed now."""
    return claim_next("a worker", kind=Kind.REMOTE) is None


def remote_lease() -> Lease:
    found = claim_next("a worker", kind=Kind.REMOTE)
    assert found is not None
    return found


@pytest.fixture
def remote() -> Bot:
    bot = remote_bot(author("ada"))
    online(bot, "crapaud")
    return bot


def disconnect(bot: Bot) -> None:
    connections.disconnect(bot.pk, RemotePresence.objects.get(bot=bot).connection)


def test_remote_games_are_claimed_apart_and_only_while_their_bots_are_free(two: list[Bot]) -> None:
    assert claim_next("a worker") is None
    assert claim_next("a worker", kind=Kind.MIXED) is None
    lease = remote_lease()
    assert no_lease(), "the other game of the pair: no place is free"
    RemotePresence.objects.update(games=2)
    assert remote_lease().game != lease.game
    assert release(lease, Attempt.Cause.BOT_AWAY, "the bot in seat 0 was not connected")
    game = Game.objects.get(pk=lease.game)
    assert game.not_before is not None
    assert game.not_before > timezone.now()
    Game.objects.update(not_before=None)
    disconnect(two[0])
    assert no_lease()
    online(two[0], "crapaud", games=2)
    again = remote_lease()
    assert (again.game, again.token) == (lease.game, lease.token + 1)


def test_a_bot_that_leaves_in_the_middle_of_a_pair_does_not_escape_its_second_game(
    two: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = remote_lease()
    disconnect(two[0])
    accept_result(first, delivery(first.game))
    assert no_lease()
    RemotePresence.objects.filter(bot=two[0]).update(seen_at=timezone.now() - GONE)
    with monkeypatch.context() as switched_off:
        switched_off.setattr("arena.web.limits._rows", lambda: {"remote_connections": 0})
        assert no_lease()
    assert remote_lease()


def test_nobody_loses_the_second_game_because_the_site_was_away(two: list[Bot]) -> None:
    first = remote_lease()
    accept_result(first, delivery(first.game))
    RemotePresence.objects.update(online_since=None, connection="", seen_at=timezone.now() - ABSENT)
    host("here")
    assert no_lease(), "they have time to come back"
    Worker.objects.update(started_at=timezone.now() - GONE)
    values.forget_all()
    assert remote_lease()


def test_an_author_is_not_told_whom_their_bot_meets_in_secret(
    two: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournaments.games.remote.bridge", lambda: None)
    monkeypatch.setattr("tournaments.games.remote.RemoteTable", lambda _bridge, seats, _left: seats)
    game, versions = remote_lease().game_row(), [bot.versions.get() for bot in two]
    for hidden, told in ((False, "bob's GPU"), (True, "?")):
        game.hidden = hidden
        seats: Any = remote_table(game, versions, directly)
        assert seats[0][1]["opponents"] == [told]
        result = Result(game=game, ranking=[[0], [1]], termination="win")
        assert (ending_frames(game, versions, result)[0]["url"] is None) == hidden


@pytest.mark.parametrize("how", ["setting", "limit"])
def test_switched_off_nothing_waits_for_remote_bots_and_nobody_loses(
    two: list[Bot], settings: Any, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    first = remote_lease()
    accept_result(first, delivery(first.game))
    Pair.objects.update(created_at=timezone.now() - timedelta(hours=1))
    RemotePresence.objects.update(seen_at=timezone.now() - GONE)  # its server was killed
    settings.REMOTE = how == "limit"
    monkeypatch.setattr("arena.web.limits._rows", lambda: {"remote_connections": 0})
    tend_open_boards()
    assert not RemotePresence.objects.filter(online_since__isnull=False).exists()
    told = set(Pair.objects.values_list("status", "void_reason"))
    assert told == {("void", "Remote bots were switched off.")}


def test_when_a_departed_bot_was_last_online_is_forgotten(two: list[Bot]) -> None:
    RemotePresence.objects.update(seen_at=timezone.now())
    assert two[0].owner is not None
    forget_owner(two[0].owner)
    assert RemotePresence.objects.get(bot=two[0]).seen_at is None


def test_a_game_that_was_broken_off_is_played_again_with_other_cards(two: list[Bot]) -> None:
    lease = remote_lease()
    broken = lease.game_row()
    renew(lease, 5)
    assert release(lease, Attempt.Cause.LEASE_EXPIRED)
    broken.pair.refresh_from_db()
    assert broken.pair.status == Pair.Status.VOID
    again = remote_lease()
    game = again.game_row()
    assert (game.pair.number, game.pair.run) == (broken.pair.number, broken.pair.run + 1)
    assert game.start != broken.start
    # What nobody has seen is played as it is.
    assert release(again, Attempt.Cause.LEASE_EXPIRED)
    assert remote_lease().game == again.game


@pytest.mark.usefixtures("house")
class TestBoards:
    def test_each_pair_has_a_remote_bot_and_no_author_meets_themselves(self) -> None:
        ada, bob, eve = author("ada"), author("bob"), author("eve")
        remotes = (remote_bot(ada, "A"), remote_bot(ada, "B"), remote_bot(eve, "E"))
        tend_open_boards()
        assert not Tournament.objects.filter(admits_remote=True).exists(), "while none was online"
        accepted_bot(ada, "Ada's upload")
        accepted_bot(bob, "Bob's upload")
        closed = accepted_bot(bob, "Closed")
        Bot.objects.filter(pk=closed.bot_id).update(open_to_all=False)
        AccountLink.objects.create(one=ada, other=eve, reason="one person")
        for bot in remotes:
            online(bot, "crapaud", games=8)
        ladder = opened()
        for _ in range(3):
            for names in seated(ladder):
                assert len(names & {"A", "B", "E", "Ada's upload"}) == 1, names
                assert names & {"A", "B", "E"}, names
            play(ladder)
            advance(ladder.pk)
        assert not ladder.entries.filter(version=closed).exists()

    def test_a_bot_gets_as_many_games_as_it_may_play(self, monkeypatch: pytest.MonkeyPatch) -> None:
        ada = author("ada")
        one, other = remote_bot(ada, "A"), remote_bot(ada, "B")
        online(one, "crapaud", games=1)
        ladder = opened()
        assert len(list(seated(ladder))) == 1, "which are two games, one after the other"
        monkeypatch.setattr("arena.web.limits._rows", lambda: {"remote_games_per_user": 4})
        online(other, "crapaud", games=9)
        advance(ladder.pk)
        assert len(list(seated(ladder))) == 2, "four games of one account"

    def test_open_ratings_are_in_no_other_list(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bot = remote_bot(author("ada"))
        online(bot, "crapaud", games=8)
        ladder = opened()
        play(ladder)
        assert not RatingState.objects.filter(variant="crapaud").exists()
        assert compute_ratings("open:crapaud")
        row = Rating.every.get(version=bot.versions.get())
        assert (row.variant, row.games) == ("open:crapaud", 8)
        said: list[Any] = []
        bridge = SimpleNamespace(say=lambda *one: said.append(one))
        monkeypatch.setattr("tournaments.ratings.open_boards.bridge", lambda: bridge)
        assert (tell_ratings("crapaud"), tell_ratings("open:crapaud"), said[0][0]) == (0, 1, bot.pk)
        assert not Rating.objects.filter(games__gt=0).exists()
        assert (rated_boards(), headline_ratings([bot])) == ((), {})

        measuring = ensure_ladder("crapaud", measures_house=True)
        advance(measuring.pk)
        play(measuring)
        assert compute_ratings("crapaud")
        RatingState.objects.update(requested=F("requested") + 1)
        assert compute_ratings("open:crapaud")
        here = dict(Rating.objects.filter(variant="crapaud").values_list("version", "elo"))
        there = dict(Rating.every.filter(variant="open:crapaud").values_list("version", "elo"))
        assert len(here) > 2
        assert there.keys() > here.keys()
        anchor = RatingAnchor.objects.get().version_id
        assert there[anchor] == here[anchor] == 1500
        assert audit("crapaud") == audit("open:crapaud") == []

    def test_a_pair_that_waits_for_a_bot_that_is_away_is_void_unless_it_has_begun(self) -> None:
        bot = remote_bot(author("ada"))
        online(bot, "crapaud", games=6)
        begun, waiting, broken = Pair.objects.filter(pairing__tournament=opened()).order_by("pk")
        lease, other = (claim(pair.games.get(leg=0), "a worker") for pair in (begun, broken))
        assert lease is not None
        assert other is not None
        accept_result(lease, delivery(lease.game))
        assert release(other, Attempt.Cause.RESTARTED), "before anything was played"
        Pair.objects.update(created_at=timezone.now() - WAITS - timedelta(seconds=1))
        void_abandoned()
        waiting.refresh_from_db()
        assert waiting.status == Pair.Status.QUEUED, "while it is online"
        disconnect(bot)
        void_abandoned()
        found = dict(Pair.objects.values_list("pk", "status"))
        assert found == {begun.pk: "running", waiting.pk: "void", broken.pk: "void"}

    def test_a_bot_that_abandons_three_games_in_a_row_is_set_offline_with_a_notice(self) -> None:
        ada = author("ada")
        bot = remote_bot(ada)
        online(bot, "crapaud", games=4)
        ladder = opened()
        version = bot.versions.get()
        for number, game in enumerate(Game.objects.filter(tournament=ladder).order_by("order")[:4]):
            lease = claim(game, "a worker")
            assert lease is not None
            seat = game.seats.get(version=version).seat
            end = delivery(game.pk, termination="resignation" if number == 0 else "disconnected")
            accept_result(lease, replace(end, result={**end.result, "seat": seat}))
            assert look_at(version.pk) == (number == 3), number
        assert not Version.objects.online().exists()
        assert Notice.objects.filter(user=ada).count() == 1
        connections.play_again(bot, by=ada)
        online(bot)
        assert not look_at(version.pk), "the games before no longer count"


class TestEvents:
    def test_remote_bots_enter_unrated_events_only(self, remote: Bot) -> None:
        bob = author("bob")
        both = [remote.versions.get(), accepted_bot(bob, "Bob's")]
        with pytest.raises(InvalidTournament, match="cannot enter"):
            created(bob, both)
        assert not created(author("chief", is_staff=True), both, admits_remote=True).rated
        with pytest.raises(InvalidTournament, match="admit no remote bots"):
            created(bob, both, format=Tournament.Format.SPRT, admits_remote=True)

    def test_who_challenged_a_bot_is_told_that_its_owner_deletes_the_account(self, remote: Bot) -> None:
        bob = author("bob")
        ask(bob, Wish(accepted_bot(bob, "Bob's").pk, remote.versions.get().pk))
        assert remote.owner is not None
        assert end_invitations(remote.owner) == {remote.pk}
        assert Challenge.objects.get().status == Challenge.Status.DECLINED
        assert Notice.objects.filter(user=bob, text__contains="is gone").exists()

    def test_an_open_event_goes_on_without_a_bot_that_was_away_for_a_day(
        self, remote: Bot, settings: Any
    ) -> None:
        bob = author("bob")
        versions = [remote.versions.get(), accepted_bot(bob, "One"), accepted_bot(bob, "Two")]
        cup = running(bob, versions, pairs=1, admits_remote=True)
        long_ago = timezone.now() - ABSENT - timedelta(minutes=1)
        Game.objects.update(created_at=long_ago)
        assert leave_absent() == 0, "it is online"
        RemotePresence.objects.update(online_since=None, connection="", seen_at=timezone.now())
        assert leave_absent() == 0, "it has just left"
        RemotePresence.objects.update(seen_at=long_ago)
        settings.REMOTE = False
        assert leave_absent() == 0, "it cannot come back"
        settings.REMOTE = True
        pause_tournament(cup, by=bob)
        resume_tournament(cup, by=bob)
        assert leave_absent() == 0, "it may not know yet that the event goes on"
        cup.audit_log.update(at=long_ago)
        assert leave_absent() == 1
        left = Pairing.objects.filter(tournament=cup, forfeited_by__version=versions[0])
        assert left.count() == 2
        assert leave_absent() == 0
        assert Version.objects.fit_remote().exists(), "it only left this event"
