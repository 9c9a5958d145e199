"""Caches pages that look the same to everybody until something they show changes.

:func:`shared_page` marks the view of such a page. While it is made, the tables that its queries name are
noted with their stamps (`arena.web.cache.versions`); as long as these are the same the page is answered as it
is, and a browser that has it already gets 304. So a shared page is never older than the database. Whoever
is signed in gets the same with a top bar and other small parts of their own, or a page of their own where it
shows more to them. A page with forms is shared by visitors without a session (`shared_by_strangers`): what is
kept has a mark in place of the token against forged requests, of which each visitor gets their own.

While games are played the tables change many times a second, and a page that many people ask for would be
made as often. So visitors without a session may get a page of up to ``SHARED_PAGES_SECONDS`` ago, and cost
no query then. For as long again they still get it, and it is made anew once it was sent
(`AFTER_RESPONSE`), so nobody waits for a page that many look at. Only whole pages are that old: the parts
that open pages ask for are not, because a page may ask for them only once, at the last change.

A page that is kept takes 0.3 ms of processor time, and made anew 2 to 25.
"""

from __future__ import annotations

import hashlib
import math
import secrets
import threading
import time
from collections import OrderedDict, defaultdict
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from functools import cache, partial, wraps
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.middleware.gzip import GZipMiddleware
from django.template.loader import render_to_string
from django.template.response import SimpleTemplateResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.module_loading import import_string

from arena.web.cache import values, versions
from arena.web.i18n import readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Concatenate, ParamSpec

    Arguments = ParamSpec("Arguments")
    OwnParts = Mapping[str, str] | None

LARGEST: Final = 1 << 20
MOST_BYTES: Final = 16 << 20
"""Of all pages kept by one process."""
MOST_ASKED_BYTES: Final = 2 << 20
"""Of those whose address has a query: anybody can think up any number, which must not push out the rest."""
# In templates/base.html.
BAR_BEGINS: Final = b"<!--me-->"
BAR_ENDS: Final = b"<!--/me-->"
BANNER_BEGINS: Final = b"<!--banner-->"
BANNER_ENDS: Final = b"<!--/banner-->"
HEADERS: Final = ("Content-Type", "Content-Encoding", "Vary", "Content-Security-Policy")
TOKEN: Final = secrets.token_hex(32)
"""In kept pages, where a visitor's token against forged requests belongs. Nobody outside learns it, so nobody
can have a token put elsewhere."""
AFTER_RESPONSE: Final[ContextVar[Callable[[], None] | None]] = ContextVar("after_response", default=None)
"""What is to be done for later visitors once the response to this one was sent."""
Key = tuple[str, ...]


@dataclass(slots=True)
class Kept:
    """A cached page, valid while its tables have this sum of stamps and until the time `until`.

    `checked` is the time of the newest stamps with which it was seen to be valid, and `renewing` says whether
    it is being made anew.
    """

    tables: frozenset[str]
    stamp: int
    until: float
    body: bytes
    headers: dict[str, str]
    etag: str
    checked: float
    renewing: bool = False

    def is_fresh(self, now: dict[str, int], *, newer: bool = False) -> bool:
        """Whether nothing was written to its tables since; with `newer` also what was made of later rows."""
        stamp = versions.total(self.tables, now)
        same = self.stamp >= stamp if newer else self.stamp == stamp
        return same and time.monotonic() < self.until

    def is_recent(self, seconds: float, grace: float = 0.0) -> bool:
        """Whether it was valid less than so long ago, with so many seconds of grace."""
        now = time.monotonic()
        return now - self.checked < seconds + grace and now < self.until + grace


