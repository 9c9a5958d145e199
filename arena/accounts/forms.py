"""The forms of signing up and in, with the words of the arena."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from allauth.account.adapter import get_adapter
from allauth.account.forms import ChangePasswordForm, LoginForm, ResetPasswordForm, SignupForm
from django.utils.translation import gettext, gettext_lazy

from arena.accounts import captcha
from arena.accounts.browsers import known_browser
from arena.accounts.names import present_name
from arena.web.http import rate_limits

if TYPE_CHECKING:
    from typing import Any

    from django import forms
    from django.http import HttpRequest
    from django_stubs_ext import StrOrPromise

    from arena.accounts.captcha_services import Captcha

LABELS = {
    "login": gettext_lazy("User name"),
    "username": gettext_lazy("User name"),
    "email": gettext_lazy("E-mail address"),
    "remember": gettext_lazy("Stay signed in"),
    "oldpassword": gettext_lazy("Current password"),
}


RESET_MAILS = 2
RESET_MAILS_SECONDS = 600
"""So many mails are sent to one address within that time, whoever asks for them."""


def _worded(form: forms.Form, labels: dict[str, StrOrPromise]) -> None:
    for name, label in {**LABELS, **labels}.items():
        if name in form.fields:
            form.fields[name].label = label
            form.fields[name].widget.attrs.pop("placeholder", None)


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no types
    """User name and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password": gettext("Password")})

    @property
    def captcha(self) -> Captcha | None:
        """The captcha that the page shows: after wrong passwords for the account or from the address."""
        name = present_name(str(self.data.get("login", "")).strip())
        if known_browser(self.request, name):
            return None
        return captcha.at_sign_in(get_adapter().get_client_ip(self.request), name)

    def clean(self) -> Any:
        """Ask for the captcha before the password is looked at."""
        asked = self.captcha
        if asked is not None and not self.errors:
            captcha.check(asked, self.data)
        return super().clean()


class SignUpForm(SignupForm):  # type: ignore[misc]
    """A new account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password1": gettext("Password"), "password2": gettext("Repeat the password")})
        self.fields["username"].help_text = gettext("Others see it beside your bots and games.")
        self.fields["password1"].help_text = gettext(
            "At least 8 characters, not only digits, and none that many people use."
        )

    @property
    def captcha(self) -> Captcha | None:
        """The captcha that the page shows."""
        return captcha.service()

    def clean(self) -> Any:
        """Ask for the captcha last: no token is spent on a form with other faults."""
        cleaned = super().clean()
        asked = self.captcha
        if asked is not None and not self.errors:
            captcha.check(asked, self.data)
        return cleaned


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Another password for an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password1": gettext("New password"), "password2": gettext("Repeat the new password")})


class SendResetLinkForm(ResetPasswordForm):  # type: ignore[misc]
    """The address of an account whose password is forgotten."""

    def save(self, request: HttpRequest, **more: Any) -> str:
        """Send a link, unless one was sent a moment ago, which still leads to a new password.

        So nobody fills another's letter box, nor keeps them from a new password by asking too often.
        """
        address = str(self.cleaned_data["email"])
        digest = hashlib.sha256(address.lower().encode()).hexdigest()
        if rate_limits.spend(f"reset-mail:{digest}", RESET_MAILS_SECONDS).used <= RESET_MAILS:
            super().save(request, **more)
        return address
