"""Whatever is removed, withdrawn or closed: nothing that refers to it is left stuck, or turns `/health` red.

Each action is carried out on one world, in which a bot and its owner take part in everything there is. Then
the scheduler runs to its end, and each thing that referred to the bot, the event or the account is looked at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.test import Client
from django.utils import timezone

from analysis.errors import StaleAttempt
from analysis.formats.groups import GroupRule
from analysis.verdicts.sprt import Hypotheses
from arena.common import archives
from arena.common.models import Limit
from arena.common.paths import path
from bots import services
from bots.models import Bot, Version
from bots.services import co_owners
from challenges.models import Challenge
from challenges.services import Wish, accept, ask
from classes import services as classes
from classes.models import ClassEvent, Classroom
from friendlies.models import Friendly
from friendlies.services.answering import answer
from friendlies.services.daily import daily_of, today
from friendlies.services.people import Person
from friendlies.services.starting import NewFriendly, start
from moderation import services as moderation
from notices.models import Delivery, Notice, Webhook
from notices.services import deliver_due, new_feed
from series.errors import SeriesRefused
from series.services import close_season
from series.services.events import put_new
from tests.factories.accounts import author, operator
from tests.factories.bots import accepted_bot, shared
from tests.factories.puzzles import easy
from tests.factories.results import delivery
from tests.factories.series import league
from tests.factories.tournaments import created, draft, rivals, running
from tournaments import events
from tournaments.models import Alarm, Analysis, Game, Pair, Seat, Tournament
from tournaments.models.hidden import seeing_hidden
from tournaments.selectors.health import competition
from tournaments.selectors.standings import tournament_standings
from tournaments.services import archiving, retention
from tournaments.services.analyses.asking import want_luck
from tournaments.services.analyses.working import work_off
from tournaments.services.benching import bench
from tournaments.services.pairing.progress import advance, cancel_tournament, start_tournament
from tournaments.services.playing.claims import Lease, claim, claim_next
from tournaments.services.playing.results import accept_result
from tournaments.services.rating.ladder import ensure_ladder

if TYPE_CHECKING:
    from pathlib import Path

    from arena.accounts.models import User
    from series.models import EventSeries
    from tests.conftest import ForAllTests

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]

GOING: Final = (Tournament.Status.RUNNING, Tournament.Status.PAUSED)


@dataclass
class World:
    """What there is before an action; `told` is what sockets heard since."""

    ann: User
    bert: User
    cleo: User
    dan: User
    chief: User
    leaver: Version
    rival: Version
    shared: Version
    lease: Lease
    classroom: Classroom
    league: EventSeries
    friendly: Friendly
    events: dict[str, Tournament]
    cursor: str
    feed: str
    puzzle: int
    told: set[str] = field(default_factory=set)
    points: dict[str, float] = field(default_factory=dict)

    def event(self, name: str) -> Tournament:
        """An event as it is now."""
        return Tournament.objects.get(pk=self.events[name].pk)

    def rivals_points(self, name: str) -> float:
        """What the rival has in an event."""
        return next(
            one.row.points
            for one in tournament_standings(self.event(name))
            if one.entry.version_id == self.rival.pk
        )


def game_of(event: Tournament, leg: int = 0) -> Game:
    """A game of an event's first pair."""
    return Game.objects.filter(tournament=event, leg=leg).order_by("order")[0]


def finish(game: Game, winner: Version | None = None) -> None:
    """Play a game that is queued, by an invented end."""
    held = claim(game, "a worker")
    assert held is not None
    seat = (
        None if winner is None else game.seats.filter(version=winner).values_list("seat", flat=True).first()
    )
    accept_result(held, delivery(game.pk, seat=seat))


