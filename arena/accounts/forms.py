"""The forms of signing up and in, with the words of the arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.forms import ChangePasswordForm, LoginForm, SignupForm

if TYPE_CHECKING:
    from typing import Any

    from django import forms

LABELS = {
    "login": "User name",
    "username": "User name",
    "remember": "Stay signed in",
    "oldpassword": "Current password",
}


def _worded(form: forms.Form, labels: dict[str, str]) -> None:
    for name, label in {**LABELS, **labels}.items():
        if name in form.fields:
            form.fields[name].label = label
            form.fields[name].widget.attrs.pop("placeholder", None)


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no types
    """User name and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password": "Password"})


class SignUpForm(SignupForm):  # type: ignore[misc]
    """A new account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password1": "Password", "password2": "Repeat the password"})


class NewPasswordForm(ChangePasswordForm):  # type: ignore[misc]
    """Another password for an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _worded(self, {"password1": "New password", "password2": "Repeat the new password"})
