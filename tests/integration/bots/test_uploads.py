"""Uploads through the pages: good ones are stored, bad ones answered with one sentence beside the field."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape

from bots.models import Archive, Bot, CheckReport, PendingFile, Status, UploadAttempt, Version
from tests.factories.bots import inspect, judge, new_bot, python_bot
from tests.queues import checks_sent

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Page
    from pytest_django import DjangoCaptureOnCommitCallbacks

    from arena.accounts.models import User

pytestmark = pytest.mark.django_db
NEW = "/bots/new/"


def post(client: Client, name: str, content: bytes, address: str = NEW, **fields: str) -> Page:
    """Send a file as a browser does."""
    data = {"name": "Ada's first"} if address == NEW else {}
    return client.post(address, {**data, "file": SimpleUploadedFile(name, content), **fields})


def errors_of(page: Page) -> dict[str, list[str]]:
    """The sentences of a form that was refused, by field; each must be on the page."""
    assert page.status_code == 422
    found = page.context["form"].errors.get_json_data()
    sentences = {field: [str(error["message"]) for error in errors] for field, errors in found.items()}
    html = page.content.decode()
    for sentence in chain.from_iterable(sentences.values()):
        assert escape(sentence) in html
    return sentences


def test_a_good_file_becomes_a_bot_whose_check_is_sent(
    as_ada: Client, ada: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    checks_sent()
    with django_capture_on_commit_callbacks(execute=True):
        page = post(as_ada, "mine.py", python_bot(), description="Plays.", open_to_all="on")
    version = Version.objects.get()
    assert page.status_code == 302
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
    assert errors_of(post(as_ada, "bot.py", b"")) == {"file": ["This file is empty."]}
    assert not Bot.objects.exists()
    address = post(as_ada, "bot.py", b"x = 1\nif:\n").headers["Location"]
    version = inspect(Version.objects.get())
    assert (version.status, version.sha256, version.bot.active_version) == (Status.REJECTED, "", None)
    sentence = "'bot.py' does not compile: line 2: invalid syntax."
    assert CheckReport.objects.get().log == sentence
    assert escape(sentence) in as_ada.get(address).content.decode()
    assert as_bob.get(address).status_code == 404
    assert not PendingFile.objects.exists()
    assert not Archive.objects.exists()
    assert UploadAttempt.objects.count() == 1


def test_a_refused_first_file_does_not_keep_its_author_from_the_name(as_ada: Client, as_bob: Client) -> None:
    post(as_ada, "bot.py", b"print(")
    assert errors_of(post(as_ada, "bot.py", python_bot())).keys() == {"name"}, "it may still be a bot"
    inspect(Version.objects.get())
    assert errors_of(post(as_bob, "bot.py", python_bot())).keys() == {"name"}
    again = post(as_ada, "bot.py", python_bot(), description="Plays now.")
    assert again.headers["Location"] == "/bots/adas-first/versions/2/"
    assert Bot.objects.get().description == "Plays now."
    inspect(Version.objects.get(number=2))
    assert errors_of(post(as_ada, "bot.py", python_bot("three"))).keys() == {"name"}


def test_release_notes_are_plain_text_that_everyone_sees_and_escaped(
    as_ada: Client, as_bob: Client, ada: User
) -> None:
    new_bot(ada)
    notes = "<script>alert(1)</script> & faster\r\n\u202eand more"
    address = "/bots/adas-first/upload/"
    page = post(as_ada, "bot.py", python_bot("two"), address, note="mine", release_notes=notes)
    assert page.headers["Location"] == "/bots/adas-first/versions/2/"
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