def the_world() -> World:
    """A bot, its owner and their organiser in the middle of everything."""
    ann, bert, dan, chief = author("ann"), author("bert"), author("dan"), operator()
    leaver, together = accepted_bot(ann, "Leaver"), accepted_bot(ann, "Shared")
    shared(together.bot, dan)
    others = rivals(3)
    rival, cleo = others[0], others[0].bot.owner
    assert cleo is not None
    house = accepted_bot(chief, "Planner")
    Bot.objects.filter(pk=house.bot_id).update(owner=None, is_house=True)
    Bot.objects.exclude(is_house=True).update(open_to_all=True)
    two, four = [leaver, rival], [leaver, *others]

    def held(name: str, versions: list[Version] = two, **wish: Any) -> Tournament:
        return running(chief, versions, name=name, **{"pairs": 1, **wish})

    made = {
        "queued": held("Queued", pairs=2),
        "running": held("Running"),
        "half": held("Half"),
        "swiss": held("Swiss", four, format="swiss", rounds=3),
        "bracket": held("Bracket", four, format="single-elimination"),
        "groups": held("Groups", four, format="groups", options=GroupRule(2, 1).as_options()),
        "test": held("Which is better", pairs=20, format="sprt", options=asdict(Hypotheses(0, 10))),
        "team": held("Team", [together, rival]),
        "class": held("Class"),
        "league": created(chief, two, name="League day", pairs_per_pairing=1),
        "draft": created(chief, four, name="Draft", pairs_per_pairing=1),
        "open": draft(chief, four, name="Open"),
    }
    # They would be too many for anybody but staff.
    Tournament.objects.filter(pk__in=[one.pk for one in made.values()]).update(owner=bert)
    for event in made.values():
        event.refresh_from_db()
    season = league(bert)
    put_new(season, bert, made["league"])
    start_tournament(made["league"])
    made["ladder"] = ensure_ladder("crapaud")
    advance(made["ladder"].pk)
    lease = claim(game_of(made["running"]), "a worker")
    assert lease is not None
    finish(game_of(made["half"]), rival)
    for name in ("swiss", "bracket"):
        for game in Game.objects.filter(tournament=made[name], status=Game.Status.QUEUED):
            finish(game, leaver if game.seats.filter(version=leaver).exists() else None)
        advance(made[name].pk)
    classroom = classes.create(bert, "Games 101")
    ClassEvent.objects.create(tournament=made["class"], classroom=classroom)
    accepted = ask(cleo, Wish(rival.pk, leaver.pk, pairs=1))
    accept(accepted, ann)
    assert accepted.tournament is not None
    advance(accepted.tournament.pk)
    made["challenge"] = accepted.tournament
    ask(cleo, Wish(rival.pk, leaver.pk, pairs=1))
    ask(ann, Wish(leaver.pk, rival.pk, pairs=1))
    tables = (start(Person(ann), NewFriendly("crapaud", leaver.pk, seat=seat)) for seat in (0, 1))
    friendly = next(table for table in tables if table.bot_is_awaited)
    # Whoever played it as a co-owner goes on when they have left the team.
    Friendly.objects.filter(pk=friendly.pk).update(owner=cleo)
    puzzle = easy()
    puzzle.game = game_of(made["half"])
    puzzle.save()
    want_luck([puzzle.game.pk])
    for owner in (ann, cleo, bert):
        Webhook.objects.create(owner=owner, url="http://127.0.0.1:9/")
    assert daily_of(today()) is not None
    page = Client().get(f"/api/v1/tournaments/{made['swiss'].slug}/pairs/?limit=1").json()
    world = World(
        ann, bert, cleo, dan, chief, leaver, rival, together, lease, classroom, season, friendly, made,
        page["next"], new_feed(cleo), puzzle.pk,
    )  # fmt: skip
    world.points = {name: world.rivals_points(name) for name in TABLES}
    return world


# The actions.


def withdrawn(world: World) -> None:
    """The owner withdraws the bot."""
    services.withdraw_bot(world.leaver.bot, by=world.ann)


def benched(world: World) -> None:
    """The version is benched."""
    assert bench(world.leaver, "It crashed in its last 5 games.")


def bot_deleted(world: World) -> None:
    """The bots of an account are deleted, as with the account."""
    services.forget_owner(world.ann)


def account_deleted(world: World) -> None:
    """The owner deletes the account."""
    services.delete_account(world.ann)


def account_banned(world: World) -> None:
    """A moderator suspends the account."""
    moderation.ban(world.chief, world.ann.pk, None, moderation.Why("spam", "It advertises."))


