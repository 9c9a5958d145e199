"""What forms make of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from bots.forms import DeleteAccountForm, Submission, UploadForm
from tests.authors import python_bot

if TYPE_CHECKING:
    import pytest


class Unread(SimpleUploadedFile):
    """A file that must not be read."""

    def read(self, *args: object) -> bytes:
        """Fail the test."""
        raise AssertionError("a file was read that is too large to be read")


def form_for(file: SimpleUploadedFile) -> UploadForm:
    """The form with a file in it."""
    return UploadForm({}, MultiValueDict({"file": [file]}))


def test_a_good_file_cleans_to_what_can_be_stored() -> None:
    form = form_for(SimpleUploadedFile("mine.py", python_bot()))
    assert form.is_valid()
    submission = form.cleaned_data["file"]
    assert isinstance(submission, Submission)
    assert submission.filename == "mine.py"
    assert submission.upload.files == {"bot.py": python_bot()}


def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    file = Unread("bot.py", b"#")
    file.size = 900 << 20
    assert form_for(file).errors == {"file": ["Expected at most 4 MB, got 900.0 MB."]}


def test_an_arena_that_cannot_check_says_that_the_file_is_not_to_blame(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CRAPETTE_STAGE", "/proc/nowhere")
    form = form_for(SimpleUploadedFile("bot.py", python_bot()))
    assert form.errors == {
        "file": [
            "The arena cannot check bots just now, and it is not your file's fault: please try again later."
        ]
    }
    assert form.errors.as_data()["file"][0].code == "unavailable"
    assert "an upload could not be inspected" in caplog.text


def test_an_account_is_not_deleted_under_another_name() -> None:
    assert DeleteAccountForm({"username": "ada"}, expected="ada").is_valid()
    form = DeleteAccountForm({"username": "bob"}, expected="ada")
    assert form.errors == {"username": ["Expected 'ada', got 'bob'."]}
