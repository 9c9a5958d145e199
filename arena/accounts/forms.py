"""The forms of signing up and in, with the words of the arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.forms import ChangePasswordForm, LoginForm, SignupForm
from django.utils.translation import gettext, gettext_lazy

if TYPE_CHECKING:
    from typing import Any

    from django import forms
    from django_stubs_ext import StrOrPromise

LABELS = {
    "login": gettext_lazy("User name"),
    "username": gettext_lazy("User name"),
    "email": gettext_lazy("E-mail address"),
    "remember": gettext_lazy("Stay signed in"),
    "oldpassword": gettext_lazy("Current password"),
}


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


class SignUpForm(SignupForm):  # type: ignore[misc]
    """A new account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password1": gettext("Password"), "password2": gettext("Repeat the password")})


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Another password for an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password1": gettext("New password"), "password2": gettext("Repeat the new password")})
