"""A site as the commands talk to it: JSON over HTTP, with a token that goes to that site alone.

Needs only the standard library.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final

from kit.console.command import CommandError, TryAgain
from kit.site import token_file
from kit.versions import home_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPResponse

DEFAULT_SITE: Final = "http://127.0.0.1:8000"
ANSWER_SECONDS: Final = 60.0
SEND_AGAIN_SECONDS: Final = (0.5, 2.0)
MOST_TIMES: Final = 120
LONGEST_PAUSE: Final = 60
"""How often the site is asked for what it is working on, and the longest wait in between, in seconds."""
AWAY_SECONDS: Final = (2.0, 5.0, 15.0, 30.0)
"""Pauses before a site that went away is asked again how something stands: it may be being upgraded."""
LARGEST_PAGE: Final = 100
LARGEST_ANSWER: Final = 64 << 20
LOCAL: Final = frozenset({"127.0.0.1", "::1", "localhost"})


class SiteRefused(CommandError):
    """The site refused, or could not be reached; ``str()`` is a sentence."""

    def __init__(
        self, message: str, status: int = 0, *, retry_after: str | None = None, field: str | None = None
    ) -> None:
        super().__init__(message)
        self.field = field
        """What of the request was wrong, if the site says so."""
        self.status = status
        """The HTTP status, or 0 if there was no answer."""
        self.retry_after = int(retry_after) if retry_after and retry_after.isdecimal() else None
        """After how many seconds the site wants to be asked again, if it says so."""


class SiteUnreachable(SiteRefused, TryAgain):
    """The site did not answer, or could not: try again."""


class NoAnswerYet(SiteUnreachable):
    """The request was sent, but its answer did not come, or not yet."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would send the token along to wherever a redirect points."""

    def redirect_request(self, *_: object) -> None:
        """Follow none: the answer comes back as an error with its status."""


_OPENER: Final = urllib.request.build_opener(_NoRedirects)


