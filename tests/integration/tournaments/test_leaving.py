"""Whatever is removed, withdrawn or closed: nothing is left stuck, or turns `/health` red."""

import contextlib
import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from analysis.errors import StaleAttempt
from arena.accounts.models import User
from arena.notices.models import Notice
from arena.run.analysis.worker import ANSWERS
from arena.web.models import Limit
from arena.web.paths import path
from arena.web.storage import archives
from bots import bots
from bots.teams import co_owners
from friendlies.daily import today
from friendlies.models import Friendly
from friendlies.tables.bot_turns import answer
from people.classes import classrooms
from people.deletion import delete_account
from tests.conftest import ForAllTests
from tests.factories.leaver import TABLES, World, game_of, the_world
from tests.factories.results import accept_result, delivery
from tournaments import live_updates as events
from tournaments.challenges.answers import accept
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Challenge
from tournaments.events.standings import tournament_standings
from tournaments.games import archive
from tournaments.games.claims import claim_next
from tournaments.models import Alarm, Analysis, Game, Pair, Seat, Tournament
from tournaments.models.embargo import seeing_hidden
from tournaments.operation import retention
from tournaments.operation.benchings import bench
from tournaments.operation.operator_figures import competition
from tournaments.pairing.progress import advance, cancel_tournament
from tournaments.questions.worker import work_off
from tournaments.series.closure import close_season
from tournaments.series.errors import SeriesRefused

pytestmark = pytest.mark.django_db


# The actions, each on one world, in which a bot and its owner take part in everything there is.
def withdrawn(world: World) -> None:
    bots.withdraw_bot(world.leaver.bot, by=world.ann)


def benched(world: World) -> None:
    assert bench(world.leaver, "It crashed in its last 5 games.")


def account_deleted(world: World) -> None:
    delete_account(world.ann)


def others_left(world: World) -> None:
    """A co-owner leaves a bot, and a class is deleted, while events of them are played; a series cannot be
    closed meanwhile. All these events go on."""
    co_owners.leave(world.shared.bot, world.dan)
    classrooms.delete(world.classroom)
    with pytest.raises(SeriesRefused):
        close_season(world.league, world.bert, 1, goes_on=False)


def event_cancelled(world: World) -> None:
    for name, event in world.events.items():
        if name != "ladder":
            cancel_tournament(event, "It rains.", by=world.bert)


def organiser_gone(world: World) -> None:
    """The organiser deletes the account; one event was paused."""
    Tournament.objects.filter(pk=world.events["groups"].pk).update(status="paused")
    delete_account(world.bert)


def much_later(world: World) -> None:
    """All is old that may get old: retention removes it, and records of what is over move to the archive."""
    Limit.objects.bulk_create(Limit(name=rule.limit, value=1) for rule in retention.RULES)
    Limit.objects.create(name=archive.LIMIT, value=30)
    ago = timezone.now() - timedelta(days=400)
    Game.objects.exclude(finished_at=None).update(finished_at=ago)
    Notice.objects.update(at=ago)
    retention.remove_all()
    archive.archive_records()


DEPARTS: Final = (account_deleted,)
"""This takes the files along."""
LEAVES: Final = (withdrawn, benched, *DEPARTS)
ACTIONS: Final = (*LEAVES, others_left, event_cancelled, organiser_gone, much_later)
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


def answers(url: str, reader: User | None = None, *, among: Sequence[int] = (200,)) -> str:
    """What a page says to a reader; it must answer by one of these."""
    client = Client()
    if reader is not None:
        client.force_login(reader)
    answer = client.get(url)
    assert answer.status_code in among, url
    return answer.content.decode()


# What is looked at afterwards, one cell of the table each.
def looks_at(*names: str) -> Callable[[World, Action], None]:
    """A check that events are over, by a rule that costs the opponent nothing, and that their pages tell."""

    def check(world: World, action: Action) -> None:
        for name in names:
            event = world.event(name)
            assert event.status == ("cancelled" if action is event_cancelled else "finished"), name
            open_pairs = Pair.objects.filter(status__in=("queued", "running", "stuck"))
            assert not open_pairs.filter(pairing__tournament=event), name
            entry = event.entries.filter(version=world.leaver).first()
            assert entry is None or entry.withdrawn is (action in LEAVES), name
            if name in TABLES:
                assert world.rivals_points(name) >= world.points[name], name
            text = answers(event.get_absolute_url())
            assert "problem on our side" not in text, name
            left = event.format != "sprt" and event.entries.filter(withdrawn=True).exists()
            assert ("left this event" in text) is left, name
            one, other = event.entries.values_list("number", flat=True)[:2]
            answers(path("tournaments:meeting", event.slug, one, other))

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
    answers(game.get_absolute_url())


