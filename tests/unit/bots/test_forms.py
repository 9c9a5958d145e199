"""What forms make of files."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from bots.forms import UploadForm


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
