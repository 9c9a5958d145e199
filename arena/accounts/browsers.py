"""Browsers in which somebody has signed in before: wrong passwords from elsewhere do not keep them out.

Such a browser has a signed cookie with a word of its own and digests of the accounts that it signed in to.
Its attempts at these accounts are counted by that word; all others by account and address.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

COOKIE: Final = "crapette_browser"
SALT: Final = "arena.accounts.browsers"
AGE_SECONDS: Final = 365 * 86_400
MOST: Final = 8
"""Accounts that a browser is known to; the ones used last."""


def spelling(name: str) -> str:
    """One spelling of a name. PostgreSQL compares names in capitals: ``ı`` is ``I`` and ``ſ`` is ``S``."""
    return name.upper().lower()


def known_browser(request: HttpRequest, name: str) -> str:
    """The word of a browser in which the account of this name has signed in; empty for any other."""
    word, accounts = _read(request)
    return word if _digest(name) in accounts else ""


def remember_browser(request: HttpRequest, response: HttpResponseBase, name: str) -> None:
    """Know the browser that gets this response, from now on, to the account of this name."""
    word, accounts = _read(request)
    kept = [_digest(name), *(one for one in accounts if one != _digest(name))][:MOST]
    response.set_signed_cookie(
        COOKIE,
        ":".join((word or secrets.token_hex(16), *kept)),
        salt=SALT,
        max_age=AGE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    found = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=AGE_SECONDS)
    word, *accounts = str(found).split(":")
    return word, accounts


def _digest(name: str) -> str:
    return salted_hmac(SALT, spelling(name)).hexdigest()[:32]
