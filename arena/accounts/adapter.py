"""Where the site differs from what allauth does by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.shortcuts import redirect

if TYPE_CHECKING:
    from django import forms
    from django.http import HttpRequest

    from arena.accounts.models import User


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Sign-up and sign-in."""

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """The account alone: allauth adds the Host header, whose port a stranger chooses anew each time."""
        return str(credentials.get("username", "")).lower()

    def save_user(self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True) -> User:
        """Store a new user; whoever took the name, or one of the same look, a moment ago has it."""
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)  # type: ignore[no-any-return]
        except IntegrityError:
            messages.error(request, "Somebody took that name a moment ago. Choose another.")
            raise ImmediateHttpResponse(redirect("account_signup")) from None
