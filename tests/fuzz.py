"""Requests that no page of ours would send: every address, every method, every role, and odd all over.

The addresses come from the site's own table of addresses, so a new page is tried from its first day. Dice
with a fixed seed choose what is odd about a request.
"""

import io
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.regex_helper import normalize

from tests.thorough import THOROUGH

RARE: Final = ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")

ODD_TEXTS: Final = (
    *("", "0", "-1", "1e400", "9" * 30, "9" * 5000, "\x00", "a\x00b", "\ud800", "ﷺ" * 300, "\u202eevil"),
    *("%s%s%n", "../../etc/passwd", "' OR 1=1 --", "<script>alert(1)</script>", "{{ 7 * 7 }}", "None", "1"),
    *("2", "crapaud", "finished", "round-robin", "me", "[]", "2026-99-99", "NaN"),
)
ODD_WORDS: Final = [
    *("q", "page", "status", "variant", "owner", "players", "after", "at", "move", "bot", "next", "o", "p"),
    *("_to_field", "id__exact", "length", "epoch", "all", "e", "_popup", "index", "ply", "seat", "turn"),
    *("first", "last"),
]
SANE_TYPES: Final = (
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/form-data; boundary=x",
)
PART: Final = b"--x\r\nContent-Disposition: form-data; name="
BROKEN_FORMS: Final = (
    PART,
    PART + b'"file"; filename="\x00.zip"\r\n\r\nPK\x03\x04\r\n--x--\r\n',
    PART + b'"a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!\r\n--x--',
    PART + b"q; filename*=utf-8''%ff\r\n\r\nq\r\n--x--\r\n",
    b"--x--",
    b"--x\r\n" * 200,
)
ODD_TYPES: Final = (
    *(SANE_TYPES[0] + more for more in ("", "; charset=utf-7", "; charset=latin-1")),
    *("application/json" + more for more in ("", "; charset=utf-16", "; charset=no-such")),
    *(
        "multipart/form-data" + more
        for more in ("", "; boundary=x", "; boundary=\xff", "; boundary=" + "x" * 300)
    ),
    *("multipart/mixed; boundary=x", "text/plain; charset=utf-7", "text/xml", "", ";;;==", "a" * 3000),
)
ODD_HEADERS: Final = (
    ("accept", "application/json"),
    ("accept-encoding", "gzip;q=0, br, *"),
    ("accept-language", "x" * 2000 + ",,;q=a"),
    ("authorization", "Bearer \xff\xfe"),
    ("authorization", "Basic AAAA"),
    ("content-length", "-5"),
    ("content-length", "9" * 40),
    ("cookie", "crapette_session=\xff; csrftoken=" + "z" * 5000),
    ("cookie", "messages=junk; sessionid=;;;=;" + "a=b; " * 500),
    ("host", "no-such-host.example"),
    ("host", "testserver:99999999"),
    ("hx-request", "true"),
    ("hx-current-url", "http://[::1/\xff"),
    ("if-modified-since", "Sat, 99 Foo 99999 99:99:99 GMT"),
    ("if-none-match", 'W/"' + "a" * 4000),
    ("origin", "http://[::1"),
    ("range", "bytes=9-1,-"),
    ("referer", "http://[/"),
    ("x-csrftoken", "\xff"),
    ("x-forwarded-for", "junk, \xff"),
    ("x-forwarded-proto", "gopher"),
)


ODD_JSON: Final = (
    *(b"{}", b"[]", b"null", b'{"step": 1}', b'{"step": 1e999}'),
    *(b'{"step": ' + b"9" * digits + b"}" for digits in (400, 5000)),
    b'{"type": "move", "move": ["H1", {}]}',
    b'{"type": "move", "move": "H1 H2", "length": -1, "epoch": "x"}',
    b'{"type": {"a": []}, "length": {}, "epoch": []}',
    *(b'{"type": "undo", "length": 1e30}', b'{"type": "resign" ', b"NaN", b'{"a": NaN}'),
)
ODD_BODIES: Final = (b"[" * 999, b"\xff\xfe\x00", b"{" * 70_000, b'"\\ud800"', b'{"a":"\\u0000"}')


@dataclass(frozen=True)
class Request:
    """One request, as a server hands it to the application."""

    method: str
    path: str
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""

    def scope(self) -> dict[str, Any]:
        """The request in ASGI's words."""
        return {
            "type": "http",
            "http_version": "1.1",
            "scheme": "http",
            "method": self.method,
            "path": self.path,
            "raw_path": quote(self.path, errors="replace").encode(),
            "query_string": self.query,
            "headers": list(self.headers),
            "client": ("127.0.0.1", 50000),
            "server": ("testserver", 80),
        }

    def stream(self) -> io.BytesIO:
        """The body."""
        return io.BytesIO(self.body)