class Site:
    """An arena, by its origin such as ``https://arena.example``, and our token for it."""

    def __init__(self, origin: str, token: str | None = None) -> None:
        self.origin = origin
        self._token = token

    @classmethod
    def choose(cls, address: str | None = None, *, with_token: bool = True) -> Site:
        """The site of an address, else of CRAPETTE_SITE, else the one last logged in to or installed from.

        Its token is CRAPETTE_TOKEN, or else the one kept by ``crapette login``. Raises Refused and
        TokensUnusable.
        """
        origin = origin_of(address or os.environ.get("CRAPETTE_SITE") or known_site() or DEFAULT_SITE)
        secret = (os.environ.get("CRAPETTE_TOKEN") or token_file.token_for(origin)) if with_token else None
        if with_token and not secret:
            raise SiteRefused(f"You are not logged in to {origin}. Run: crapette login {origin}")
        return cls(origin, secret)

    @classmethod
    def of_page(cls, address: str) -> Site:
        """The site of a page that anybody may have named, with the token kept for that very site.

        CRAPETTE_TOKEN says nothing of where it belongs: it goes along only to the site of CRAPETTE_SITE.
        Raises Refused.
        """
        origin = origin_of(address)
        ours = os.environ.get("CRAPETTE_SITE")
        secret = token_file.token_for(origin)
        if ours and origin_of(ours) == origin:
            secret = os.environ.get("CRAPETTE_TOKEN") or secret
        if not secret:
            raise SiteRefused(f"You are not logged in to {origin}. Run: crapette login {origin}")
        return cls(origin, secret)

    def get(self, path: str) -> Any:
        """The site's answer, parsed from JSON. Raises Refused with the site's message."""
        return self.ask(path)

    def when_ready(self, path: str) -> Any:
        """The site's answer to a question that takes thought, or that had to wait for our allowance.

        Raises Refused, and SiteUnreachable if the site does not work it out in time.
        """
        for _ in range(MOST_TIMES):
            pause = 1
            try:
                answer = self.get(path)
                if not (isinstance(answer, dict) and answer.get("waiting") is True):
                    return answer
            except SiteRefused as refused:
                if refused.status != HTTPStatus.TOO_MANY_REQUESTS or refused.retry_after is None:
                    raise
                pause = refused.retry_after
            time.sleep(min(pause, LONGEST_PAUSE))
        raise SiteUnreachable(f"{self.origin} is still working on this: try again.")

    def follow(self, path: str) -> Any:
        """How something stands that is waited for; the site may be away for a minute. Raises Refused."""
        for pause in AWAY_SECONDS:
            with contextlib.suppress(SiteUnreachable):
                return self.when_ready(path)
            time.sleep(pause)
        return self.when_ready(path)

    def items(self, path: str, most: int, **narrowed: str | int) -> Iterator[dict[str, Any]]:
        """Yield the first `most` items of a list of the site, page by page. Raises Refused."""
        words: dict[str, str | int] = {**narrowed, "limit": min(most, LARGEST_PAGE)}
        while most > 0:
            page = self.when_ready(f"{path}?{urllib.parse.urlencode(words)}")
            yield from page["items"][:most]
            most -= len(page["items"])
            if not page.get("next"):
                return
            words["cursor"] = page["next"]

    def post(self, path: str, content_type: str, body: bytes) -> Any:
        """Send a body and return the answer. Raises Refused.

        If the answer is lost on the way, the request is sent again. Its key has the site carry it out once.
        """
        key = secrets.token_hex(16)
        for pause in SEND_AGAIN_SECONDS:
            with contextlib.suppress(NoAnswerYet):
                return self.ask(path, (content_type, body), key)
            time.sleep(pause)
        return self.ask(path, (content_type, body), key)

    def patch(self, path: str, changes: dict[str, str]) -> Any:
        """Change something to what is given, which may be done twice, and return it. Raises Refused."""
        body = ("application/json", json.dumps(changes).encode())
        return json.loads(self.read(path, body, accept="application/json", method="PATCH"))

    def ask(self, path: str, body: tuple[str, bytes] | None = None, key: str = "") -> Any:
        """Ask for JSON at a path of the site. Raises Refused."""
        content = self.read(path, body, accept="application/json", key=key)
        try:
            return json.loads(content)
        except ValueError:
            raise SiteRefused(f"Expected JSON from {self.origin}{path}. Is this an arena?") from None

    def read(
        self,
        path: str,
        body: tuple[str, bytes] | None = None,
        accept: str = "*/*",
        key: str = "",
        method: str | None = None,
    ) -> bytes:
        """The bytes at a path of the site. Raises Refused."""
        with self._opened(path, body, accept, key, method) as answer:
            return answer.read(LARGEST_ANSWER)

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of a stream as they come, without blank ones. Raises Refused."""
        with self._opened(path, None, "application/x-ndjson") as answer:
            while line := answer.readline(LARGEST_ANSWER):
                if line.strip():
                    yield line

    @contextlib.contextmanager
    def _opened(
        self,
        path: str,
        body: tuple[str, bytes] | None,
        accept: str,
        key: str = "",
        method: str | None = None,
    ) -> Iterator[HTTPResponse]:
        """Ask the site, and have what happens while its answer is read become Refused."""
        address = self.origin + path
        headers = {"Accept": accept, **self.bearer()}
        if body:
            headers["Content-Type"] = body[0]
        if key:
            headers["Idempotency-Key"] = key
        data = body[1] if body else None
        request = urllib.request.Request(address, data=data, headers=headers, method=method)  # noqa: S310
        try:
            answer: HTTPResponse
            with _OPENER.open(request, timeout=ANSWER_SECONDS) as answer:
                yield answer
        except urllib.error.HTTPError as error:
            # The site is still at the request that this one repeats.
            busy = error.code == HTTPStatus.CONFLICT and "Retry-After" in error.headers
            failed = SiteUnreachable if error.code >= HTTPStatus.INTERNAL_SERVER_ERROR else SiteRefused
            with error:
                words, field = describe_refusal(error, self.origin)
            raise (NoAnswerYet if busy else failed)(
                words, error.code, retry_after=error.headers.get("Retry-After"), field=field
            ) from None
        except (ConnectionError, HTTPException) as error:
            # It was sent, and nobody knows what became of it. A site that cannot be reached is a URLError.
            raise NoAnswerYet(f"Expected an answer from {self.origin}, got: {_reason(error)}.") from None
        except (OSError, ValueError) as error:
            raise SiteUnreachable(f"Expected an answer from {self.origin}, got: {_reason(error)}.") from None

    def bearer(self) -> dict[str, str]:
        """The header with our token, if we have one. Raises Refused if others on the way could read it."""
        if self._token:
            self._check_private()
        return {"Authorization": f"Bearer {self._token}"} if self._token else {}

    def _check_private(self) -> None:
        """Raise Refused if others on the way could read the token."""
        parts = urllib.parse.urlsplit(self.origin)
        if parts.scheme != "https" and parts.hostname not in LOCAL:
            raise SiteRefused(
                f"Others could read your token on the way to {self.origin}, since it is not https."
                " Use the site's https address."
            )


def known_site() -> str | None:
    """The site that was last logged in to, else the one that this kit was installed from, if it says one.

    Raises TokensUnusable.
    """
    return token_file.last_site() or home_site()


def origin_of(address: str) -> str:
    """The origin of an address: scheme, host and port. Raises Refused.

    >>> origin_of("https://Arena.example/bots/x/?a#b"), origin_of("arena.example"), origin_of("127.0.0.1:80")
    ('https://arena.example', 'https://arena.example', 'http://127.0.0.1')
    """
    text = address.strip()
    if "://" not in text:
        host = urllib.parse.urlsplit(f"//{text}").hostname
        text = f"{'http' if host in LOCAL else 'https'}://{text}"
    try:
        parts = urllib.parse.urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urllib.parse.urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise SiteRefused(
            f"Expected the address of a site, such as https://arena.example, got {address[:200]!r}."
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, usual) else "")


def multipart(fields: dict[str, str], name: str, content: bytes) -> tuple[str, bytes]:
    """Return the content type and body of a form with a file."""
    boundary = secrets.token_hex(16)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in fields.items()
    ]
    clean = "".join(letter if letter.isprintable() and letter not in '"\\' else "_" for letter in name)
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{clean}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
    )
    parts += [content, f"\r\n--{boundary}--\r\n".encode()]
    return f"multipart/form-data; boundary={boundary}", b"".join(parts)


def _reason(error: Exception) -> str:
    """Why there was no answer; some errors say nothing."""
    return str(getattr(error, "reason", error)).strip() or type(error).__name__


def describe_refusal(error: urllib.error.HTTPError, origin: str) -> tuple[str, str | None]:
    """What the site says in a refusal, in either of the forms that arenas use, and the field it is about."""
    if 300 <= error.code < 400:
        target = error.headers.get("Location", "")
        return (
            f"{origin} redirects to {target[:200]!r}. Use that site's own address, so that your token goes"
            " nowhere else."
        ), None
    try:
        said = json.load(error)
        inner = said.get("error")
        if isinstance(inner, dict):
            return str(inner["message"]), inner.get("field")
        return str(said.get("detail") or said["title"]), said.get("field")
    except (ValueError, KeyError, TypeError, AttributeError, OSError, HTTPException):
        return f"Expected an answer from {origin}, got status {error.code} {error.reason}.", None
