"""Uploads from an author's own programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from bots import limits
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
    with django_capture_on_commit_callbacks(execute=True):
        answer = program.post(VERSIONS, python_bot("two"), note="two", release_notes="Twice as good.")
    assert answer.status_code == 202
    version = Version.objects.get(number=2)
    assert checks_sent() == [[version.pk - 1], [version.pk]]
    assert (version.note, version.activate_when_accepted, version.bot.open_to_all) == ("two", True, True)
    expected = {
        "bot": "adas-first",
        "version": 2,
        "uploaded_by": "ada",
        "sha256": None,
        "language": None,
        "entry": None,
        "release_notes": "Twice as good.",
        "status": "uploaded",
        "checks_before": 1,
        "active": False,
        "active_on": [],
        "lost": [],
        "log": None,
        "trials": [],
        "benched": None,
        "evidence": [],
        "url": "http://testserver/bots/adas-first/versions/2/",
        "status_url": "http://testserver/api/v1/bots/adas-first/versions/2/",
    }
    assert answer.json() == expected
    version = inspect(version)
    judge(version, True, "Well played.", {"evidence": [{"stderr": "hm"}]})
    answer = program.get("/api/v1/bots/adas-first/versions/2/")
    assert answer.json() == expected | {
        "sha256": version.sha256,
        "language": "python",
        "entry": "bot.py",
        "checks_before": None,
        "status": "accepted",
        "active": True,
        "active_on": list(BOARDS),
        "log": "Well played.",
        "trials": [{"board": board, "verdict": "passed", "log": "Well played."} for board in BOARDS],
        "evidence": [{"stderr": "hm"}],
    }
    answer = program.get(VERSIONS)
    versions = answer.json()["versions"]
    assert [(one["number"], one["release_notes"]) for one in versions] == [(2, "Twice as good."), (1, "")]
    listed = program.get("/api/v1/directory/adas-first/versions/").json()["items"]
    assert [one["release_notes"] for one in listed] == ["Twice as good."]
    long = program.post(VERSIONS, python_bot("three"), release_notes="x" * 501)
    assert refused(long)[::3] == (422, "release_notes")
    answer = program.get("/api/v1/bots/")
    assert answer.json() == {
        "bots": [{"bot": "adas-first", "name": "Ada's first", "active_version": 2, "withdrawn": False}]
    }


def test_without_a_valid_token_nothing_is_answered(ada: User, as_ada: Client) -> None:
    new_bot(ada)
    none = "Expected the header 'Authorization: Bearer <token>', got none."
    unknown = "Expected a valid token, got one that is unknown or revoked."
    for given, sentence in (("", none), ("Basic YTpi", none), ("Bearer no", unknown)):
        for address in ("/api/v1/bots/", VERSIONS, VERSIONS + "1/"):
            answer = as_ada.get(address, headers={"Authorization": given} if given else {})
            assert refused(answer) == (401, "token", sentence, None)
            assert answer.headers["WWW-Authenticate"] == 'Bearer realm="crapette"'


@pytest.mark.any_database
def test_refusals_are_sentences(program: Program, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    new_bot(ada)
    for lacks, name in (
        (program.post(VERSIONS), "file"),
        (program.post("/api/v1/bots/", python_bot()), "name"),
    ):
        assert refused(lacks) == (422, "required", f"Expected the field '{name}', got none.", name)
    bad = program.post(VERSIONS, b"if:", activate_when_accepted="false")
    assert (bad.status_code, bad.json()["status"]) == (202, "uploaded")
    assert Version.objects.get(number=2).activate_when_accepted is False
    assert refused(program.post(VERSIONS, b"if:"))[::3] == (422, "file"), "the same again"
    inspect(Version.objects.get(number=2))
    state = program.get(bad.json()["status_url"]).json()
    sentence = "'bot.py' does not compile: line 1: invalid syntax."
    assert (state["status"], state["log"], state["sha256"]) == ("rejected", sentence, None)
    status, code, _, field = refused(program.post("/api/v1/bots/", python_bot(), name="new"))
    assert (status, code, field) == (422, "name", "name")
    answer = program.client.put(VERSIONS)
    assert refused(answer) == (405, "method", "Expected GET or POST, got PUT.", None)
    assert answer.headers["Allow"] == "GET, POST"
    monkeypatch.setattr(limits, "UPLOADS_PER_DAY", 1)
    status, code, _, field = refused(program.post(VERSIONS, python_bot("two")))
    assert (status, code, field) == (429, "limit", "file")