class Shelf:
    """Cached pages; the least recently used are dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pages: OrderedDict[Key, Kept] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._making: defaultdict[Key, threading.Lock] = defaultdict(threading.Lock)

    def find(self, key: Key, now: dict[str, int], at: float, *, newer: bool = False) -> Kept | None:
        """The page, if it is there and fresh, or `newer` than these stamps, which were read after `at`."""
        with self._lock:
            kept = self._pages.get(key)
            if kept is None or not kept.is_fresh(now, newer=newer):
                return None
            kept.checked, kept.renewing = max(kept.checked, at), False
            self._pages.move_to_end(key)
            return kept

    def recent(self, key: Key, seconds: float, grace: float = 0.0) -> Kept | None:
        """The page, if it is recent in the sense of `Kept.is_recent`."""
        with self._lock:
            kept = self._pages.get(key)
            if kept is None or not kept.is_recent(seconds, grace):
                return None
            self._pages.move_to_end(key)
            return kept

    def begin_renewal(self, page: Kept) -> bool:
        """Note that the page is being made anew; False if it was before."""
        with self._lock:
            begun, page.renewing = not page.renewing, True
            return begun

    def keep(self, key: Key, page: Kept) -> None:
        """Keep a page, and drop others that nobody asked for lately."""
        with self._lock:
            self._drop(key)
            self._pages[key] = page
            self._bytes += len(page.body)
            while self._bytes > self._most:
                self._drop(next(iter(self._pages)))

    @contextmanager
    def making(self, key: Key) -> Iterator[bool]:
        """Held by whoever makes the page: others wait for it instead of making it too; whether one waited."""
        with self._lock:
            lock = self._making[key]
        waited = not lock.acquire(blocking=False)
        if waited:
            lock.acquire()
        try:
            yield waited
        finally:
            lock.release()
            with self._lock:
                self._making.pop(key, None)

    @property
    def bytes(self) -> int:
        """How much they take."""
        return self._bytes

    def pages(self) -> list[Kept]:
        """What is cached now."""
        with self._lock:
            return list(self._pages.values())

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        old = self._pages.pop(key, None)
        if old is not None:
            self._bytes -= len(old.body)


class LastStamps:
    """The stamps that this process read last: whoever may get a page of a moment ago asks for none."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Have them read again."""
        self.last: tuple[float, dict[str, int]] = (-math.inf, {})

    def read(self) -> tuple[float, dict[str, int]]:
        """A time, and the stamps that were read after it."""
        found = time.monotonic(), versions.read()
        if not connection.in_atomic_block:  # what a transaction sees may be undone
            self.last = found
        return found


_stamps = LastStamps()
values.forget_with(_stamps.forget)
plain = Shelf(MOST_BYTES - MOST_ASKED_BYTES)
asked = Shelf(MOST_ASKED_BYTES)


def shelf_of(request: HttpRequest) -> Shelf:
    """The shelf of this process for an address: those with a query have one of their own."""
    return asked if request.META.get("QUERY_STRING") else plain


def everybody(request: HttpRequest, *arguments: object, **named: object) -> bool:
    """A page that looks the same to everyone, signed in or not."""
    return True


def strangers(request: HttpRequest, *arguments: object, **named: object) -> bool:
    """A page that looks different to people who are signed in."""
    return False


def address_alone(request: HttpRequest) -> str:
    """A page that depends on nothing else."""
    return ""


