"""Two-factor authentication as allauth keeps it, with the arena's own words and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView

if TYPE_CHECKING:
    from django import forms
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.http import HttpResponse

    from arena.accounts.models import User

ISSUER = "Crapette Arena"


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """What an authenticator app shows: the arena and the user name, never a mail address."""

    def get_totp_issuer(self) -> str:
        """The name that the app files the code under."""
        return ISSUER

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """The name of the account below it."""
        return user.get_username()


def remove_second_factor(user: User) -> bool:
    """Delete the authenticator app and recovery codes of ``user``; False if there were none."""
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    return bool(deleted)


class ActivateView(ActivateTOTPView):  # type: ignore[misc]  # allauth has no types
    """Sets up an authenticator app. Its first code is a code: the session need not show another."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """Keep the app, and note that this session has shown a code of it."""
        answer: HttpResponse = super().form_valid(form)
        record_authentication(self.request, self.request.user, "mfa", reauthenticated=True)
        return answer
