"""Refused uploads: limits come first, nothing stays on the disk, and only a few are inspected at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from arena.accounts.models import User
from bots import services
from bots.errors import LimitReached
from bots.models import Bot, UploadAttempt
from bots.services import limits, submissions
from sandbox import Stage, inspections, uploads
from sandbox.staging import store
from sandbox.staging.stage import BOTS
from tests.factories.accounts import token
from tests.factories.bots import new_bot, python_bot, zipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = pytest.mark.django_db
NEW = "/bots/new/"
ROOT = Path(__file__).resolve().parents[3]
BAD_SCRIPT = zipped({"bot.js": b"let a = ;\n", "zeros": bytes(1 << 20)})
HANG = """
import sys, time
from pathlib import Path
from sandbox import inspections
from sandbox.staging import store
with inspections.place(Path(sys.argv[1]), 0.0) as place:
    store.write_tree(place, {"bot.js": bytes(1 << 20)})
    print(place, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def stage_root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A stage of this test's own, where the uid that plays can reach it (pytest's folders are closed)."""
    with tempfile.TemporaryDirectory(prefix="crapette-stage-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        monkeypatch.setenv("CRAPETTE_STAGE", str(folder / "stage"))
        yield folder / "stage"
        store.remove_tree(folder / "stage")


def post(client: Client, content: bytes, name: str = "bot.zip", address: str = NEW) -> Any:
    """Send a file as a browser does."""
    return client.post(address, {"name": "Mine", "file": SimpleUploadedFile(name, content)})


def left(root: Path) -> list[str]:
    """Everything of uploads that is on the stage."""
    found = [*root.glob("bots*/*"), *root.glob("inspections*/*-*")]
    return [str(path.relative_to(root)) for path in found]


def test_a_refused_upload_leaves_nothing_on_the_disk_and_counts(
    as_ada: Client, ada: User, stage_root: Path
) -> None:
    page = post(as_ada, BAD_SCRIPT)
    assert page.status_code == 422
    assert "does not compile" in page.content.decode()
    assert left(stage_root) == []
    assert UploadAttempt.objects.filter(owner=ada).count() == 1


@pytest.mark.any_database
def test_after_too_many_bad_uploads_nothing_is_inspected_and_the_answer_says_how_long_to_wait(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = [post(as_ada, b"print(", "bot.py").status_code for _ in range(10)]
    assert bad == [422] * 10
    monkeypatch.setattr(uploads, "inspect", lambda *_, **__: pytest.fail("it was inspected"))
    page = post(as_ada, python_bot(), "bot.py")
    assert page.status_code == 429
    assert 500 < int(page.headers["Retry-After"]) <= 600
    assert "You uploaded 10 files in 10 minutes, the most one account can. Try again in 10 minutes." in (
        page.content.decode()
    )
    program = token(ada)
    answer = as_ada.post(
        "/api/v1/bots/",
        {"name": "Mine", "file": SimpleUploadedFile("bot.py", python_bot())},
        headers={"Authorization": f"Bearer {program}"},
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "limit")
    assert int(answer.headers["Retry-After"]) > 500
    assert UploadAttempt.objects.count() == 10


@pytest.mark.parametrize("program", [False, True])
def test_an_account_deleted_while_its_upload_is_inspected_gets_an_answer(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch, program: bool
) -> None:
    inspect = uploads.inspect

    def meanwhile(*given: Any, **options: Any) -> uploads.Upload:
        found = inspect(*given, **options)
        services.delete_account(User.objects.get(pk=ada.pk))
        return found

    monkeypatch.setattr(uploads, "inspect", meanwhile)
    secret = token(ada)
    address, headers = (
        ("/api/v1/bots/", {"Authorization": f"Bearer {secret}"}) if program else (NEW, dict[str, str]())
    )
    file = SimpleUploadedFile("bot.py", python_bot())
    answer = as_ada.post(address, {"name": "Mine", "file": file}, headers=headers)
    assert answer.status_code == 410
    assert "Your account has been deleted in the meantime. Nothing was stored." in answer.content.decode()
    assert not Bot.objects.exists()


def test_attempts_are_forgotten_when_no_limit_looks_back_so_far(ada: User) -> None:
    for _ in range(10):
        limits.inspected(limits.claim_attempt(ada), counts=True)
    UploadAttempt.objects.update(at=timezone.now() - timedelta(minutes=11))
    limits.inspected(limits.claim_attempt(ada), counts=True)
    assert UploadAttempt.objects.count() == 11
    UploadAttempt.objects.update(at=timezone.now() - timedelta(hours=25))
    limits.claim_attempt(ada)
    assert UploadAttempt.objects.count() == 1


@pytest.mark.parametrize("trouble", ["bots", "day", "name", "withdrawn"])
def test_what_is_refused_anyway_is_refused_before_its_inspection(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    bot = new_bot(ada, "Mine" if trouble == "name" else "Other").bot
    if trouble == "withdrawn":
        services.withdraw_bot(bot)
    if trouble == "bots":
        monkeypatch.setattr(limits, "BOTS_PER_USER", 1)
    if trouble == "day":
        monkeypatch.setattr(limits, "UPLOADS_PER_DAY", 1)
    monkeypatch.setattr(uploads, "inspect", lambda *_, **__: pytest.fail("it was inspected"))
    address = "/bots/other/upload/" if trouble == "withdrawn" else NEW
    page = post(as_ada, python_bot("new"), "bot.py", address)
    assert page.status_code == (429 if trouble in ("bots", "day") else 422)
    assert Bot.objects.count() == 1


def test_an_arena_that_cannot_check_says_that_the_file_is_not_to_blame_and_counts_nothing(
    as_ada: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CRAPETTE_STAGE", "/proc/nowhere")
    page = post(as_ada, python_bot(), "bot.py")
    assert page.status_code == 503
    assert "We can’t check bots right now. This is not your file’s fault: try again later." in (
        page.content.decode()
    )
    assert "an upload could not be inspected" in caplog.text
    assert not UploadAttempt.objects.exists()


@pytest.mark.any_database
def test_an_arena_that_inspects_all_it_can_says_so_and_counts_nothing(
    as_ada: Client, stage_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(inspections.place.__wrapped__, "__defaults__", (1,))  # type: ignore[attr-defined]
    Stage.ensure()
    with inspections.place(stage_root, 0.0):
        page = post(as_ada, python_bot(), "bot.py")
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10")
    assert "We are checking as many uploads as we can. Try again in a moment." in page.content.decode()
    assert not UploadAttempt.objects.exists()
    assert post(as_ada, python_bot(), "bot.py").status_code == 302


def test_an_account_has_one_upload_inspected_at_a_time_and_others_are_not_held_up(
    as_ada: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspect, answers = uploads.inspect, []

    def meanwhile(*given: Any, **options: Any) -> uploads.Upload:
        monkeypatch.setattr(uploads, "inspect", inspect)
        answers.append(post(as_ada, python_bot("second"), "bot.py"))
        answers.append(
            as_bob.post(NEW, {"name": "Bob's", "file": SimpleUploadedFile("bot.py", python_bot())})
        )
        return inspect(*given, **options)

    monkeypatch.setattr(uploads, "inspect", meanwhile)
    assert post(as_ada, python_bot("first"), "bot.py").status_code == 302
    refused, others = answers
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
    assert "We are still inspecting your last upload. Try again in a few seconds." in (
        refused.content.decode()
    )
    assert others.status_code == 302
    # The refused one counts for nothing, and after the first the next is looked at, whatever it is.
    assert UploadAttempt.objects.count() == 2
    assert post(as_ada, b"print(", "bot.py").status_code == 422
    assert post(as_ada, b"print(", "bot.py").status_code == 422


def test_an_upload_whose_process_died_holds_its_author_up_for_a_minute_only(ada: User) -> None:
    limits.claim_attempt(ada)
    with pytest.raises(LimitReached, match="still inspecting your last upload"):
        limits.claim_attempt(ada)
    UploadAttempt.objects.update(inspecting_until=timezone.now())
    limits.claim_attempt(ada)


def test_no_more_than_the_slots_are_inspected_at_once_by_any_threads_and_processes(tmp_path: Path) -> None:
    root = tmp_path / "root"
    most, now, lock = 0, 0, threading.Lock()

    def inspect() -> None:
        nonlocal most, now
        with inspections.place(root, 30.0, slots=3):
            with lock:
                now += 1
                most = max(most, now)
            time.sleep(0.05)
            with lock:
                now -= 1

    command = [sys.executable, "-c", HANG, str(root)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        abandoned = Path(other.stdout.readline().strip())
        threads = [threading.Thread(target=inspect) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert most == 2
        assert abandoned.exists()
        other.send_signal(signal.SIGKILL)
    # What the killed process left is removed by the next start, and nobody waits for its slot.
    inspections.remove_abandoned(root)
    assert not abandoned.exists()
    with (
        pytest.raises(inspections.InspectionsBusy),
        inspections.place(root, 0.0, slots=1),
        inspections.place(root, 0.0, slots=1),
    ):
        pass


@pytest.mark.any_database
def test_what_lies_on_the_stage_of_uploads_is_closed_to_other_accounts(stage_root: Path) -> None:
    bots = store.closed_folder(stage_root, BOTS)
    bots.mkdir(parents=True)
    bots.chmod(0o755)
    uploads.inspect("bot.js", b"1;\n")
    for folder in (bots, store.closed_folder(stage_root, inspections.FOLDER)):
        about = folder.stat()
        assert about.st_mode & 0o007 == 0
        assert about.st_mode & 0o070 in ((0o010,) if os.geteuid() == 0 else (0,))
