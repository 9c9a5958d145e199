"""Refused uploads: limits come first, nothing stays on the disk, and only a few are inspected at once."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Semaphore
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from arena.accounts.models import User
from bots import limits
from bots.bots import withdraw_bot
from bots.models import Bot, UploadAttempt, Version
from sandbox import inspections, uploads
from sandbox.staging import store
from sandbox.staging.stage import BOTS
from tests.factories.accounts import token
from tests.factories.bots import inspect, new_bot, python_bot

pytestmark = pytest.mark.django_db
NEW = "/bots/new/"
ROOT = Path(__file__).resolve().parents[3]
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


def post(
    client: Client, content: bytes, filename: str = "bot.zip", address: str = NEW, *, name: str = "Mine"
) -> Any:
    """Send a file as a browser does."""
    return client.post(address, {"name": name, "file": SimpleUploadedFile(filename, content)})


@pytest.mark.any_database
def test_after_too_many_bad_uploads_nothing_is_received_and_the_answer_says_how_long_to_wait(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PENDING_PER_USER", 10)
    bad = [post(as_ada, f"print( {number}".encode(), "bot.py", name=f"N{number}") for number in range(10)]
    assert [page.status_code for page in bad] == [302] * 10
    page = post(as_ada, python_bot(), "bot.py")
    assert "You uploaded 10 files in 10 minutes, the most one account can. Try again in 10 minutes." in (
        page.content.decode()
    )
    program = Client(headers={"Authorization": f"Bearer {token(ada)}"})
    answer = post(program, python_bot(), "bot.py", "/api/v1/bots/")
    assert answer.json()["error"]["code"] == "limit"
    for one in (page, answer):
        assert (one.status_code, 500 < int(one.headers["Retry-After"]) <= 600) == (429, True)
    assert UploadAttempt.objects.count() == 10


def test_what_is_refused_anyway_is_refused_at_once(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = new_bot(ada, "Mine").bot
    assert post(as_ada, python_bot("new"), "bot.py").status_code == 422, "its name"
    for limit in ("BOTS_PER_USER", "UPLOADS_PER_DAY"):
        with monkeypatch.context() as patch:
            patch.setattr(limits, limit, 1)
            assert post(as_ada, python_bot("new"), "bot.py", name="Other").status_code == 429
    withdraw_bot(bot)
    assert post(as_ada, python_bot("new"), "bot.py", "/bots/mine/upload/").status_code == 422
    assert Bot.objects.count() == Version.objects.count() == 1


@pytest.mark.any_database
def test_what_waits_for_its_inspection_is_limited_and_the_answer_says_so_in_a_sentence(
    as_ada: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert post(as_ada, python_bot(), "bot.py").status_code == 302
    mine = "We have not inspected your last uploads yet. Try again in 1 minute."
    all_of_us = "Too many uploads are waiting to be inspected. Try again in 1 minute."
    for limit, value, client, sentence in (
        ("PENDING_PER_USER", 1, as_ada, mine),
        ("PENDING_BYTES_PER_USER", 150, as_ada, mine),
        ("PENDING", 1, as_bob, all_of_us),
        ("PENDING_BYTES", 150, as_bob, all_of_us),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(limits, limit, value)
            page = post(client, python_bot("two"), "bot.py", name="Another")
            assert (page.status_code, page.headers["Retry-After"]) == (429, "30"), limit
            assert sentence in page.content.decode()
            assert Bot.objects.count() == UploadAttempt.objects.count() == 1, "it counts for nothing"
    monkeypatch.setattr(limits, "PENDING", 1)
    inspect(Version.objects.get())
    assert post(as_bob, python_bot("two"), "bot.py", name="Another").status_code == 302


def test_large_files_that_wait_leave_room_for_small_ones(
    as_ada: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_COMPRESSED_BYTES", 200)
    monkeypatch.setattr(limits, "PENDING_LARGE_BYTES", 700)
    assert post(as_ada, b"x" * 500).status_code == 302
    assert post(as_bob, b"x" * 500, name="Bob's").status_code == 429
    assert post(as_bob, python_bot(), "bot.py", name="Bob's").status_code == 302


def test_no_more_than_the_slots_are_inspected_at_once_by_any_threads_and_processes(tmp_path: Path) -> None:
    root, inside, counts = tmp_path / "root", Semaphore(2), list[bool]()

    def inspect(_: int) -> None:
        with inspections.place(root, 30.0, slots=3):
            counts.append(inside.acquire(blocking=False))
            time.sleep(0.05)
            inside.release()

    command = [sys.executable, "-c", HANG, str(root)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        abandoned = Path(other.stdout.readline().strip())
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(inspect, range(8)))
        assert counts == [True] * 8, "of three slots, the other process has one"
        assert abandoned.exists()
        other.kill()
    # What the killed process left is removed by the next start, and nobody waits for its slot.
    inspections.remove_abandoned(root)
    assert not abandoned.exists()
    with inspections.place(root, 0.0, slots=1), pytest.raises(inspections.InspectionsBusy):
        inspections.place(root, 0.0, slots=1).__enter__()


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
