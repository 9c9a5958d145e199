"""Operators for tests: staff whose session has shown a second factor."""

from __future__ import annotations

import base64
import time
from typing import TYPE_CHECKING

from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value

from arena.accounts.models import User

if TYPE_CHECKING:
    from django.test import Client

PASSWORD = "nine of diamonds on ten of clubs"
SECRET = base64.b32encode(b"twenty bytes of test").decode()


PERIOD = 30
"""Seconds that a code holds."""


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
    TOTP.activate(user, SECRET)
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    client.post("/accounts/two-factor/authenticate/", {"code": code_of()})
    return user