def co_owner_left(world: World) -> None:
    """A co-owner leaves one bot; the events it is in go on."""
    co_owners.leave(world.shared.bot, world.dan)


def class_closed(world: World) -> None:
    """A class is deleted while an event of it is played."""
    classes.delete(world.classroom)


def event_cancelled(world: World) -> None:
    """The organiser cancels every event."""
    for name, event in world.events.items():
        if name != "ladder":
            cancel_tournament(event, "It rains.", by=world.bert)


def series_ended(world: World) -> None:
    """The series cannot be closed while its event is played, which goes on."""
    with pytest.raises(SeriesRefused):
        close_season(world.league, world.bert, 1, goes_on=False)


def organiser_gone(world: World) -> None:
    """The organiser deletes the account; one event was paused."""
    Tournament.objects.filter(pk=world.events["groups"].pk).update(status="paused")
    services.delete_account(world.bert)


def much_later(world: World) -> None:
    """All is old that may get old, and retention removes it."""
    Limit.objects.bulk_create(Limit(name=rule.limit, value=1) for rule in retention.RULES)
    ago = timezone.now() - timedelta(days=400)
    Game.objects.exclude(finished_at=None).update(finished_at=ago)
    Notice.objects.update(at=ago)
    retention.remove_all()


def archived(world: World) -> None:
    """The records of what is over move to the archive."""
    Limit.objects.create(name=archiving.LIMIT, value=30)
    ago = timezone.now() - timedelta(days=400)
    Game.objects.exclude(finished_at=None).update(finished_at=ago)
    archiving.archive_records()


DEPARTS: Final = (bot_deleted, account_deleted)
"""These take the files along."""
LEAVES: Final = (withdrawn, benched, account_banned, *DEPARTS)
ACTIONS: Final = (
    *LEAVES,
    co_owner_left,
    class_closed,
    event_cancelled,
    series_ended,
    organiser_gone,
    much_later,
    archived,
)
TABLES: Final = ("queued", "running", "half", "swiss", "bracket", "groups", "team", "class", "league")

Action = Callable[[World], None]


def run_all(world: World) -> None:
    """Run the scheduler until nothing is left to be done; ladders are made no more games."""
    with contextlib.suppress(StaleAttempt):  # the game that was being played may have been called off
        accept_result(world.lease, delivery(world.lease.game))
    for _ in range(50):
        while (held := claim_next("a worker")) is not None:
            accept_result(held, delivery(held.game))
        running_now = Tournament.objects.filter(status="running").exclude(format="ladder")
        for key in running_now.values_list("pk", flat=True):
            advance(key)
        if not Game.objects.filter(status="queued", tournament__status="running").exists():
            return
    raise AssertionError("the events do not end")


# What is looked at afterwards, one cell of the table each.


def looks_at(*names: str) -> Callable[[World, Action], None]:
    """A check that events are over, by a rule that costs the opponent nothing, and that their pages tell."""

    def check(world: World, action: Action) -> None:
        for name in names:
            event = world.event(name)
            assert event.status == ("cancelled" if action is event_cancelled else "finished"), name
            assert not Pair.objects.filter(
                pairing__tournament=event, status__in=("queued", "running", "stuck")
            )
            entry = event.entries.filter(version=world.leaver).first()
            assert entry is None or entry.withdrawn is (action in LEAVES), name
            if name in TABLES:
                assert world.rivals_points(name) >= world.points[name], name
            page = Client().get(event.get_absolute_url())
            assert page.status_code == 200, name
            text = page.content.decode()
            assert "problem on our side" not in text, name
            left = event.format != "sprt" and event.entries.filter(withdrawn=True).exists()
            assert ("left this event" in text) is left, name
            one, other = event.entries.values_list("number", flat=True)[:2]
            assert Client().get(path("tournaments:meeting", event.slug, one, other)).status_code == 200

    return check


def queued_game(world: World, action: Action) -> None:
    """What had not begun is won by the opponent."""
    looks_at("queued", "team", "class", "league")(world, action)
    if action in LEAVES:
        assert world.rivals_points("queued") == 4
        assert not Game.objects.filter(tournament=world.events["queued"], status="finished").exists()


