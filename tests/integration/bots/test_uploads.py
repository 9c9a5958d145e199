"""Uploads through the pages: good ones are stored, bad ones answered with one sentence beside the field."""

from __future__ import annotations

import io
import stat
import zipfile
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape

from bots.models import Archive, Bot, CheckReport, PendingFile, Status, UploadAttempt, Version
from sandbox import uploads
from tests.factories.bots import inspect, judge, new_bot, python_bot, zipped
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


def zip_with(entry: zipfile.ZipInfo, content: bytes) -> bytes:
    """A zip of a good bot and one odd entry."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("bot.py", python_bot())
        archive.writestr(entry, content)
    return packed.getvalue()


def link(name: str, target: bytes) -> bytes:
    """A zip with a symbolic link in it."""
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zip_with(entry, target)


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


def test_a_box_that_is_not_ticked_keeps_the_bot_to_its_owner(as_ada: Client) -> None:
    post(as_ada, "bot.py", python_bot())
    assert Bot.objects.get().open_to_all is False


def test_a_zip_with_a_folder_around_it_is_a_bot(as_ada: Client) -> None:
    post(as_ada, "mine.zip", zipped({"mine/bot.py": python_bot(), "mine/book/a.txt": b"e2e4"}))
    version = inspect(Version.objects.get())
    assert (version.file_count, version.size) == (2, len(python_bot()) + 4)


SIZES = [
    (b"", "This file is empty."),
    (
        b"#" * (uploads.MAX_COMPRESSED_BYTES + 1),
        "This file has 4.1 MB. A bot can have at most 4 MB.",
    ),
]
BAD = {
    "Python with an error": (
        "bot.py",
        b"x = 1\nif:\n",
        "'bot.py' does not compile: line 2: invalid syntax.",
    ),
    "JavaScript with an error": (
        "bot.js",
        b"let a = ;\n",
        "'bot.js' does not compile: line 1: SyntaxError: Unexpected token ';'.",
    ),
    "a link": (
        "bot.zip",
        link("secrets", b"/etc/shadow"),
        "'secrets' is a link. A bot can have only plain files.",
    ),
    "an executable that wants libraries": (
        "bot",
        b"\x7fELF\x02\x01" + bytes(60),
        "'bot' is not for 64-bit x86-64.",
    ),
}
"""One of each kind; tests/security/test_uploads.py has all that is wrong with files."""


@pytest.mark.parametrize(("content", "sentence"), SIZES, ids=["empty", "a byte too large"])
def test_a_file_of_a_size_that_no_bot_has_is_refused_at_once(
    as_ada: Client, content: bytes, sentence: str
) -> None:
    assert errors_of(post(as_ada, "bot.py", content)) == {"file": [sentence]}
    assert not Bot.objects.exists()


@pytest.mark.any_database
@pytest.mark.parametrize(("name", "content", "sentence"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_is_answered_with_one_sentence_and_nothing_of_it_is_stored(
    as_ada: Client, as_bob: Client, name: str, content: bytes, sentence: str
) -> None:
    address = post(as_ada, name, content).headers["Location"]
    version = inspect(Version.objects.get())
    assert (version.status, version.sha256, version.bot.active_version) == (Status.REJECTED, "", None)
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


def test_a_form_without_a_file_or_a_name_says_so(as_ada: Client) -> None:
    page = as_ada.post(NEW, {"name": ""})
    assert errors_of(page) == {
        "name": ["This field is required."],
        "file": ["Choose a file."],
    }


def test_a_taken_name_is_reported_at_the_name_field(as_ada: Client, bob: User) -> None:
    new_bot(bob, "ADAS FIRST")
    page = post(as_ada, "bot.py", python_bot("mine"))
    assert errors_of(page).keys() == {"name"}


def test_a_new_version_is_stored_with_its_note(as_ada: Client, ada: User) -> None:
    new_bot(ada)
    page = post(
        as_ada, "bot.py", python_bot("two"), "/bots/adas-first/upload/", note="two", activate_when_accepted=""
    )
    version = Version.objects.get(number=2)
    assert page.headers["Location"] == "/bots/adas-first/versions/2/"
    assert (version.note, version.activate_when_accepted) == ("two", False)


def test_release_notes_are_plain_text_that_everyone_sees_and_escaped(
    as_ada: Client, as_bob: Client, ada: User
) -> None:
    new_bot(ada)
    notes = "<script>alert(1)</script> & faster\r\n\u202eand more"
    post(as_ada, "bot.py", python_bot("two"), "/bots/adas-first/upload/", note="mine", release_notes=notes)
    version = Version.objects.get(number=2)
    assert version.release_notes == "<script>alert(1)</script> & faster\n\u202eand more"
    assert "faster" not in as_bob.get("/bots/adas-first/").content.decode()  # it has not passed its check
    judge(version, True, "Well played.")
    addresses = ("adas-first/", "adas-first/versions/2/", "adas-first/feed.atom", "feed.atom")
    for page in (as_bob.get(f"/bots/{address}").content.decode() for address in addresses):
        assert "alert(1)&lt;/script&gt;" in page or "alert(1)&amp;lt;/script&amp;gt;" in page
        assert "<script>alert" not in page
        assert "\u202e" not in page
        assert "mine" not in page
    assert "mine" in as_ada.get("/bots/adas-first/").content.decode()


@pytest.mark.parametrize(("notes", "fits"), [("é" * 498 + "\r\n" + "x", True), ("x" * 501, False)])
def test_release_notes_have_at_most_500_characters_and_a_line_break_is_one(
    as_ada: Client, ada: User, notes: str, fits: bool
) -> None:
    new_bot(ada)
    page = post(as_ada, "bot.py", python_bot("two"), "/bots/adas-first/upload/", release_notes=notes)
    assert Version.objects.filter(number=2).exists() is fits
    if not fits:
        assert errors_of(page).keys() == {"release_notes"}
        assert "x" * 501 in page.content.decode()  # nothing typed is lost


def test_the_same_file_again_is_reported_at_the_file_field(as_ada: Client) -> None:
    post(as_ada, "bot.py", python_bot())
    same = errors_of(post(as_ada, "bot.py", python_bot(), "/bots/adas-first/upload/"))
    assert same == {"file": ["Version 1 has exactly the same files. Upload something new."]}
    inspect(Version.objects.get())
    assert errors_of(post(as_ada, "bot.py", python_bot(), "/bots/adas-first/upload/")) == same


def test_the_same_files_packed_in_another_way_are_refused_by_their_inspection(
    as_ada: Client, ada: User
) -> None:
    new_bot(ada, "same")
    post(as_ada, "same.zip", zipped({"bot.py": python_bot("same")}), "/bots/same/upload/")
    assert inspect(Version.objects.get(number=2)).is_refused
    assert CheckReport.objects.get().log == ("Version 1 has exactly the same files. Upload something new.")


def test_an_upload_without_the_forms_token_is_refused(ada: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert post(client, "bot.py", python_bot()).status_code == 403
    assert not Bot.objects.exists()
