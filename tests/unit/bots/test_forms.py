"""What forms make of files."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict
from pytest_django import Settings

from bots.forms import BotFileField, UploadForm


class Unread(SimpleUploadedFile):
    """A file that must not be read."""

    def read(self, *args: object) -> bytes:
        """Fail the test."""
        raise AssertionError("a file was read that is too large to be read")


def form_for(file: SimpleUploadedFile) -> UploadForm:
    """The form with a file in it."""
    return UploadForm({}, MultiValueDict({"file": [file]}))


def test_a_file_that_is_too_large_is_refused_before_it_is_read() -> None:
    file = Unread("bot.py", b"#")
    file.size = 900 << 20
    assert form_for(file).errors == {"file": ["This file has 900.0 MB. A bot can have at most 4 MB."]}


def test_a_zip_may_be_larger_since_it_may_bring_a_net() -> None:
    assert form_for(SimpleUploadedFile("net.zip", b"#" * (5 << 20))).is_valid()
    file = Unread("net.zip", b"#")
    file.size = 65 << 20
    assert form_for(file).errors == {"file": ["This file has 65.0 MB. A bot can have at most 64 MB."]}


def test_the_form_says_whether_bots_may_bring_nets(settings: Settings) -> None:
    assert "up to 64 MB" in BotFileField().help_text
    settings.OFFERS_ONNX = False
    assert BotFileField().help_text.endswith("NumPy and ONNX Runtime are not offered here.")
