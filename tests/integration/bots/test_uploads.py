"""Uploads: good ones are stored, bad ones answered in a sentence, too many and too large ones refused."""

import json
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
from asgiref.testing import ApplicationCommunicator
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from arena.asgi import application
from arena.web.http.body_limit import MOST_BYTES
from bots import limits
from bots.bots import withdraw_bot
from bots.models import Archive, Bot, CheckReport, PendingFile, Status, UploadAttempt, Version
from engine.boards import BOARDS
from sandbox import inspections, uploads
from sandbox.staging import store
from sandbox.staging.stage import BOTS
from tests.factories.accounts import token
from tests.factories.bots import inspect, judge, new_bot, python_bot
from tests.queues import checks_sent

NEW = "/bots/new/"


def post(
    client: Client, content: bytes, address: str = NEW, *, filename: str = "bot.py", **fields: str
) -> Any:
    data = {"name": "Ada's first"} if address == NEW else {}
    return client.post(address, {**data, "file": SimpleUploadedFile(filename, content), **fields})


def errors_of(page: Any) -> dict[str, list[str]]:
    """The sentences of a form that was refused, by field; each must be on the page."""
    assert page.status_code == 422
    found: dict[str, list[str]] = {field: list(said) for field, said in page.context["form"].errors.items()}
    assert all(escape(sentence) in page.content.decode() for said in found.values() for sentence in said)
    return found


