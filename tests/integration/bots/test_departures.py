"""An account that is deleted takes all it promised along; results stay, under no name."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core import serializers
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from bots import bots, files, tokens, uploads
from bots.models import CheckReport, UploadAttempt, Version
from bots.playing.game_process import DeliveredGame
from bots.tasks import remove_forgotten
from bots.teams.departures import end_invitations
from people.deletion import delete_account
from sandbox import Stage
from sandbox.staging import store
from tests.factories.accounts import SECRET, author, sign_in_operator
from tests.factories.bots import accepted_bot, house_bots, judge, upload
from tests.factories.results import accept_result, delivery, lease
from tests.factories.tournaments import running
from tournaments.games.search import evidence_for
from tournaments.models import Evidence, Game, Result

pytestmark = pytest.mark.django_db
WROTE = "Traceback of a heron"
RECORD = {"events": [], "evidence": [{"stderr": WROTE, "messages": []}]}


@pytest.fixture(scope="module")
def built() -> Iterator[Stage]:
    """A stage of this module's own."""
    with tempfile.TemporaryDirectory(prefix="crapette-stage-") as name:
        Path(name).chmod(0o755)
        yield Stage.ensure(Path(name, "stage"))
        store.remove_tree(Path(name, "stage"))


@pytest.fixture
def stage(built: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The same without any bot."""
    root = built.path.parents[1]
    monkeypatch.setenv("CRAPETTE_STAGE", str(root))
    yield built
    for bot in root.glob("bots*/*"):
        store.remove_tree(bot)


def ended(game: Any) -> DeliveredGame:
    """An invented end of a game in which each bot wrote its own name to standard error."""
    end = delivery(game)
    seats = Game.objects.get(pk=game).seats.order_by("seat").select_related("version__bot")
    wrote = [{"stderr": f"{WROTE}: {seat.version.bot.name}"} for seat in seats]
    return DeliveredGame(end.events, end.result, wrote, end.sandbox)


def heron_with_everything() -> tuple[User, Version]:
    """A user with all that the site can know of one, and a bot that has played Bob's."""
    owner, bob = author("heron"), author("bob")
    version = accepted_bot(owner, "Heron's bot")
    bots.edit_bot(version.bot, bots.BotDetails("Heron's bot", description="By heron.", open_to_all=True))
    EmailAddress.objects.create(user=owner, email="heron@birds.example")
    TOTP.activate(owner, SECRET)
    tokens.create_token(owner, "heron laptop")
    UploadAttempt.objects.create(owner=owner, at=timezone.now())
    Client().force_login(owner)
    running(bob, [version, accepted_bot(bob, "Bob's bot")], pairs=2, name="Cup")
    found = lease()
    accept_result(found, ended(found.game))
    file = uploads.Submission(upload("two"), "heron.py", note="for heron", release_notes="heron’s best")
    judge(uploads.upload_version(version.bot, file), False, f"{WROTE} in seat 1.", RECORD)
    for row in (owner, version.bot):
        kind = ContentType.objects.get_for_model(row)
        entry = {"object_id": str(row.pk), "object_repr": str(row), "action_flag": CHANGE}
        LogEntry.objects.create(user=bob, content_type=kind, **entry)
    return owner, version


def everything() -> str:
    """Every row of the database, in clear."""
    rows = [row for model in apps.get_models() if not model._meta.proxy for row in model._base_manager.all()]
    sessions = [session for session in rows if isinstance(session, Session)]
    kept = [row for row in rows if not isinstance(row, Session)]
    return str(serializers.serialize("json", kept)) + str([session.get_decoded() for session in sessions])


def test_nothing_of_a_departed_owner_is_left_in_the_database_but_results(
    stage: Stage, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    owner, version = heron_with_everything()
    directory = files.materialise(version, stage)
    under_way = lease()
    assert "heron" in everything().lower()
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(owner)
    # A game that was under way is delivered afterwards.
    end, wrote = ended(under_way.game), [f"{WROTE}: {one}" for one in ("Bob's bot", "x", "y")]
    late = [{"stderr": one} for one in wrote[1:]]
    accept_result(under_way, DeliveredGame(end.events, end.result, late, end.sandbox))
    left = everything()
    for one in wrote:
        left = left.replace(one, "")
    assert "heron" not in left.lower()
    assert not Session.objects.exists()
    assert not directory.exists()
    assert Result.objects.count() == 2
    for evidence in Evidence.objects.all():
        seats = evidence.game.seats.order_by("seat").select_related("version__bot")
        theirs = [seat.version.bot.is_departed for seat in seats]
        assert [left == {} for left in evidence.parts()[0]] == theirs
        assert sorted(theirs) == [False, True]


def test_what_a_bot_writes_while_its_owner_leaves_is_not_kept() -> None:
    owner, version = heron_with_everything()
    under_way = lease()
    assert end_invitations(owner) == {version.bot_id}
    accept_result(under_way, ended(under_way.game))
    assert sorted(len(left) for left in Evidence.objects.get(game=under_way.game).parts()[0]) == [0, 1]


def test_what_a_host_still_has_or_finds_of_departed_bots_is_kept_nowhere(stage: Stage) -> None:
    owner, version = heron_with_everything()
    stays = files.materialise(Version.objects.get(bot__name="Bob's bot"), stage)
    waiting = uploads.upload_version(version.bot, uploads.Submission(upload("three"), "heron.py"))
    delete_account(owner)
    goes = stage.store_bot(version.sha256, {"bot.py": b"unpacked by another host"}, "bot.py")
    remove_forgotten()
    assert (goes.exists(), stays.exists()) == (False, True)
    judge(waiting, False, f"{WROTE}.", RECORD)
    assert not CheckReport.objects.filter(version=waiting).exists()
    assert not waiting.trials.exists()


def test_what_a_bot_wrote_is_shown_to_its_owner_and_to_no_operator(stage: Stage, client: Client) -> None:
    owner, _ = heron_with_everything()
    chief = sign_in_operator(client)
    evidence = Evidence.objects.get()
    assert len(evidence_for(evidence.game, owner)) == 1
    assert evidence_for(evidence.game, chief) == []
    assert WROTE not in client.get(evidence.game.get_absolute_url()).content.decode()
    page = client.get(f"/admin/tournaments/evidence/{evidence.pk}/change/")
    assert page.status_code == 200
    assert WROTE not in page.content.decode()
    client.force_login(owner)
    page = client.get(evidence.game.get_absolute_url())
    assert "only you can see this" in page.content.decode()
    assert WROTE in page.content.decode()


def test_what_a_house_bot_wrote_is_kept_only_where_it_was_at_fault() -> None:
    [house], mine = house_bots("greedy"), accepted_bot(author("ada"), "Mine")
    running(None, [house, mine], pairs=1)
    for fault in (False, True):
        found = lease()
        seat = Game.objects.get(pk=found.game).seats.get(version=house).seat
        end = ended(found.game)
        if fault:
            result = {**end.result, "seat": seat, "termination": "crash"}
            end = replace(end, result=result)
        accept_result(found, end)
        left, _ = Evidence.objects.get(game=found.game).parts()
        assert left[seat] == ({"stderr": f"{WROTE}: {house.bot.name}"} if fault else {})
        assert left[1 - seat] == {"stderr": f"{WROTE}: Mine"}