def shared_page(
    *,
    seconds: float = float("inf"),
    among: Callable[..., bool] = strangers,
    own: Callable[..., OwnParts] | None = None,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Arguments], HttpResponse]],
    Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase],
]:
    """Mark the view of a page that depends on its address and the database alone.

    `seconds` bounds the age of a page that says something about the present time, such as "a minute ago".
    `among` says of a visitor who is signed in whether they see what strangers see. `own` gives the parts that
    such a visitor has of their own, by name, or None if the whole page is theirs; a template marks where they
    belong: ``<!--own NAME-->`` and ``<!--/own NAME-->`` around what strangers see there.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Arguments], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]:
        @wraps(view)
        def call(
            request: HttpRequest, /, *arguments: Arguments.args, **named: Arguments.kwargs
        ) -> HttpResponseBase:
            if request.method not in ("GET", "HEAD") or settings.DEBUG or _has_message(request):
                return view(request, *arguments, **named)
            if request.user.is_authenticated:
                parts: OwnParts = None
                if own is not None:
                    parts = own(request, *arguments, **named)
                elif among(request, *arguments, **named):
                    parts = {}
                if parts is None:
                    return view(request, *arguments, **named)
                stranger = _stranger(request)
                found = _found(stranger, partial(view, stranger, *arguments, **named), seconds)
                if isinstance(found, Kept):
                    return _with_own_parts(request, found, parts)
                return view(request, *arguments, **named)
            found = _found(request, partial(view, request, *arguments, **named), seconds)
            return _answer(request, found) if isinstance(found, Kept) else found

        return call

    return decorate


def shared_by_strangers(
    *, by: Callable[[HttpRequest], str | None] = address_alone
) -> Callable[
    [Callable[Concatenate[HttpRequest, Arguments], HttpResponse]],
    Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase],
]:
    """Mark the view of a page, perhaps with forms, that looks the same to everybody without a session.

    `by` says what the page depends on besides its address and the tables that its queries name, or None if
    this visitor has to have one of their own.
    """

    def decorate(
        view: Callable[Concatenate[HttpRequest, Arguments], HttpResponse],
    ) -> Callable[Concatenate[HttpRequest, Arguments], HttpResponseBase]:
        @wraps(view)
        def call(
            request: HttpRequest, /, *arguments: Arguments.args, **named: Arguments.kwargs
        ) -> HttpResponseBase:
            known = settings.SESSION_COOKIE_NAME in request.COOKIES or request.user.is_authenticated
            if request.method not in ("GET", "HEAD") or settings.DEBUG or known or _has_message(request):
                return view(request, *arguments, **named)
            more = by(request)
            if more is None:
                return view(request, *arguments, **named)
            stranger = _stranger(request)
            stranger.gets_mark = True  # type: ignore[attr-defined]
            found = _found(stranger, partial(view, stranger, *arguments, **named), float("inf"), more)
            if isinstance(found, Kept):
                return _with_token(request, found)
            return view(request, *arguments, **named)

        return call

    return decorate


def token_or_mark(request: HttpRequest) -> dict[str, str]:
    """The context processor that puts `TOKEN` into pages that will be kept."""
    return {"csrf_token": TOKEN} if getattr(request, "gets_mark", False) else {}


def _found(
    request: HttpRequest, make: Callable[[], HttpResponse], seconds: float, more: str = ""
) -> Kept | HttpResponse:
    """The page from the shelf, made if need be; the response if it cannot be kept."""
    key, shelf, age = _key(request, more), shelf_of(request), settings.SHARED_PAGES_SECONDS
    if not _may_be_older(request):
        return _made(request, make, seconds, key, _stamps.read())
    found = shelf.recent(key, age)
    if found is not None:
        return found
    at, now = last = _stamps.last
    lately = time.monotonic() - at < age
    if lately:
        found = shelf.find(key, now, at, newer=True)
    if found is None:
        found = shelf.recent(key, age, grace=age)
        if found is not None and shelf.begin_renewal(found):
            AFTER_RESPONSE.set(partial(_renew, request, make, seconds, key))
    return found or _made(request, make, seconds, key, last if lately else _stamps.read())


def _renew(request: HttpRequest, make: Callable[[], HttpResponse], seconds: float, key: Key) -> None:
    age = settings.SHARED_PAGES_SECONDS
    if shelf_of(request).recent(key, age, grace=age) is None:
        return  # it came so late that nobody may have the old page any more
    with suppress(Exception):  # of which whoever asks next is told
        _made(request, make, seconds, key, _stamps.read())


def _made(
    request: HttpRequest,
    make: Callable[[], HttpResponse],
    seconds: float,
    key: Key,
    began: tuple[float, dict[str, int]],
) -> Kept | HttpResponse:
    """The page as it is at least since `began`: a time, and the stamps that were read after it."""
    shelf, (at, now) = shelf_of(request), began
    found = shelf.find(key, now, at)
    if found is not None:
        return found
    with shelf.making(key) as waited:
        if waited:
            # What was made meanwhile is no older than the request, although it may be outdated again:
            # while games are played it would be for each of those who wait.
            found = shelf.find(key, now, at, newer=True)
            if found is not None:
                return found
            at, now = _stamps.read()
        with versions.page_begins(now), versions.tables_read() as tables:
            response = make()
            if isinstance(response, SimpleTemplateResponse):
                response.render()
        found = _kept(request, response, frozenset(tables), (at, now), seconds)
        if found is None:
            return response
        shelf.keep(key, found)
        return found


def _may_be_older(request: HttpRequest) -> bool:
    """Whether this is a whole page for somebody who can have changed nothing that it shows."""
    # Not every browser says what it asks for; no page is JSON.
    asked_by_script = (
        "HX-Request" in request.headers
        or request.headers.get("Sec-Fetch-Dest") == "empty"
        or request.path.endswith(".json")
    )
    return not asked_by_script and settings.SESSION_COOKIE_NAME not in request.COOKIES


def _has_message(request: HttpRequest) -> bool:
    """Whether a message waits for this visitor on the next page."""
    if "messages" in request.COOKIES:
        return True
    return settings.SESSION_COOKIE_NAME in request.COOKIES and "_messages" in request.session


def _stranger(request: HttpRequest) -> HttpRequest:
    """The same request from somebody who is not signed in, to be answered without compression."""
    stranger = copy(request)
    stranger.__dict__.pop("headers", None)
    left_out = ("HTTP_COOKIE", "HTTP_ACCEPT_ENCODING", "CSRF_COOKIE", "CSRF_COOKIE_NEEDS_UPDATE")
    stranger.META = {name: value for name, value in request.META.items() if name not in left_out}
    stranger.user = AnonymousUser()
    # By which it is still known that somebody with a session asks (`_may_be_older`).
    stranger.COOKIES = request.COOKIES
    return stranger


def _with_own_parts(request: HttpRequest, page: Kept, parts: Mapping[str, str]) -> HttpResponseBase:
    """A shared page with the top bar and the banner of this visitor, and with other parts of their own."""
    body = page.body
    if BAR_BEGINS in body:
        body = _put(body, BAR_BEGINS, BAR_ENDS, render_to_string("parts/me.html", request=request))
    if BANNER_BEGINS in body:
        body = _put(body, BANNER_BEGINS, BANNER_ENDS, render_to_string("notices/site.html", request=request))
    for name, text in parts.items():
        body = _put(body, f"<!--own {name}-->".encode(), f"<!--/own {name}-->".encode(), text)
    response = HttpResponse(body, headers=page.headers)
    response["Cache-Control"] = "private, no-store"
    return GZipMiddleware(lambda _: response).process_response(request, response)


def _with_token(request: HttpRequest, page: Kept) -> HttpResponse:
    """A page with forms, with this visitor's token in them."""
    response = HttpResponse(page.body, headers=page.headers)
    if TOKEN.encode() in page.body:
        response.content = page.body.replace(TOKEN.encode(), get_token(request).encode())
    # Not what the view said: it made the page for everybody, and this one has a token and sets a cookie.
    response["Cache-Control"] = "private, no-store"
    return response