@pytest.mark.django_db
def test_a_good_file_becomes_a_bot_whose_check_is_sent(
    as_ada: Client, ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        more = {"name": "  Ada's   first ", "description": " Plays. ", "open_to_all": "on"}
        page = post(as_ada, python_bot(), filename="mine.py", **more)
        assert checks_sent() == []
    version = Version.objects.get()
    assert page.headers["Location"] == "/bots/adas-first/versions/1/"
    bot = version.bot
    assert (bot.name, bot.owner, bot.description, bot.open_to_all) == ("Ada's first", ada, "Plays.", True)
    assert (version.number, version.status, bot.active_version) == (1, Status.UPLOADED, None)
    assert (version.filename, version.entry, version.language) == ("mine.py", "", "")
    assert checks_sent() == [[version.pk]]
    version = inspect(version)
    assert (version.entry, version.language, version.is_inspected) == ("bot.py", "python", True)
    assert not PendingFile.objects.exists()


@pytest.mark.django_db
def test_a_bad_file_is_answered_in_a_sentence_and_not_stored(as_ada: Client, as_bob: Client) -> None:
    """tests/security/test_uploads.py has all that is wrong with files."""
    assert errors_of(post(as_ada, b"")) == {"file": ["This file is empty."]}
    assert not Bot.objects.exists()
    address = post(as_ada, b"x = 1\nif:\n").headers["Location"]
    assert errors_of(post(as_ada, python_bot())).keys() == {"name"}, "it may still be a bot"
    version = inspect(Version.objects.get())
    assert (version.status, version.sha256, version.bot.active_version) == (Status.REJECTED, "", None)
    sentence = "'bot.py' does not compile: line 2: invalid syntax."
    assert CheckReport.objects.get().log == sentence
    assert escape(sentence) in as_ada.get(address).content.decode()
    assert as_bob.get(address).status_code == 404
    assert not PendingFile.objects.exists()
    assert not Archive.objects.exists()
    assert UploadAttempt.objects.count() == 1
    # It keeps the name for its author, who may use it again.
    assert errors_of(post(as_bob, python_bot())).keys() == {"name"}
    again = post(as_ada, python_bot(), description="Plays now.")
    assert again.headers["Location"] == "/bots/adas-first/versions/2/"
    assert Bot.objects.get().description == "Plays now."
    inspect(Version.objects.get(number=2))
    assert errors_of(post(as_ada, python_bot("three"))).keys() == {"name"}


@pytest.mark.django_db
def test_release_notes_are_plain_text_for_all(as_ada: Client, as_bob: Client, ada: User) -> None:
    new_bot(ada)
    notes = "<script>alert(1)</script> & faster\r\n\u202eand more"
    post(as_ada, python_bot("two"), "/bots/adas-first/upload/", note="mine", release_notes=notes)
    version = Version.objects.get(number=2)
    assert (version.note, version.activate_when_accepted) == ("mine", False)
    assert version.release_notes == "<script>alert(1)</script> & faster\n\u202eand more"
    assert "faster" not in as_bob.get("/bots/adas-first/").content.decode()  # it has not passed its check
    judge(version, True, "Well played.")
    addresses = ("adas-first/", "adas-first/versions/2/", "adas-first/feed.atom", "feed.atom")
    for text in (as_bob.get(f"/bots/{each}").content.decode() for each in addresses):
        assert "alert(1)&lt;/script&gt;" in text or "alert(1)&amp;lt;/script&amp;gt;" in text
        assert "<script>alert" not in text
    assert "mine" in as_ada.get("/bots/adas-first/").content.decode()


@pytest.mark.django_db
@pytest.mark.any_database
def test_a_program_creates_a_bot_uploads_a_version_and_follows_its_check(
    ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    program = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {token(ada)}"})
    bots, versions = "/api/v1/bots/", "/api/v1/bots/adas-first/versions/"
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        assert post(program, python_bot(), bots, name="Ada's first").status_code == 202
        answer = post(program, python_bot("two"), versions, note="two", release_notes="Twice as good.")
    assert answer.status_code == 202
    version = Version.objects.get(number=2)
    assert checks_sent() == [[version.pk - 1], [version.pk]]
    assert (version.note, version.activate_when_accepted, version.bot.open_to_all) == ("two", True, True)
    state = answer.json()
    assert (state["status"], state["checks_before"], state["sha256"]) == ("uploaded", 1, None)
    judge(inspect(version), True, "Well played.", {"evidence": [{"stderr": "hm"}]})
    state = program.get(state["status_url"]).json()
    assert (state["status"], state["active"], state["log"]) == ("accepted", True, "Well played.")
    assert (state["active_on"], state["evidence"]) == (list(BOARDS), [{"stderr": "hm"}])
    listed = program.get("/api/v1/directory/adas-first/versions/").json()["items"]
    assert [one["release_notes"] for one in listed] == ["Twice as good."], "and no note"
    for answer, field in (
        (program.post(versions), "file"),
        (post(program, python_bot(), bots, name="new"), "name"),
    ):
        assert answer.json()["error"]["field"] == field


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


@pytest.mark.django_db
@pytest.mark.any_database
def test_after_too_many_bad_uploads_nothing_is_received_and_the_answer_says_how_long_to_wait(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PENDING_PER_USER", 10)
    bad = [post(as_ada, f"print( {number}".encode(), name=f"N{number}") for number in range(10)]
    assert [page.status_code for page in bad] == [302] * 10
    page = post(as_ada, python_bot(), name="Mine")
    assert "You uploaded 10 files in 10 minutes, the most one account can. Try again in 10 minutes." in (
        page.content.decode()
    )
    program = Client(headers={"Authorization": f"Bearer {token(ada)}"})
    answer = post(program, python_bot(), "/api/v1/bots/", name="Mine")
    assert answer.json()["error"]["code"] == "limit"
    for one in (page, answer):
        assert (one.status_code, 500 < int(one.headers["Retry-After"]) <= 600) == (429, True)
    assert UploadAttempt.objects.count() == 10


@pytest.mark.django_db
def test_what_is_refused_is_refused_at_once(
    as_ada: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = new_bot(ada, "Mine").bot
    assert post(as_ada, python_bot("new"), name="Mine").status_code == 422, "its name"
    for limit in ("BOTS_PER_USER", "UPLOADS_PER_DAY"):
        with monkeypatch.context() as patch:
            patch.setattr(limits, limit, 1)
            assert post(as_ada, python_bot("new"), name="Other").status_code == 429
    withdraw_bot(bot)
    assert post(as_ada, python_bot("new"), "/bots/mine/upload/").status_code == 422
    assert Bot.objects.count() == Version.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.any_database
def test_what_waits_for_its_inspection_is_limited_and_the_answer_says_so_in_a_sentence(
    as_ada: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert post(as_ada, python_bot(), name="Mine").status_code == 302
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
            page = post(client, python_bot("two"), name="Another")
            assert (page.status_code, page.headers["Retry-After"]) == (429, "30"), limit
            assert sentence in page.content.decode()
            assert Bot.objects.count() == UploadAttempt.objects.count() == 1, "it counts for nothing"
    monkeypatch.setattr(limits, "PENDING", 1)
    inspect(Version.objects.get())
    assert post(as_bob, python_bot("two"), name="Another").status_code == 302


@pytest.mark.django_db
def test_large_files_that_wait_leave_room_for_small_ones(
    as_ada: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_COMPRESSED_BYTES", 200)
    monkeypatch.setattr(limits, "PENDING_LARGE_BYTES", 700)
    assert post(as_ada, b"x" * 500, filename="bot.zip").status_code == 302
    assert post(as_bob, b"x" * 500, filename="bot.zip", name="Bob's").status_code == 429
    assert post(as_bob, python_bot(), name="Bob's").status_code == 302


@pytest.mark.django_db
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


@pytest.mark.django_db
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


SENTENCE = "A request can be at most 5 MB. Send less."


async def sent(path: str, size: int) -> tuple[int, str]:
    """Status and text of the answer to a body of ``size`` bytes, sent in parts of a mebibyte."""
    headers = {
        "host": "testserver",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(size),
    }
    scope = {
        **{"type": "http", "http_version": "1.1", "method": "POST", "query_string": b"", "path": path},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    visit: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    left = size
    while left:
        part = min(left, 1 << 20)
        left -= part
        await visit.send_input({"type": "http.request", "body": b"x" * part, "more_body": left > 0})
    start = await visit.receive_output(10)
    text, more = b"", True
    while more:
        message = await visit.receive_output(10)
        text, more = text + message.get("body", b""), message.get("more_body", False)
    await visit.send_input({"type": "http.disconnect"})
    await visit.wait()
    return start["status"], text.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
async def test_a_page_says_that_a_body_is_too_large_and_a_program_gets_json() -> None:
    status, page = await sent("/bots/new/", MOST_BYTES + 1)
    assert (status, SENTENCE in page) == (413, True)
    assert '<a href="/bots/new/">Back to the form</a>' in page
    status, answer = await sent("/api/v1/bots/", MOST_BYTES + 1)
    assert status == 413
    assert json.loads(answer)["error"] == {"code": "too-large", "message": SENTENCE, "field": None}
    status, _ = await sent("/bots/new/", MOST_BYTES)
    assert status in {302, 403}
