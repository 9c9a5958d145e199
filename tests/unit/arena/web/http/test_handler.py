"""Responses that are sent while they are made, and the threads that answer pages."""

import asyncio
import threading
from typing import IO, Any

from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from arena.web.http.handler import APART, APART_OF_ONE, APART_THREADS, APART_WAITING, Pages, _Pieces
from arena.web.http.requests import FULL


def test_what_waits_for_others_is_answered_apart() -> None:
    game = "games/5b9b7f7e-0000-4000-8000-000000000000"
    for apart, requests in (
        (
            True,
            "POST /accounts/login/,POST /accounts/password/reset/,POST /bots/new/,POST /bots/planner/upload/",
        ),
        (True, "POST /api/v1/bots/,POST /api/v1/bots/planner/versions/,GET /api/openapi.json,GET /api/docs"),
        (True, f"GET /{game}/picture.png,GET /health"),
        (False, "GET /accounts/login/,GET /api/v1/bots/,GET /bots/planner/,GET /ready,GET /"),
    ):
        for line in requests.split(","):
            assert bool(APART.fullmatch(line)) is apart, line


class Stuck(Pages):
    def __init__(self) -> None:
        super().__init__(1)
        self.answers = threading.Event()
        self.full = 0

    def answer(self, scope: Any, body: IO[bytes]) -> HttpResponseBase:
        if FULL in scope:
            self.full += 1
            return super().answer(scope, body)
        if threading.current_thread().name.startswith("apart"):
            assert self.answers.wait(60)
        return HttpResponse("there")


async def ask(site: Pages, method: str, path: str, address: int = 1) -> Any:
    """Send a request from one of some addresses and wait for nothing."""
    headers = [(b"host", b"testserver"), (b"accept", b"application/json")]
    scope = {"type": "http", "http_version": "1.1", "method": method, "path": path, "query_string": b""}
    scope |= {"headers": headers, "client": (f"192.0.2.{address}", 1)}
    ends: Any = ApplicationCommunicator(site, scope)  # type: ignore[no-untyped-call]
    await ends.send_input({"type": "http.request", "body": b"", "more_body": False})
    return ends


async def status(ends: Any) -> int:
    return int((await ends.receive_output(timeout=60))["status"])


def test_pages_are_answered_while_every_mail_waits_and_more_than_can_wait_are_refused() -> None:
    async def scene() -> None:
        site = Stuck()
        waiting = [await ask(site, "POST", "/accounts/login/") for _ in range(APART_OF_ONE)]
        await asyncio.sleep(0)
        assert await status(await ask(site, "GET", "/")) == 200
        refused = await ask(site, "POST", "/api/v1/bots/")
        assert await status(refused) == 503, "one address leaves some to others"
        others = APART_THREADS + APART_WAITING - APART_OF_ONE
        waiting += [await ask(site, "POST", "/accounts/login/", 2) for _ in range(others)]
        await asyncio.sleep(0)
        assert await status(await ask(site, "POST", "/api/v1/bots/", 3)) == 503
        assert site.full == 2
        site.answers.set()
        assert [await status(one) for one in waiting] == [200] * len(waiting)
        assert await status(await ask(site, "POST", "/accounts/login/")) == 200

    asyncio.run(scene())


async def sent(response: StreamingHttpResponse) -> bytes:
    return b"".join([piece async for piece in _Pieces(response)])


def test_an_empty_piece_does_not_end_a_response() -> None:
    assert asyncio.run(sent(StreamingHttpResponse(iter([b"first", b"", b"last"])))) == b"firstlast"
