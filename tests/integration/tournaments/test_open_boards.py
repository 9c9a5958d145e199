"""Open boards: who meets whom, what is rated where, and what a bot that goes away leaves."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

import engine
from analysis.formats import seeds
from arena.notices.models import Notice
from bots.models import Bot, RemotePresence, Version
from bots.remote import connections
from friendlies.pages.duplicates import offered_deals
from friendlies.tables.new_games import start_duplicate
from friendlies.tables.people import Person
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, house_bots
from tests.factories.remote import online, remote_bot
from tests.factories.results import delivery, group_delivery
from tournaments.games.claims import claim
from tournaments.games.results import accept_result
from tournaments.models import AccountLink, Game, Pair, Rating, RatingAnchor, RatingState, Tournament
from tournaments.operation import operator_figures
from tournaments.operation.benchings import look_at
from tournaments.pages.ratings.bot_profiles import profile
from tournaments.pairing.progress import advance
from tournaments.ratings.audit import audit
from tournaments.ratings.ladder import ensure_ladder, tend_open_boards
from tournaments.ratings.leaderboards import board, rated_boards
from tournaments.ratings.open_boards import WAITS, void_abandoned
from tournaments.ratings.ratings import compute_ratings
from tournaments.ratings.remote_news import tell_ratings
from tournaments.ratings.tallies import headline_ratings

pytestmark = pytest.mark.django_db


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


@pytest.mark.usefixtures("house")
def test_a_site_without_remote_bots_has_no_open_board() -> None:
    remote_bot(author("ada"))
    tend_open_boards()
    assert not Tournament.objects.filter(admits_remote=True).exists()


@pytest.mark.usefixtures("house")
def test_each_pair_has_a_remote_bot_and_no_author_meets_themselves() -> None:
    ada, bob, eve = author("ada"), author("bob"), author("eve")
    one, other, linked = (remote_bot(ada, "A"), remote_bot(ada, "B"), remote_bot(eve, "E"))
    accepted_bot(ada, "Ada's upload")
    accepted_bot(bob, "Bob's upload")
    closed = accepted_bot(bob, "Closed")
    Bot.objects.filter(pk=closed.bot_id).update(open_to_all=False)
    AccountLink.objects.create(one=ada, other=eve, reason="one person")
    for bot in (one, other, linked):
        online(bot, "crapaud", games=8)
    ladder = opened()
    for _ in range(6):
        for names in seated(ladder):
            assert len(names & {"A", "B", "E", "Ada's upload"}) == 1, names
            assert names & {"A", "B", "E"}, names
            assert "Closed" not in names
        play(ladder)
        advance(ladder.pk)
    assert not Tournament.objects.get(slug="ladder-open-crapaud").entries.filter(version=closed).exists()


@pytest.mark.usefixtures("house")
def test_a_bot_gets_as_many_games_as_it_and_its_owner_may_play(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = author("ada")
    one, other = remote_bot(ada, "A"), remote_bot(ada, "B")
    online(one, "crapaud", games=1)
    ladder = opened()
    assert len(list(seated(ladder))) == 1, "which are two games, one after the other"
    monkeypatch.setattr("arena.web.limits._rows", lambda: {"remote_games_per_user": 4})
    online(other, "crapaud", games=9)
    advance(ladder.pk)
    assert len(list(seated(ladder))) == 2, "four games of one account"
    monkeypatch.setattr("arena.web.limits._rows", lambda: {"remote_games": 4})
    online(remote_bot(author("bob"), "C"), "crapaud", games=9)
    advance(ladder.pk)
    assert len(list(seated(ladder))) == 2, "four games of all"


@pytest.mark.usefixtures("house")
def test_no_two_games_share_a_deal_and_each_follows_from_the_seed() -> None:
    bot = remote_bot(author("ada"))
    online(bot, "crapaud", games=8)
    ladder = opened()
    games = list(Game.objects.filter(tournament=ladder).select_related("pair__pairing"))
    assert len(games) > 2
    ranks = {game.start.translate(str.maketrans("", "", "SHDC")) for game in games}
    assert len(ranks) == len(games), "whatever suits are called"
    for game in games:
        seed = seeds.deal_seed(ladder.seed, game.pair.batch, game.pair.deal)
        own = seeds.own_seed(seed, game.pair.pairing.table, game.pair.run, game.leg)
        assert game.start == str(engine.deal("crapaud", own).relabelled(game.suits))


def test_ratings_of_open_boards_are_in_no_list_of_the_others(
    house: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = remote_bot(author("ada"))
    online(bot, "crapaud", games=8)
    ladder = opened()
    play(ladder)
    assert not RatingState.objects.filter(variant="crapaud").exists()
    assert compute_ratings("open:crapaud")
    version = bot.versions.get()
    row = Rating.every.get(version=version)
    assert row.variant == "open:crapaud"
    assert row.games == 8
    said: list[Any] = []
    monkeypatch.setattr(
        "tournaments.ratings.remote_news.bridge", lambda: SimpleNamespace(say=lambda *one: said.append(one))
    )
    assert tell_ratings("crapaud") == 0
    assert tell_ratings("open:crapaud") == 1
    [(key, frame)] = said
    assert key == bot.pk
    assert frame == {
        "type": "rating",
        "board": "crapaud",
        "elo": round(row.elo),
        "error": round(row.error),
        "games": 8,
    }
    assert not Rating.objects.filter(games__gt=0).exists()
    assert rated_boards() == ()
    assert headline_ratings([bot]) == {}
    [strength] = profile(bot).strengths
    assert (str(strength.board), strength.games, strength.place) == ("open:crapaud", 8, 0), (
        "its own page says it"
    )
    assert board("open:crapaud").versions >= 2
    assert audit("open:crapaud") == []
    assert house[0].bot.name
    held = RemotePresence.objects.get().connection
    for _ in range(2):
        assert connections.keep(bot.pk, held, bot.owner_id or 0, connections.Traffic(3, 40))
    assert operator_figures.remote() == operator_figures.RemoteFigures(1, 0, 0, 6, 80)


@pytest.mark.usefixtures("house")
def test_an_open_board_has_its_scale_from_the_games_among_house_bots() -> None:
    online(remote_bot(author("ada")), "crapaud", games=8)
    ladder = ensure_ladder("crapaud", measures_house=True)
    advance(ladder.pk)
    play(ladder)
    play(opened())
    assert compute_ratings("crapaud")
    assert compute_ratings("open:crapaud")
    here = dict(Rating.objects.filter(variant="crapaud").values_list("version", "elo"))
    there = dict(Rating.every.filter(variant="open:crapaud").values_list("version", "elo"))
    assert len(here) > 2
    assert there.keys() > here.keys()
    anchor = RatingAnchor.objects.get().version_id
    assert there[anchor] == here[anchor] == 1500
    assert audit("crapaud") == audit("open:crapaud") == []


@pytest.mark.usefixtures("house")
def test_three_seats_have_an_open_board_too() -> None:
    bot = remote_bot(author("ada"))
    online(bot, "crapette/3", games=3)
    ladder = opened("crapette/3")
    [names] = seated(ladder)
    assert bot.name in names
    assert len(names) == 3
    play(ladder)
    assert compute_ratings("open:crapette")
    assert Rating.every.get(version__bot=bot).variant == "open:crapette/3"


@pytest.mark.usefixtures("house")
def test_a_pair_that_waits_for_a_bot_that_is_away_is_void_unless_it_has_begun() -> None:
    bot = remote_bot(author("ada"))
    held = online(bot, "crapaud", games=4)
    ladder = opened()
    begun, waiting = Pair.objects.filter(pairing__tournament=ladder).order_by("pk")
    game = begun.games.get(leg=0)
    lease = claim(game, "a worker")
    assert lease is not None
    accept_result(lease, delivery(game.pk))
    Pair.objects.update(created_at=timezone.now() - WAITS - timedelta(seconds=1))
    void_abandoned()
    waiting.refresh_from_db()
    assert waiting.status == Pair.Status.QUEUED, "while it is online"
    connections.disconnect(bot.pk, held.connection)
    void_abandoned()
    begun.refresh_from_db()
    waiting.refresh_from_db()
    assert (begun.status, waiting.status) == (Pair.Status.RUNNING, Pair.Status.VOID)
    assert waiting.void_reason == "A remote bot went offline before the first game."


@pytest.mark.usefixtures("house")
def test_nobody_is_paired_who_went_offline_or_leaves() -> None:
    one, other = remote_bot(author("ada"), "A"), remote_bot(author("bob"), "B")
    held, leaving = online(one, "crapaud"), online(other, "crapaud")
    ladder = opened()
    play(ladder)
    connections.disconnect(one.pk, held.connection)
    connections.leave(other.pk, leaving.connection)
    advance(ladder.pk)
    assert list(seated(ladder)) == []
    assert RemotePresence.objects.filter(online_since__isnull=False).count() == 1


@pytest.mark.usefixtures("house")
def test_a_bot_that_abandons_three_games_in_a_row_is_set_offline_with_a_notice() -> None:
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
    [notice] = Notice.objects.filter(user=ada)
    assert notice.text == "Ada's GPU was set offline. It abandoned its last 3 games."
    connections.play_again(bot, by=ada)
    online(bot)
    assert not look_at(version.pk), "the games before no longer count"


@pytest.mark.usefixtures("house")
def test_people_compare_no_deal_of_an_open_board() -> None:
    online(remote_bot(author("ada")), "crapaud", games=4)
    ladder = opened()
    play(ladder)
    game = Game.objects.filter(tournament=ladder).select_related("tournament").order_by("order")[0]
    played = start_duplicate(Person(author("bob")), game, 0)
    assert played.pair_id is None
    assert offered_deals() == []
