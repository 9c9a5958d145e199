"""Asks whoever signs up, or has given wrong passwords, to pass the captcha that the settings name, if any.

A browser's widget gives a token, which the service judges. A token counts once. If the service cannot be
asked, nobody passes: the visitor gets a sentence, and `/health` and the operator's page say so until it does.
"""

from __future__ import annotations

import functools
import hashlib
import http
import json
import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext

from arena.web import limits
from arena.web.http import outbound
from arena.web.http.rate_limits import counted_address
from arena.web.http.security_headers import content_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponseBase

    from arena.accounts.captcha_services import Captcha

log = logging.getLogger(__name__)

LIMIT: Final = "captcha"
FAILURES: Final = 3
"""After so many wrong passwords, for one account or from one address, signing in asks for the captcha."""
FAILURES_SECONDS: Final = 600
ANSWER_SECONDS: Final = 5.0
LONGEST: Final = 10_000
TOKEN: Final = re.compile(r"[\w.:=+/~-]+", re.ASCII)
"""What services give as tokens. Anything else is refused here: a firewall on the way might answer."""
USED_SECONDS: Final = 3_600
"""Longer than any service takes a token for fresh."""
TROUBLE_SECONDS: Final = 900
"""For so long after the last visitor who could not be checked, the site is said to be in trouble."""
TROUBLE: Final = "captcha-trouble"
OURS: Final = frozenset(
    {
        "missing-input-secret",
        "invalid-input-secret",
        "invalid-or-already-seen-secret",
        "sitekey-secret-mismatch",
    }
)
"""Errors of the service that say that the operator's keys are wrong."""
FORM: Final = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}


class _Unanswered(Exception):
    """The service cannot be asked; ``str()`` says why, to the operator."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why nobody passes the captcha at the moment, and since when."""

    title: str
    since: datetime
    reason: str


def service() -> Captcha | None:
    """The service that is asked now; None if there is none, or operators have switched it off."""
    found: Captcha | None = settings.CAPTCHA
    return found if found is not None and limits.value(LIMIT) else None


def at_sign_in(address: str, account: str = "") -> Captcha | None:
    """The service, if there were too many wrong passwords lately from this address or for this account."""
    found = service()
    if found is None:
        return None
    counts = cache.get_many(_counters(address, account)).values()
    return found if any(count >= FAILURES for count in counts) else None


def note_failure(address: str, account: str) -> None:
    """Count a wrong password."""
    if service() is None:
        return
    for key in _counters(address, account):
        if not cache.add(key, 1, FAILURES_SECONDS):
            try:
                cache.incr(key)
            except ValueError:  # it ran out a moment ago
                cache.add(key, 1, FAILURES_SECONDS)


def check(captcha: Captcha, sent: dict[str, Any]) -> None:
    """Raise ValidationError with a sentence unless the form that was sent has a fresh token."""
    token = str(sent.get(captcha.field, ""))
    # A service may take the same token twice; this site does not.
    fresh = (
        len(token) <= LONGEST
        and TOKEN.fullmatch(token) is not None
        and cache.add(_used(token), 1, USED_SECONDS)
    )
    try:
        passed = fresh and _judged(captcha, token)
    except _Unanswered as error:
        _note_trouble(captcha, str(error))
        raise ValidationError(
            gettext("We can’t check right now that you are a person. Try again in a few minutes."),
            code="captcha-unanswered",
        ) from error
    if not passed:
        raise ValidationError(
            gettext("Confirm that you are a person, then send the form again."), code="captcha"
        )


def trouble() -> Trouble | None:
    """Why nobody passes, if visitors could not be checked lately; None if all is well."""
    found: Trouble | None = cache.get(TROUBLE) if service() is not None else None
    return found


def opens_policy(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """A view of a form that lets its page load the captcha's files, if the form shows one."""

    @functools.wraps(view)
    def opened(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        form = (getattr(response, "context_data", None) or {}).get("form")
        shown: Captcha | None = getattr(form, "captcha", None)
        if shown is not None:
            response.headers["Content-Security-Policy"] = content_policy(sources=shown.sources)
        return response

    return opened


def _judged(captcha: Captcha, token: str) -> bool:
    """Whether the service takes the token. Raises _Unanswered."""
    body = urlencode({"secret": captcha.secret, "response": token, "sitekey": captcha.site_key})
    try:
        status, answer = outbound.ask(captcha.verify_url, body.encode(), FORM, seconds=ANSWER_SECONDS)
        said = json.loads(answer)
    except outbound.Unreachable as error:
        raise _Unanswered(str(error)) from error
    except ValueError as error:
        raise _Unanswered(f"It answered {status} and no JSON.") from error
    if not isinstance(said, dict) or not isinstance(said.get("success"), bool):
        raise _Unanswered(f"It answered {status} and no verdict.")
    wrong = OURS.intersection(map(str, said.get("error-codes") or ()))
    if wrong:
        raise _Unanswered(f"It refuses the keys: {', '.join(sorted(wrong))}.")
    if status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
        raise _Unanswered(f"It answered {status}.")
    cache.delete(TROUBLE)
    return bool(said["success"])


def _note_trouble(captcha: Captcha, reason: str) -> None:
    log.error("%s could not be asked, so nobody can sign up: %s", captcha.title, reason)
    known: Trouble | None = cache.get(TROUBLE)
    since = known.since if known is not None else timezone.now()
    cache.set(TROUBLE, Trouble(captcha.title, since, reason), TROUBLE_SECONDS)


def _counters(address: str, account: str) -> list[str]:
    """The keys under which wrong passwords are counted."""
    named = [("address", counted_address(address)), ("account", account.upper().lower())]
    return [f"captcha-{kind}-{_digest(name)}" for kind, name in named if name]


def _used(token: str) -> str:
    return f"captcha-used-{_digest(token)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
