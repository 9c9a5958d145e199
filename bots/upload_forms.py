"""Forms for bots. They read a file; the services inspect it once the limits allow it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from arena.web.i18n.phrases import fill
from arena.web.variants import board_title
from bots.bots import BotDetails
from bots.files import SentFile
from bots.models.bot import NAME_LENGTH, validate_homepage
from bots.models.version import RELEASE_NOTES_LENGTH
from bots.uploads import Submission
from engine.boards import BOARDS
from sandbox import uploads

FILE_HELP = gettext_lazy(
    "One .py, .js or .wasm file, one static Linux executable, or a .zip with a bot.py, bot.js, bot.wasm or "
    "bot in it. Up to 4 MB."
)
MODEL_HELP = gettext_lazy(
    "A .zip whose requirements.txt names numpy and onnxruntime can contain a model and be up to 64 MB."
)
NO_MODEL_HELP = gettext_lazy("NumPy and ONNX Runtime are not offered here.")


class BotFileField(forms.FileField):
    """A file that can be a bot; cleans to a :class:`SentFile`."""

    default_error_messages = {  # noqa: RUF012 - Django's own way to override them
        "required": gettext_lazy("Choose a file."),
        "missing": gettext_lazy("Choose a file."),
        "empty": gettext_lazy("This file is empty."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=gettext_lazy("Bot file"),
            help_text=format_lazy("{} {}", FILE_HELP, MODEL_HELP if settings.OFFERS_ONNX else NO_MODEL_HELP),
            widget=forms.ClearableFileInput(
                attrs={
                    "accept": ".py,.js,.mjs,.wasm,.zip,*/*",
                    "data-max-bytes": uploads.MAX_COMPRESSED_BYTES,
                    "data-max-zip-bytes": uploads.MAX_COMPRESSED_WITH_MODEL,
                }
            ),
            **options,
        )

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return a :class:`SentFile`. Its size is checked before its content is read."""
        file = super().clean(data, initial)
        if not isinstance(file, UploadedFile):
            return None
        try:
            uploads.check_size(file.size or 0, file.name or "")
        except uploads.UploadError as error:
            raise forms.ValidationError(str(error), code="upload") from error
        return SentFile(file.name or "bot", file.read())


class ReleaseNotesField(forms.CharField):
    """What changed in a version, as plain text. A line break is one character, as browsers count it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=RELEASE_NOTES_LENGTH,
            required=False,
            label=gettext_lazy("What changed?"),
            help_text=fill(
                gettext_lazy("Up to %(most)s characters of plain text that everyone can see."),
                most=RELEASE_NOTES_LENGTH,
            ),
            widget=forms.Textarea(attrs={"rows": 3}),
            **options,
        )

    def to_python(self, value: Any) -> Any:
        """Return the text with the line breaks of Unix."""
        text = super().to_python(value)
        return text.replace("\r\n", "\n").replace("\r", "\n") if isinstance(text, str) else text


class BotDetailsForm(forms.Form):
    """What an owner says about a bot."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_LENGTH,
        help_text=fill(
            gettext_lazy("Up to %(most)s characters, with at least one letter a–z or digit."),
            most=NAME_LENGTH,
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    description = forms.CharField(
        label=gettext_lazy("Description"),
        max_length=2000,
        required=False,
        help_text=gettext_lazy("How it plays, in your own words. Everyone can see this."),
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    homepage = forms.URLField(
        label=gettext_lazy("Homepage"),
        max_length=200,
        required=False,
        assume_scheme="https",
        validators=[validate_homepage],
        error_messages={"invalid": gettext_lazy("Enter an address that starts with https:// or http://.")},
        help_text=gettext_lazy("The address of its source or of a page about it. Everyone can see this."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    open_to_all = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Others can enter it in their tournaments"),
        help_text=gettext_lazy(
            "Its games are public. Only you can see its files, logs and messages, "
            "but the operator of this site can read the database."
        ),
    )

    headline_board = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Main rating"),
        help_text=gettext_lazy("The rating shown first, wherever there is room for one."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "headline_board" in self.fields:
            usual = gettext("The game it has played most")
            boards = [(name, board_title(name)) for name in BOARDS]
            self.fields["headline_board"].choices = [("", usual), *boards]  # type: ignore[attr-defined]

    @property
    def details(self) -> BotDetails:
        """What a valid form says."""
        named = [field.name for field in fields(BotDetails) if field.name in self.cleaned_data]
        return BotDetails(**{name: self.cleaned_data[name] for name in named})


def _submission(form: forms.Form) -> Submission:
    """The file of a valid form, and what it says of the version."""
    given = {field.name for field in fields(Submission)} & form.cleaned_data.keys()
    return Submission(
        filename=form.cleaned_data["file"].filename, **{name: form.cleaned_data[name] for name in given}
    )


class NewBotForm(BotDetailsForm):
    """A bot with its first version."""

    submission = property(_submission)

    headline_board = None  # type: ignore[assignment]  # it has no rating yet
    file = BotFileField()
    release_notes = ReleaseNotesField()
    field_order = ("name", "file", "description", "release_notes", "open_to_all")


class NewRemoteBotForm(BotDetailsForm):
    """A remote bot: nothing is uploaded."""

    headline_board = None  # type: ignore[assignment]  # it has no rating yet
    homepage = None  # type: ignore[assignment]  # as when a bot is uploaded: later


class UploadForm(forms.Form):
    """The next version of a bot."""

    submission = property(_submission)

    file = BotFileField()
    release_notes = ReleaseNotesField()
    note = forms.CharField(
        max_length=200,
        required=False,
        label=gettext_lazy("Private note"),
        help_text=gettext_lazy("A note to yourself. Only you can see it."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    activate_when_accepted = forms.BooleanField(
        required=False,
        initial=True,
        label=gettext_lazy("Activate it as soon as it is accepted"),
        help_text=gettext_lazy(
            "It then plays every game in which it passes its check. Unticked, your bot stays as it is until "
            "you activate this version."
        ),
    )
