"""Whatever is removed, withdrawn or closed: nothing is left stuck, or turns `/health` red."""

import contextlib
from collections.abc import Callable, Sequence
from copy import deepcopy
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
from arena.web.storage import archives
from bots import bots
from bots.teams import co_owners
from friendlies.models import Friendly
from friendlies.tables.bot_turns import answer
from people.classes import classrooms
from people.deletion import delete_account
from tests.conftest import ForAllTests
from tests.factories.leaver import TABLES, World, game_of, the_world
from tests.factories.results import accept_result, delivery
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


def others_left_long_ago(world: World) -> None:
    """A co-owner leaves a bot, and a class is deleted, while events of them are played; a series cannot be
    closed meanwhile. Then all is old that may get old: retention removes it, and records of what is over move
    to the archive. All these events go on."""
    co_owners.leave(world.shared.bot, world.dan)
    classrooms.delete(world.classroom)
    with pytest.raises(SeriesRefused):
        close_season(world.league, world.bert, 1, goes_on=False)
    Limit.objects.bulk_create(Limit(name=rule.limit, value=1) for rule in retention.RULES)
    Limit.objects.create(name=archive.LIMIT, value=30)
    ago = timezone.now() - timedelta(days=400)
    Game.objects.exclude(finished_at=None).update(finished_at=ago)
    Notice.objects.update(at=ago)
    retention.remove_all()
    archive.archive_records()


def event_cancelled(world: World) -> None:
    for name, event in world.events.items():
        if name != "ladder":
            cancel_tournament(event, "It rains.", by=world.bert)


def organiser_gone(world: World) -> None:
    """The organiser deletes the account; one event was paused."""
    Tournament.objects.filter(pk=world.events["groups"].pk).update(status="paused")
    delete_account(world.bert)


LEAVES: Final = (withdrawn, benched, account_deleted)
ACTIONS: Final = (*LEAVES, others_left_long_ago, event_cancelled, organiser_gone)
Action = Callable[[World], None]
PAGES: Final = ("queued", "swiss", "bracket", "groups", "test")
"""An event of each format: pages of the others say the same."""


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


def events_are_over(world: World, action: Action) -> None:
    """Events are over, by a rule that costs the opponent nothing, and their pages tell."""
    for name in (*TABLES, "test", "challenge"):
        event = world.event(name)
        assert event.status == ("cancelled" if action is event_cancelled else "finished"), name
        open_pairs = Pair.objects.filter(status__in=("queued", "running", "stuck"))
        assert not open_pairs.filter(pairing__tournament=event), name
        entry = event.entries.filter(version=world.leaver).first()
        assert entry is None or entry.withdrawn is (action in LEAVES), name
        if name in TABLES:
            assert world.rivals_points(name) >= world.points[name], name
        if name in PAGES:
            text = answers(event.get_absolute_url())
            assert "problem on our side" not in text, name
            left = event.format != "sprt" and event.entries.filter(withdrawn=True).exists()
            assert ("left this event" in text) is left, name
    game, half = (
        Game.objects.get(pk=world.lease.game),
        Pair.objects.get(pairing__tournament=world.events["half"]),
    )
    struck = action in (account_deleted, event_cancelled)
    assert (game.status, half.status) == (("void", "void") if struck else ("finished", "accepted"))
    for each in (game, game_of(world.events["half"])):
        answers(each.get_absolute_url())


def what_goes_on_goes_on_without_the_bot(world: World, action: Action) -> None:
    """What had not begun is won by the opponent; nobody meets it in a later round, a final or the ladder."""
    event = world.event("ladder")
    assert event.status == "running"
    advance(event.pk)
    answers(event.get_absolute_url())
    if action not in LEAVES:
        return
    assert world.rivals_points("queued") == 4
    assert not Game.objects.filter(tournament=world.events["queued"], status="finished").exists()
    later = world.events["swiss"].pairings.filter(round=3)
    assert later.exists()
    assert not later.filter(Q(first__version=world.leaver) | Q(second__version=world.leaver)).exists()
    assert tournament_standings(world.event("bracket"))[0].entry.version_id != world.leaver.pk
    assert not Seat.objects.filter(version=world.leaver, game__status__in=("queued", "running")).exists()
    assert not event.entries.filter(version=world.leaver, withdrawn=False).exists()


def challenge(world: World, action: Action) -> None:
    """An open challenge that can never be played is closed, and who asked is told."""
    still = Challenge.objects.filter(status="open")
    assert still.filter(mine=world.leaver).exists() is (action is not account_deleted)
    assert still.filter(theirs=world.leaver).exists() is (action is not account_deleted)
    if action in (withdrawn, benched):
        for one in still.exclude(asked=None):
            owner = one.theirs.bot.owner
            assert owner is not None
            with pytest.raises(ChallengeRefused):
                accept(one, owner)
    answers("/challenges/", world.cleo)
    if action is account_deleted:
        assert Notice.objects.filter(user=world.cleo, kind="answered", text__contains="is off").exists()


def friendly(world: World, action: Action) -> None:
    """A game at the table goes on if the bot can, or is given up by it."""
    row = Friendly.objects.get(pk=world.friendly.pk)
    if action is account_deleted:
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
    """Owners and organisers were told, and no kind of notice leads its reader to a page that breaks."""
    if action in LEAVES:
        told = Notice.objects.filter(user=world.bert, key__startswith="left ")
        assert told.filter(url=world.events["queued"].get_absolute_url()).exists()
    readers = User.objects.filter(
        pk__in=(world.cleo.pk, world.bert.pk or 0, world.ann.pk or 0), is_active=True
    )
    told_of = Notice.objects.filter(user__in=readers).values_list("kind", "url", "user")
    for url, reader in {kind: (url, key) for kind, url, key in told_of}.values():
        answers(url, readers.get(pk=reader), among=(200, 302, 404, 410))


def drafts(world: World, action: Action) -> None:
    """A draft has lost the entrant; one that nobody could start any more is cancelled."""
    for name in ("draft", "open"):
        event = world.event(name)
        if action in LEAVES:
            assert not event.entries.filter(version=world.leaver).exists()
        lost = action is event_cancelled or (action is organiser_gone and name == "draft")
        assert event.status == ("cancelled" if lost else "draft"), name


CELLS: Final = (
    events_are_over,
    what_goes_on_goes_on_without_the_bot,
    challenge,
    friendly,
    analysis,
    notice,
    drafts,
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
    django_capture_on_commit_callbacks: Any,
) -> None:
    backend = {"BACKEND": "arena.web.storage.archives.FolderArchives", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, archives.ALIAS: backend}
    world = deepcopy(base)  # an account that is deleted loses its key
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