def running_game(world: World, action: Action) -> None:
    """What is being played ends: it counts where the pair can be finished, or is struck."""
    looks_at("running")(world, action)
    game = Game.objects.get(pk=world.lease.game)
    assert game.status == ("void" if action in (*DEPARTS, event_cancelled) else "finished")
    if action in DEPARTS:
        assert world.rivals_points("running") == 2
    assert Client().get(game.get_absolute_url()).status_code == 200


def half_played_pair(world: World, action: Action) -> None:
    """The rest of a pair is played, or the whole of it forfeited."""
    looks_at("half")(world, action)
    pair = Pair.objects.get(pairing__tournament=world.events["half"])
    assert pair.status == ("void" if action in (*DEPARTS, event_cancelled) else "accepted")
    assert Client().get(game_of(world.events["half"]).get_absolute_url()).status_code == 200


def next_round(world: World, action: Action) -> None:
    """Nobody meets a bot that left in a later round."""
    looks_at("swiss")(world, action)
    if action in LEAVES:
        event = world.events["swiss"]
        entry = event.entries.get(version=world.leaver)
        later = event.pairings.filter(round=3)
        assert later.exists()
        assert not later.filter(first=entry).exists()
        assert not later.filter(second=entry).exists()


def bracket(world: World, action: Action) -> None:
    """A finalist that left loses the final."""
    looks_at("bracket")(world, action)
    if action in LEAVES:
        first = tournament_standings(world.event("bracket"))[0]
        assert first.entry.version_id != world.leaver.pk


def ladder(world: World, action: Action) -> None:
    """A ladder goes on, without a bot that left."""
    event = world.event("ladder")
    assert event.status == "running"
    if action in LEAVES:
        assert not Seat.objects.filter(version=world.leaver, game__status__in=("queued", "running")).exists()
        assert event.entries.filter(version=world.leaver, withdrawn=False).count() == 0
        assert not Pair.objects.filter(pairing__tournament=event, status="stuck").exists()
    advance(event.pk)
    assert Client().get(event.get_absolute_url()).status_code == 200


def challenge(world: World, action: Action) -> None:
    """An open challenge that cannot be played is closed, one that is played ends, and who asked is told."""
    still = Challenge.objects.filter(status="open")
    assert still.filter(mine=world.leaver).exists() is (action not in LEAVES)
    assert still.filter(theirs=world.leaver).exists() is (action not in LEAVES)
    looks_at("challenge")(world, action)
    client = Client()
    client.force_login(world.cleo)
    assert client.get("/challenges/").status_code == 200
    if action in LEAVES and action is not account_deleted:
        assert Notice.objects.filter(user=world.cleo, kind="answered", text__contains="is off").exists()


def friendly(world: World, action: Action) -> None:
    """A game at the table goes on if the bot can, or is given up by it."""
    row = Friendly.objects.get(pk=world.friendly.pk)
    if action in DEPARTS:
        assert row.bot_is_awaited
        assert answer(row.pk)
        row.refresh_from_db()
        assert row.is_over
        assert row.result is not None
        assert row.result["termination"] == "resignation"
    client = Client()
    client.force_login(world.cleo)
    assert client.get(row.get_absolute_url(), follow=True).status_code == 200


def puzzle(world: World, action: Action) -> None:
    """A puzzle stays, whoever played the game it comes from."""
    assert Client().get(f"/puzzles/{world.puzzle}/").status_code == 200


def daily_deal(world: World, action: Action) -> None:
    """The deal of the day stays."""
    assert Client().get(f"/play/daily/{today().isoformat()}/").status_code in (200, 302)


def analysis(world: World, action: Action) -> None:
    """What was to be found out of a game comes to an end."""
    work_off({})
    assert not Analysis.objects.filter(status__in=("waiting", "running")).exists()


def notice(world: World, action: Action) -> None:
    """Owners and organisers were told, and no notice leads to a page that breaks."""
    if action in LEAVES:
        told = Notice.objects.filter(user=world.bert, key__startswith="left ")
        assert told.filter(url=world.events["queued"].get_absolute_url()).exists()
    client = Client()
    for reader in (world.cleo, world.bert, world.ann):
        if not type(reader).objects.filter(pk=reader.pk, is_active=True).exists():
            continue
        client.force_login(reader)
        for url in set(Notice.objects.filter(user=reader).values_list("url", flat=True)):
            assert client.get(url).status_code in (200, 302, 404, 410), url


