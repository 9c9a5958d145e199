"""Forms of moderation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from people.moderation.decisions import LONGEST_BAN
from people.moderation.models import OTHER, REASONS, Subject
from people.moderation.texts import PARTS

if TYPE_CHECKING:
    from people.moderation.subjects import Thing


class ReportForm(forms.Form):
    """What is wrong with a thing."""

    reason = forms.ChoiceField(
        choices=REASONS, widget=forms.RadioSelect, label=gettext_lazy("What is wrong?")
    )
    words = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=gettext_lazy("In your words"),
        help_text=gettext_lazy("Only moderators read this."),
    )

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError if the reason says nothing and there are no words."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("reason") == OTHER and not data.get("words", "").strip():
            self.add_error("words", gettext("Say what is wrong."))
        return data


class AppealForm(forms.Form):
    """What the person concerned says against a decision."""

    text = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 6}),
        label=gettext_lazy("Why the decision is wrong"),
        help_text=gettext_lazy("You can appeal once. Another moderator reads it."),
    )


class ActForm(forms.Form):
    """What a moderator does about a thing."""

    HIDE, RENAME, BAN, DISMISS = "hide", "rename", "ban", "dismiss"
    DOES = (
        (DISMISS, "Dismiss the reports"),
        (HIDE, "Hide texts"),
        (RENAME, "Give another name"),
        (BAN, "Suspend the account"),
    )

    do = forms.ChoiceField(choices=DOES, label="What to do")
    parts = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Texts to hide"
    )
    name = forms.CharField(required=False, max_length=80, label="New name")
    days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_BAN.days,
        label="Days",
        help_text="How long the account is suspended. Empty: for good.",
    )
    reason = forms.ChoiceField(choices=REASONS, label="Reason")
    words = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="To the person concerned",
        help_text="They read this with the decision. It does not say who reported it.",
    )

    def __init__(self, thing: Thing, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._concerns_somebody = not thing.left_behind
        parts = PARTS[Subject(thing.subject)]
        self.fields["parts"].choices = [  # type: ignore[attr-defined]
            (part, part.replace("_", " ")) for part in parts if thing.texts.get(part)
        ]

    def fields_by_decision(self) -> list[tuple[forms.BoundField, str]]:
        """The fields in order, each with the decision that it belongs to; ``act`` is all but a dismissal."""
        needs = {"parts": self.HIDE, "name": self.RENAME, "days": self.BAN, "reason": "act", "words": "act"}
        return [(field, needs.get(field.name, "")) for field in self]

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError if the person would read no words."""
        data: dict[str, Any] = super().clean() or {}
        decides = data.get("do") != self.DISMISS and self._concerns_somebody
        if decides and not data.get("words", "").strip():
            self.add_error("words", "Tell the person concerned why.")
        return data


class AnswerForm(forms.Form):
    """A moderator lifts a decision, or answers its appeal."""

    words = forms.CharField(
        required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 4}), label="Words"
    )