@dataclass(frozen=True)
class Address:
    """A path with names in it, ``/bots/%(slug)s/``, as the site's table has it."""

    path: str
    names: tuple[str, ...]
    own: bool

    def filled(self, values: Mapping[str, str]) -> str:
        """The path with these values; a name without one gets a word of its own."""
        return self.path % {name: values.get(name, "none-such") for name in self.names}


def addresses() -> list[Address]:
    """Every address of the site; `own` are those that are not of the admin."""
    found = {}
    for path, names in _walk(get_resolver(), "/", ()):
        found[path] = Address(path, names, not path.startswith("/admin/"))
    return list(found.values())


def _walk(resolver: URLResolver, start: str, names: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for pattern in resolver.url_patterns:
        for text, more in normalize(pattern.pattern.regex.pattern.replace(r"\Z", "$")):
            path, known = start + text, (*names, *more)
            if isinstance(pattern, URLResolver):
                yield from _walk(pattern, path, known)
            elif isinstance(pattern, URLPattern):
                yield path, known


@dataclass
class Fuzzer:
    """Makes requests out of dice; `known` are values that exist, by the name that an address has for them."""

    known: Mapping[str, Sequence[str]]
    roles: Mapping[str, tuple[tuple[str, str], ...]]
    seed: int = 20
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)

    def every(self, found: Sequence[Address], most_admin: int) -> Iterator[tuple[str, Request]]:
        """Every address of the site's own, read and written to in some or every role and once in a rarer way,
        and so many requests to the admin."""
        own = [one for one in found if one.own]
        for address in own:
            roles = self.dice.sample(list(self.roles), len(self.roles) if THOROUGH else 3)
            for role, method in product(roles, ("GET", "POST")):
                yield role, self.request(address, method, role)
            yield roles[0], self.request(address, self.dice.choice(RARE), roles[0])
        admin = [one for one in found if not one.own]
        for _ in range(most_admin):
            role = self.dice.choice(("staff", "staff", "user", "nobody"))
            method = self.dice.choice(("GET", "GET", "POST", *RARE))
            yield role, self.request(self.dice.choice(admin), method, role)

    def request(self, address: Address, method: str, role: str) -> Request:
        """One request to an address, odd here and there."""
        values = {name: self._value(name) for name in address.names}
        path = address.filled(values)
        headers = [("host", "testserver"), *self.roles[role]]
        body = b""
        if method not in ("GET", "HEAD"):
            kind = self.dice.choice(ODD_TYPES if self.dice.random() < 0.3 else SANE_TYPES)
            headers.append(("content-type", kind))
            body = self._body(kind)
        headers += self.dice.sample(ODD_HEADERS, self.dice.choice((0, 0, 0, 1, 2)))
        return Request(
            method,
            path,
            self._query(),
            tuple((name.encode(), value.encode("latin-1")) for name, value in headers),
            body,
        )

    def _value(self, name: str) -> str:
        known = self.known.get(name, ())
        if known and self.dice.random() < 0.8:
            return self.dice.choice(known)
        return self.dice.choice(("0", "1", "999999999999999999999999", "no-such", *known))

    def _query(self) -> bytes:
        odd = self.dice.random()
        if odd < 0.5:
            return b""
        if odd < 0.6:
            return self.dice.choice((b"\xff\xfe=%00", b"&&&===", b"a=1&" * 1200, b"%", b"page=%ed%a0%80"))
        return self._pairs(ODD_WORDS, self.dice.randint(1, 3))

    def _body(self, kind: str) -> bytes:
        odd = self.dice.random()
        if odd < 0.1:
            return self.dice.choice(ODD_BODIES)
        if kind.startswith("application/json"):
            return self._json()
        if kind.startswith("multipart") and odd < 0.8:
            return self.dice.choice(BROKEN_FORMS)
        more = ("name", "action", "step", "version", "versions", "username", "password", "login")
        return self._pairs((*ODD_WORDS, *more), self.dice.randint(0, 6))

    def _pairs(self, words: Sequence[str], count: int) -> bytes:
        pairs = [(self.dice.choice(words), self.dice.choice(ODD_TEXTS)) for _ in range(count)]
        return "&".join(f"{name}={quote(text, errors='replace')}" for name, text in pairs).encode()

    def _json(self) -> bytes:
        return self.dice.choice(ODD_JSON)