def webhook(world: World, action: Action) -> None:
    """Whoever is still there is told by webhook, and nothing waits for an account that is gone."""
    deliver_due()
    assert not Notice.objects.filter(sent_on=None).exists() or Delivery.objects.exists()
    owners = set(Delivery.objects.values_list("webhook__owner", flat=True))
    assert (world.ann.pk in owners) is (action is not account_deleted)
    assert not Delivery.objects.filter(error__startswith="It could not be sent").exists()


def feed(world: World, action: Action) -> None:
    """Feeds and calendars answer; that of a bot that is gone says so."""
    client = Client()
    event = world.events["swiss"].slug
    for address in (
        "/tournaments/feed.atom",
        "/bots/feed.atom",
        "/leaderboard/crapaud/feed.atom",
        "/tournaments/calendar.ics",
        f"/tournaments/{event}/calendar.ics",
        f"/notices/feed/{world.feed}.atom",
    ):
        assert client.get(address).status_code == 200, address
    for address in ("/bots/leaver/feed.atom", "/bots/leaver/"):
        assert client.get(address).status_code == (404 if action in DEPARTS else 200), address


def api_cursor(world: World, action: Action) -> None:
    """A list that was begun before goes on."""
    slug = world.events["swiss"].slug
    page = Client().get(f"/api/v1/tournaments/{slug}/pairs/?limit=1&cursor={world.cursor}")
    assert page.status_code == 200
    assert page.json()["items"]
    for part in ("", "entries/", "standings/", "matches/"):
        assert Client().get(f"/api/v1/tournaments/{slug}/{part}").status_code == 200, part


def websocket(world: World, action: Action) -> None:
    """Whoever watches hears that the event changed, and that the game is over."""
    if action in (*LEAVES, event_cancelled):
        assert events.tournament_group(world.events["swiss"].slug) in world.told
    if action in (*DEPARTS, event_cancelled):
        assert events.game_group(world.lease.game) in world.told


def drafts(world: World, action: Action) -> None:
    """A draft has lost the entrant; one that nobody could start any more is cancelled."""
    for name in ("draft", "open"):
        event = world.event(name)
        if action in LEAVES:
            assert not event.entries.filter(version=world.leaver).exists()
        lost = action is event_cancelled or (action is organiser_gone and name == "draft")
        assert event.status == ("cancelled" if lost else "draft"), name


CELLS: Final = (
    queued_game,
    running_game,
    half_played_pair,
    next_round,
    bracket,
    looks_at("groups"),
    looks_at("test"),
    ladder,
    challenge,
    friendly,
    puzzle,
    daily_deal,
    analysis,
    notice,
    webhook,
    feed,
    api_cursor,
    websocket,
    drafts,
)


@pytest.fixture(scope="module")
def base(for_all_tests: ForAllTests[World]) -> World:
    """The world before anything happens."""
    return for_all_tests(the_world)


@pytest.mark.parametrize("action", ACTIONS, ids=lambda one: one.__name__)
def test_nothing_is_left_stuck_or_red(
    base: World,
    action: Action,
    subtests: pytest.Subtests,
    settings: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    backend = {"BACKEND": "arena.common.archives.FolderArchives", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, archives.ALIAS: backend}
    world = deepcopy(base)  # an account that is deleted loses its key
    monkeypatch.setattr(events, "publisher", lambda: Ears(world.told))
    with django_capture_on_commit_callbacks(execute=True):
        action(world)
    with seeing_hidden():
        run_all(world)
        for cell in CELLS:
            with subtests.test(cell.__doc__):
                cell(world, action)
        assert not Alarm.objects.filter(cleared_at=None).exists()
        assert competition()["ok"]
        assert not Game.objects.filter(status="queued", seats__version__archive=None).exists()


@dataclass
class Ears:
    """Stands for the publisher, and notes which groups hear something."""

    told: set[str]

    def send(self, group: str, message: object) -> None:
        """Note the group."""
        self.told.add(group)
