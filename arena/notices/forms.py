"""How a user wants to be told."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy

from arena.notices.models import Kind


class MailForm(forms.Form):
    """What to be told by e-mail."""

    kinds = forms.MultipleChoiceField(
        choices=Kind.choices,
        required=False,
        label=gettext_lazy("Send me an e-mail when"),
        widget=forms.CheckboxSelectMultiple,
    )


class WebhookForm(forms.Form):
    """A new webhook."""

    url = forms.CharField(
        max_length=500,
        label=gettext_lazy("Address"),
        help_text=gettext_lazy(
            "We send a POST request with JSON there. For example https://example.org/hook."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
    )
    kinds = forms.MultipleChoiceField(
        choices=Kind.choices,
        initial=Kind.values,
        label=gettext_lazy("Notify it when"),
        widget=forms.CheckboxSelectMultiple,
    )
