"""Uploads through pages and by programs: good ones are stored, bad ones answered with one sentence."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape
from pytest_django import DjangoCaptureOnCommitCallbacks

from arena.accounts.models import User
from bots.models import Archive, Bot, CheckReport, PendingFile, Status, UploadAttempt, Version
from engine.boards import BOARDS
from tests.factories.accounts import token
from tests.factories.bots import inspect, judge, new_bot, python_bot
from tests.queues import checks_sent

pytestmark = pytest.mark.django_db
NEW = "/bots/new/"


def post(
    client: Client, content: bytes, address: str = NEW, *, filename: str = "bot.py", **fields: str
) -> Any:
    """Send a file as a browser does."""
    data = {"name": "Ada's first"} if address == NEW else {}
    return client.post(address, {**data, "file": SimpleUploadedFile(filename, content), **fields})


def errors_of(page: Any) -> dict[str, list[str]]:
    """The sentences of a form that was refused, by field; each must be on the page."""
    assert page.status_code == 422
    found: dict[str, list[str]] = {field: list(said) for field, said in page.context["form"].errors.items()}
    assert all(escape(sentence) in page.content.decode() for said in found.values() for sentence in said)
    return found


def test_a_good_file_becomes_a_bot_whose_check_is_sent(
    as_ada: Client, ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        page = post(as_ada, python_bot(), filename="mine.py", description="Plays.", open_to_all="on")
    version = Version.objects.get()
    assert page.headers["Location"] == "/bots/adas-first/versions/1/"
    assert (version.bot.owner, version.bot.description, version.bot.open_to_all) == (ada, "Plays.", True)
    assert (version.filename, version.entry, version.language) == ("mine.py", "", "")
    assert checks_sent() == [[version.pk]]
    version = inspect(version)
    assert (version.entry, version.language, version.is_inspected) == ("bot.py", "python", True)
    assert not PendingFile.objects.exists()


def test_a_bad_file_is_answered_with_one_sentence_and_nothing_of_it_is_stored(
    as_ada: Client, as_bob: Client
) -> None:
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


def test_release_notes_are_plain_text_that_everyone_sees_and_escaped(
    as_ada: Client, as_bob: Client, ada: User
) -> None:
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