def half_played_pair(world: World, action: Action) -> None:
    """The rest of a pair is played, or the whole of it forfeited."""
    looks_at("half")(world, action)
    pair = Pair.objects.get(pairing__tournament=world.events["half"])
    assert pair.status == ("void" if action in (*DEPARTS, event_cancelled) else "accepted")
    answers(game_of(world.events["half"]).get_absolute_url())


def next_round(world: World, action: Action) -> None:
    """Nobody meets a bot that left in a later round, and as a finalist it loses the final."""
    looks_at("swiss", "bracket")(world, action)
    if action in LEAVES:
        event = world.events["swiss"]
        entry = event.entries.get(version=world.leaver)
        later = event.pairings.filter(round=3)
        assert later.exists()
        assert not later.filter(Q(first=entry) | Q(second=entry)).exists()
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
    answers(event.get_absolute_url())


def challenge(world: World, action: Action) -> None:
    """An open challenge that can never be played is closed, and who asked is told."""
    still = Challenge.objects.filter(status="open")
    assert still.filter(mine=world.leaver).exists() is (action not in DEPARTS)
    assert still.filter(theirs=world.leaver).exists() is (action not in DEPARTS)
    if action in LEAVES and action not in DEPARTS:
        for one in still.exclude(asked=None):
            owner = one.theirs.bot.owner
            assert owner is not None
            with pytest.raises(ChallengeRefused):
                accept(one, owner)
    looks_at("challenge")(world, action)
    answers("/challenges/", world.cleo)
    if action in DEPARTS:
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
    answers(row.get_absolute_url(), world.cleo, among=(200, 302))


def analysis(world: World, action: Action) -> None:
    """What was to be found out of a game comes to an end, tried with a few of many alike."""
    alike = Analysis.objects.filter(kind="luck", status="waiting").order_by("pk").values_list("pk", flat=True)
    Analysis.objects.filter(pk__in=list(alike[3:])).delete()
    work_off(ANSWERS)
    assert not Analysis.objects.filter(status__in=("waiting", "running")).exists()


def notice(world: World, action: Action) -> None:
    """Owners and organisers were told, and no kind of notice leads a reader to a page that breaks.

    Every page of an event is looked at in `looks_at`: one of many notices alike is enough.
    """
    if action in LEAVES:
        told = Notice.objects.filter(user=world.bert, key__startswith="left ")
        assert told.filter(url=world.events["queued"].get_absolute_url()).exists()
    for reader in User.objects.filter(
        pk__in=(world.cleo.pk, world.bert.pk or 0, world.ann.pk or 0), is_active=True
    ):
        for url in set(dict(Notice.objects.filter(user=reader).values_list("kind", "url")).values()):
            answers(url, reader, among=(200, 302, 404, 410))


def pages_that_stay(world: World, action: Action) -> None:
    """Feeds, calendars, a puzzle, the deal of the day and a list that was begun before answer; those of a bot
    that is gone say so."""
    event = world.events["swiss"].slug
    for address in (
        f"/puzzles/{world.puzzle}/",
        "/bots/feed.atom",
        f"/tournaments/{event}/calendar.ics",
        f"/notices/feed/{world.feed}.atom",
        *(f"/api/v1/tournaments/{event}/{part}" for part in ("", "entries/", "standings/", "matches/")),
    ):
        answers(address)
    answers(f"/play/daily/{today().isoformat()}/", among=(200, 302))
    for address in ("/bots/leaver/feed.atom", "/bots/leaver/"):
        answers(address, among=(404,) if action in DEPARTS else (200,))
    rest = answers(f"/api/v1/tournaments/{event}/pairs/?limit=1&cursor={world.cursor}")
    assert json.loads(rest)["items"]


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
    *(queued_game, running_game, half_played_pair, next_round, looks_at("groups", "test"), ladder, challenge),
    *(friendly, analysis, notice, pages_that_stay, websocket, drafts),
)


@pytest.fixture(scope="module")
def base(for_all_tests: ForAllTests[World]) -> World:
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
    backend = {"BACKEND": "arena.web.storage.archives.FolderArchives", "OPTIONS": {"location": str(tmp_path)}}
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
        self.told.add(group)
