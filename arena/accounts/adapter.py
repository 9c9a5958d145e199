"""How the site differs from allauth's defaults, in accounts and in their second factor."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.accounts import captcha
from arena.accounts.browsers import known_browser, remember_browser, spelling
from arena.accounts.models import User
from arena.accounts.names import present_name
from arena.web import limits
from arena.web.http.rate_limits import counted_address
from arena.web.i18n.readers import current

if TYPE_CHECKING:
    from django import forms
    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, HttpResponse


log = logging.getLogger(__name__)

SIGN_UPS_WITHIN = timedelta(hours=1)
FAILED = "login_failed"
KNOWN_BROWSER_RATE = "5/5m/key"
"""Wrong passwords of a browser in which the account has signed in before; allauth has as many for others."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Sign-up and sign-in."""

    error_messages = {  # noqa: RUF012 (as allauth has it)
        **DefaultAccountAdapter.error_messages,
        "too_many_login_attempts": gettext_lazy(
            "Too many wrong passwords. Wait five minutes, or choose “Forgot your password?” to set a new one."
        ),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Count by account and address, or by the browser if the account has signed in there before.

        So nobody keeps others from signing in by wrong passwords. allauth counts by account and Host header,
        whose port a stranger can change each time.
        """
        name = present_name(str(credentials.get("username", "")))
        browser = known_browser(request, name)
        return f"{spelling(name)} {browser or counted_address(self.get_client_ip(request))}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt before the password is looked at. What others at its address did counts not for a
        browser that the account has signed in from."""
        name = present_name(str(credentials.get("username", "")))
        if not app_settings.RATE_LIMITS or not known_browser(request, name):
            super().pre_authenticate(request, **credentials)
            return
        self._login_failed_rl_usage = ratelimit.consume(
            request,
            app="allauth.account",
            action=FAILED,
            config={FAILED: KNOWN_BROWSER_RATE},
            key=self._get_login_attempts_cache_key(request, **credentials),
        )
        if not self._login_failed_rl_usage:
            raise self.validation_error("too_many_login_attempts")

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Let whoever has set a new password by a link sign in at once, whatever was counted before."""
        for user in User.objects.filter(emailaddress__email__iexact=credentials["email"]):
            super()._delete_login_attempts_cached_email(request, username=user.get_username())

    def post_login(self, request: HttpRequest, user: User, **more: Any) -> HttpResponse:
        """Lead on, and know the browser from now on."""
        response: HttpResponse = super().post_login(request, user, **more)
        remember_browser(request, response, user.get_username())
        return response

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """Return the ways to confirm an identity: with a second factor, only a code of it.

        A password must not be enough to turn the second factor off or to read its recovery codes: a session
        may have begun before its user had one.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method for method in methods if method["id"] == "mfa_reauthenticate"] or methods

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether to ask for the password again: not somebody without a second factor who signed in by it as
        lately as such an answer holds."""
        required = bool(super().is_reauthentication_required(app=app, **more))
        return required and (is_mfa_enabled(self.request.user) or not _signed_in_lately(self.request))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return who gave these credentials. A name that moderators replaced still signs its owner in."""
        if credentials.get("username"):
            credentials["username"] = present_name(str(credentials["username"]))
        found: AbstractBaseUser | None = super().authenticate(request, **credentials)
        return found

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password: after a few, signing in asks for the captcha."""
        name = present_name(str(credentials.get("username", "")))
        if not known_browser(request, name):
            captcha.note_failure(self.get_client_ip(request), name)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether fewer accounts were made in the last hour than operators allow."""
        since = timezone.now() - SIGN_UPS_WITHIN
        return User.objects.filter(date_joined__gt=since).count() < limits.value("sign_ups_per_hour")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail. If the mail server takes none, the user and the log are told, and nothing is lost."""
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # SMTPException is one
            log.error("the mail server took no mail: %s", error)
            if self.request is not None:
                messages.error(
                    self.request, gettext("We can’t send e-mail right now. Try again in a few minutes.")
                )

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Whether an address may go. Where one is needed, the last confirmed one stays until another is."""
        if settings.CONFIRMS_ADDRESSES and email_address.verified:
            others = EmailAddress.objects.filter(user=email_address.user_id, verified=True)
            if not others.exclude(pk=email_address.pk).exists():
                return False
        return bool(super().can_delete_email(email_address))

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell a user of a change to the account, at an address that they have confirmed and no other."""
        email = email or EmailAddress.objects.get_primary_email(user)
        if EmailAddress.objects.filter(user=user.pk, email=email, verified=True).exists():
            super().send_notification_mail(template_prefix, user, {"user": user, **(context or {})}, email)

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """Store a new user, with the language in which they signed up; held if operators hold new accounts.

        Whoever took the name, or one of the same look, a moment ago has it.
        """
        user.language = current()
        user.confirm_by = timezone.now() if settings.CONFIRMS_ADDRESSES else None
        user.is_active = not limits.value("hold_new_accounts")
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)  # type: ignore[no-any-return]
        except IntegrityError:
            messages.error(request, gettext("Somebody took that name a moment ago. Choose another."))
            raise ImmediateHttpResponse(redirect("account_signup")) from None


def _signed_in_lately(request: HttpRequest) -> bool:
    """Whether this session gave the password within the last minutes."""
    since = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
    records = get_authentication_records(request, request.user)
    return any(record.get("method") == "password" and record["at"] > since for record in records)


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
