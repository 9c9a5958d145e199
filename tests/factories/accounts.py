"""Users with what belongs to them, and operators: staff whose session has shown a second factor."""

import base64
import time
from collections.abc import Iterable
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client

from arena.accounts.models import User
from bots import tokens
from bots.models import Scope

PASSWORD = "eight of spades on nine of hearts"
"""Of every user made here."""
SECRET = base64.b32encode(b"twenty bytes of test").decode()
PERIOD = 30
"""Seconds that a code holds."""


def author(name: str = "ada", **more: Any) -> User:
    """A user who can sign in with :data:`PASSWORD`; `is_staff=True` and the like may be added."""
    return User.objects.create_user(username=name, password=PASSWORD, **more)


def with_address(name: str = "ada", *, verified: bool = True) -> User:
    """A user with a mail address."""
    user = author(name)
    EmailAddress.objects.create(user=user, email=f"{name}@example.org", verified=verified, primary=True)
    return user


def token(user: User, scopes: Iterable[str] = Scope.values, name: str = "laptop") -> str:
    """The secret of a new token of a user; it may do everything unless told otherwise."""
    return tokens.create_token(user, name, scopes)[1]


def code_of(secret: str = SECRET, seconds: float = 3) -> str:
    """What the authenticator app shows now, or will in a moment: a code that still holds for so long."""
    left = PERIOD - time.time() % PERIOD
    if left < seconds:
        time.sleep(left)
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // PERIOD)))


def operator(name: str = "chief") -> User:
    """A superuser without a second factor, as ``createsuperuser`` makes one."""
    return User.objects.create_superuser(name, f"{name}@arena.example", PASSWORD)


def sign_in_operator(client: Client, name: str = "chief") -> User:
    """Sign a new operator in, with password and code, through the site's pages."""
    user = operator(name)
    totp = TOTP.activate(user, SECRET)
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    code = code_of()
    # The operator of an earlier test may have had the same key and used this code, which the cache remembers.
    cache.delete(totp._get_used_cache_key(code))
    client.post("/accounts/two-factor/authenticate/", {"code": code})
    return user
