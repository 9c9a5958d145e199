"""Serves Django's pages over ASGI, each in one thread of a fixed pool.

Django's own handler gives every request a new thread, and with it a new connection to the database, and
crosses between the event loop and that thread five times. Here a request crosses once, and the threads of
the pool keep their connections. With Django's, a page that is kept takes three times the processor time
(1.7 instead of 0.6 ms), the page of somebody who is signed in half again as much, and the process 13 MB more.

These threads wait for nothing but the database. What may wait for something else (a mail server, the service
of a captcha, a process that draws), or stores what was uploaded, is answered in threads :data:`APART`.
"""

from __future__ import annotations

import asyncio
import contextvars
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.urls import set_script_prefix

from arena.web.cache.pages import AFTER_RESPONSE
from arena.web.http.body_limit import UPLOADS
from arena.web.http.rate_limits import of_scope
from arena.web.http.requests import FULL, readable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import IO

    from django.http.response import HttpResponseBase

    from arena.web.http.requests import Message, Receive

THREADS = 4
"""Requests answered at once. Python runs one thread at a time, so more only help while others wait for the
database."""


APART: Final = re.compile(
    r"POST (/accounts/.*|/admin/.*|/bots/account/|" + UPLOADS.pattern + ")"
    r"|(GET|HEAD) (/health|/admin/overview/|/games/[^/]+/picture\.png|/api/(openapi\.json|docs))"
)
"""The method and path of such requests. They send mails, ask the captcha's service, hash passwords, store
files of up to 64 MB, ask the broker, or have a process draw or describe something."""
APART_THREADS = 4
APART_WAITING = 40
"""So many of them wait for a thread at most. Others are refused at once."""
APART_OF_ONE = 32
"""So many of them, waiting and begun, come from one address at most, which leaves a quarter to others."""

SHORT_BYTES = 1 << 20
"""Files up to this size are read in one go."""


class Pages(ASGIHandler):
    """Django as an ASGI application."""

    def __init__(self, threads: int = THREADS) -> None:
        # Not ASGIHandler's, which would load the middleware for the event loop.
        super(ASGIHandler, self).__init__()
        self.load_middleware(is_async=False)
        self._pool = ThreadPoolExecutor(threads, "page", initializer=_keep_connection)
        # One thread for what is done for later requests: however much there is, no request waits for it.
        self._renewal = ThreadPoolExecutor(1, "renewal", initializer=_keep_connection)
        self._apart = ThreadPoolExecutor(APART_THREADS, "apart")
        self._begun_apart: Counter[str] = Counter()
        """How many such requests there are of each address."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            # As asyncio.to_thread does: nothing that a request sets is seen by the next one in its thread.
            context = contextvars.copy_context()
            response = await self._answered(scope, partial(context.run, self.answer, scope, body))
            if isinstance(response, StreamingHttpResponse):
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)
        after_response = context.get(AFTER_RESPONSE)
        if after_response is not None:
            self._renewal.submit(context.run, after_response)

    async def _answered(self, scope: Message, run: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        """The response that `run` makes, in a thread of the pool that such a request belongs to."""
        loop = asyncio.get_running_loop()
        if not APART.fullmatch(f"{scope['method']} {scope['path']}"):
            return await loop.run_in_executor(self._pool, run)
        address = of_scope(scope)
        own, all_of_them = self._begun_apart[address], self._begun_apart.total()
        if own >= APART_OF_ONE or all_of_them >= APART_THREADS + APART_WAITING:
            scope[FULL] = True  # which is answered without waiting for anything
            return await loop.run_in_executor(self._pool, run)
        self._begun_apart[address] += 1
        try:
            return await loop.run_in_executor(self._apart, run)
        finally:
            self._begun_apart[address] -= 1
            if not self._begun_apart[address]:
                del self._begun_apart[address]

    def answer(self, scope: Message, body: IO[bytes]) -> HttpResponseBase:
        """The response to one request. Unless it is streamed it is complete, and the request is closed."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(readable(scope), body)
        response = cast("HttpResponseBase", refusal) if request is None else self.get_response(request)
        # Whose signal closing it sends.
        response._handler_class = self.__class__  # type: ignore[attr-defined]
        if isinstance(response, FileResponse) and _is_short(response):
            return _whole(response)
        if not response.streaming:
            response.close()
        return response

    async def _stream(self, response: StreamingHttpResponse, receive: Receive, send: Any) -> None:
        """Send a response as it is made, until its end or until nobody listens any more."""
        async with ThreadSensitiveContext():
            pieces: Any = response if response.is_async else _Pieces(response)
            sending = asyncio.create_task(self.send_response(pieces, send))
            leaving = asyncio.create_task(self._until_left(receive))
            try:
                await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
                if sending.done():
                    sending.result()
            finally:
                for task in (sending, leaving):
                    task.cancel()
                await asyncio.gather(sending, leaving, return_exceptions=True)
                await sync_to_async(_close)(response)

    @staticmethod
    async def _until_left(receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass


def _keep_connection() -> None:
    """Let this thread keep its connection to the database, as opening one costs more than most pages do."""
    link = connections[DEFAULT_DB_ALIAS]
    # A copy: other threads come and go, and must not leave their connections behind.
    link.settings_dict = {**link.settings_dict, "CONN_MAX_AGE": settings.PAGES_KEEP_CONNECTIONS_SECONDS}


class _Pieces:
    """A streamed response whose pieces are made in a thread, as they may wait for the database or a disk."""

    def __init__(self, response: StreamingHttpResponse) -> None:
        self._response = response

    def __getattr__(self, name: str) -> Any:
        return getattr(self._response, name)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter(self._response)
        while (piece := await sync_to_async(_next)(pieces)) is not None:
            yield piece


def _is_short(response: FileResponse) -> bool:
    """Whether a file is small enough to read at once, or there is none."""
    length = response.headers.get("Content-Length", "")
    return response.file_to_stream is None or (length.isdecimal() and int(length) <= SHORT_BYTES)


def _whole(response: FileResponse) -> HttpResponse:
    """Return the file in one piece, and close it."""
    with closing(response):
        whole = HttpResponse(b"".join(response), status=response.status_code, headers=dict(response.headers))
    whole.cookies = response.cookies
    return whole


def _next(pieces: Iterator[bytes]) -> bytes | None:
    """The next piece, which may be empty, or None at the end."""
    return next(pieces, None)


def _close(response: HttpResponseBase) -> None:
    """Close a streamed response, and the connections of the thread made for it, which ends with it."""
    response.close()
    connections.close_all()