def _put(body: bytes, begins: bytes, ends: bytes, text: str) -> bytes:
    """A page with this text between two marks. Raises ValueError if they are not there."""
    first = body.index(begins) + len(begins)
    return body[:first] + text.encode() + body[body.index(ends, first) :]


def _key(request: HttpRequest, more: str = "") -> Key:
    """What a shared page may depend on besides the tables that it reads."""
    return (
        request.scheme or "",
        request.get_host(),
        request.path,
        request.META.get("QUERY_STRING", ""),
        str("gzip" in request.headers.get("Accept-Encoding", "")),
        str("HX-Request" in request.headers),
        readers.current(),
        timezone.get_current_timezone_name(),
        _more_of_key()(request),
        more,
    )


@cache
def _more_of_key() -> Callable[[HttpRequest], str]:
    found: Callable[[HttpRequest], str] = import_string(settings.SHARED_PAGES_KEY)
    return found


def _kept(
    request: HttpRequest,
    response: HttpResponse,
    tables: frozenset[str],
    began: tuple[float, dict[str, int]],
    seconds: float,
) -> Kept | None:
    """The page to keep, or None if it turned out to be for this visitor or of tables without stamps.

    `began` are a time and the stamps that were read after it, before the page was made.
    """
    at, now = began
    personal = response.cookies or "CSRF_COOKIE_NEEDS_UPDATE" in request.META or request.session.modified
    if personal or response.status_code != 200 or not tables <= now.keys() or len(response.content) > LARGEST:
        return None
    patch_vary_headers(response, ("Cookie",))
    digest = hashlib.blake2b(response.content, digest_size=12).hexdigest()
    return Kept(
        tables=tables,
        stamp=versions.total(tables, now),
        until=time.monotonic() + seconds,
        body=response.content,
        headers={name: response[name] for name in HEADERS if name in response},
        etag=f'W/"{digest}"',
        checked=at,
    )


def _answer(request: HttpRequest, page: Kept) -> HttpResponseBase:
    response = HttpResponse(page.body, headers=page.headers)
    response["ETag"] = page.etag
    # Kept by browsers, and asked for again each time.
    response["Cache-Control"] = "no-cache"
    found = get_conditional_response(request, etag=page.etag, response=response)
    return response if found is None else found
