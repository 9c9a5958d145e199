"""A request of a program that is sent again with the same ``Idempotency-Key`` gets the same answer again.

An answer may hold a secret that is shown once, such as a new token. So it is stored enciphered: with its key,
of the caller's token and Idempotency-Key, only who sends both again can read it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import TYPE_CHECKING, Any, Final, cast

from arena.web.http import idempotency

if TYPE_CHECKING:
    from cryptography.fernet import Fernet
    from django.http import HttpRequest, HttpResponse, HttpResponseBase

    from bots.models import Token

HEADER: Final = "Idempotency-Key"
KEY: Final = re.compile(r"[!-~]{1,255}")
LARGEST_ANSWER: Final = 1 << 20
READS: Final = ("GET", "HEAD", "OPTIONS")
ATTRIBUTE: Final = "_api_sent"
PARAMETER: Final[dict[str, Any]] = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "A word of your own for this request. Sent again with the same word within a day, it is"
    " not carried out again and gets the same answer.",
    "schema": {"type": "string", "pattern": f"^{KEY.pattern}$"},
}


class WrongKey(Exception):
    """The key is malformed, or was used for another request; ``str()`` says which."""


class BeingCarriedOut(Exception):
    """The first request with this key has no answer yet."""


def begin(request: HttpRequest, token: Token) -> None:
    """Note that a request is carried out. Raises `idempotency.SentBefore`, WrongKey or BeingCarriedOut."""
    key = request.headers.get(HEADER)
    if key is None or request.method in READS:
        return
    if not KEY.fullmatch(key):
        raise WrongKey(
            "Expected 1 to 255 visible characters of ASCII in Idempotency-Key, got something else."
        )
    content = idempotency.digest_of(request)
    try:
        row = idempotency.begin(f"api {token.pk} {key}", content)
    except idempotency.SentBefore as before:
        if before.row.content != content:
            raise WrongKey("Expected a new Idempotency-Key: another request used this one.") from None
        if before.row.status is None:
            raise BeingCarriedOut from None
        raise
    setattr(request, ATTRIBUTE, row)


def end(request: HttpRequest, answer: HttpResponseBase) -> None:
    """Note how it was answered. What was refused may be sent again."""
    row = getattr(request, ATTRIBUTE, None)
    if row is None:
        return
    if answer.status_code < 400 and not answer.streaming:
        content = cast("HttpResponse", answer).content
        if len(content) <= LARGEST_ANSWER:
            idempotency.end(row, answer, _cipher(request).encrypt(content))
            return
    row.delete()


def first_answer(request: HttpRequest, answer: bytes) -> bytes:
    """What the first request with this key was answered, of what is stored of it."""
    return _cipher(request).decrypt(answer)


def _cipher(request: HttpRequest) -> Fernet:
    from cryptography.fernet import Fernet  # noqa: PLC0415 (few processes need it, and it is large)

    words = f"{request.headers['Authorization']}\n{request.headers[HEADER]}"
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(words.encode()).digest()))
