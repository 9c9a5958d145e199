"""Who sits at a table: an account, or a guest whose session knows a word."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie
from django.utils import translation

from arena.web.i18n import readers
from friendlies.models import Friendly

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.contrib.sessions.backends.base import SessionBase
    from django.db.models import QuerySet

    from arena.accounts.models import User
    from arena.web.http.requests import Message

GUEST = "friendly_guest"
"""Where a guest's session keeps the word."""


@dataclass(frozen=True, slots=True)
class Person:
    """The person at the table: an account, or a guest by the word in their session and a hash of their
    address."""

    user: User | None
    guest: str = ""
    address: str = ""

    def games(self) -> QuerySet[Friendly]:
        """The person's games."""
        if self.user is not None:
            return Friendly.objects.filter(owner=self.user)
        if not self.guest:  # who has been given no word has played nothing
            return Friendly.objects.none()
        return Friendly.objects.filter(owner=None, guest=self.guest)

    def plays(self, row: Friendly) -> bool:
        """Whether this person plays that game."""
        if row.owner_id is not None:
            return self.user is not None and row.owner_id == self.user.pk
        return bool(self.guest) and secrets.compare_digest(row.guest, self.guest)


def person_of(user: User | AnonymousUser, session: SessionBase, address: str = "") -> Person:
    """The person of a request or a websocket."""
    return Person(user if user.is_authenticated else None, session.get(GUEST, ""), address)


def language_of_socket(scope: Message, user: User | None) -> str:
    """The language of the page that opens a websocket: the account's own, else as for any request."""
    if user is not None and user.language:
        return readers.offer(user.language)
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    request = HttpRequest()
    request.COOKIES = parse_cookie(headers.get(b"cookie", ""))
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get(b"accept-language", "")
    return translation.get_language_from_request(request)


def person_of_socket(scope: Message) -> Person | None:
    """The person whose page opens a websocket; None if the page is not one of ours.

    A browser sends the session's cookie whoever opens the websocket, and there is no form's token. So the
    page must come from the very host and port that it talks to, as Django asks of forms.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if urlsplit(headers.get(b"origin", "")).netloc.lower() != headers.get(b"host", "-").lower():
        return None
    key = parse_cookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME)
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return person_of(get_user(request), request.session)
