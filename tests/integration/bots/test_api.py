"""Uploads from an author's own programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bots.models import Version
from engine.boards import BOARDS
from tests.factories.accounts import token
from tests.factories.bots import inspect, judge, new_bot, python_bot
from tests.queues import checks_sent

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer
    from pytest_django import DjangoCaptureOnCommitCallbacks

    from arena.accounts.models import User

pytestmark = pytest.mark.django_db
VERSIONS = "/api/v1/bots/adas-first/versions/"


class Program:
    """An author's program with a token; like every program it has no cookies, and no form tokens."""

    def __init__(self, user: User) -> None:
        self.secret = token(user)
        self.client = Client(enforce_csrf_checks=True)

    def get(self, address: str) -> Answer:
        """Ask."""
        return self.client.get(address, headers={"Authorization": f"Bearer {self.secret}"})

    def post(self, address: str, content: bytes | None = None, **fields: Any) -> Answer:
        """Send a file."""
        if content is not None:
            fields["file"] = SimpleUploadedFile("bot.py", content)
        return self.client.post(address, fields, headers={"Authorization": f"Bearer {self.secret}"})


@pytest.fixture
def program(ada: User) -> Program:
    """A program of Ada's."""
    return Program(ada)


def refused(answer: Answer) -> tuple[int, str, str, str | None]:
    """Status, code, sentence and field of a refusal."""
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"], error["field"]


@pytest.mark.any_database
def test_a_program_creates_a_bot_uploads_a_version_and_follows_its_check(
    program: Program, ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        answer = program.post("/api/v1/bots/", python_bot(), name="Ada's first")
        assert answer.status_code == 202
        answer = program.post(VERSIONS, python_bot("two"), note="two", release_notes="Twice as good.")
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
    [own] = program.get("/api/v1/bots/").json()["bots"]
    assert (own["bot"], own["active_version"]) == ("adas-first", 2)


@pytest.mark.any_database
def test_a_program_is_told_what_is_wrong_with_its_file(program: Program, ada: User) -> None:
    new_bot(ada)
    bad = program.post(VERSIONS, b"if:", activate_when_accepted="false")
    version = Version.objects.get(number=2)
    assert (bad.status_code, version.activate_when_accepted) == (202, False)
    inspect(version)
    state = program.get(bad.json()["status_url"]).json()
    sentence = "'bot.py' does not compile: line 1: invalid syntax."
    assert (state["status"], state["log"], state["sha256"]) == ("rejected", sentence, None)
    assert program.post(VERSIONS).json()["error"]["field"] == "file"
    taken = program.post("/api/v1/bots/", python_bot(), name="new").json()["error"]
    assert (taken["code"], taken["field"]) == ("name", "name")
