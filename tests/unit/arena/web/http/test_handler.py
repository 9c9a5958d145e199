"""Responses that are sent while they are made, and the threads that answer pages."""

import ast
import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final

from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from arena.web.http.handler import APART, APART_OF_ONE, APART_THREADS, APART_WAITING, Pages, _Pieces
from arena.web.http.requests import FULL

ROOT: Final = Path(__file__).resolve().parents[5]
SERVED: Final = ("arena", "bots", "friendlies", "people", "tournaments")
ELSEWHERE: Final = (
    *("arena/run/analysis/", "arena/run/embedded/", "arena/operate/backups/", "arena/run/workers/"),
    *("arena/run/children.py", "arena/run/join.py", "arena/run/supervisor.py", "arena/run/web.py"),
    *("arena/run/worker.py", "arena/run/analysts.py", "bots/house/", "bots/playing/", "tournaments/games/"),
)
"""What only workers and commands import, or starts them."""
WAITS: Final = (
    *("subprocess.run", "subprocess.Popen", "subprocess.check_output", "time.sleep", "fcntl.flock"),
    *("socket.create_connection", "socket.getaddrinfo", "urllib.request.urlopen", "outbound.ask"),
    *("outbound.post", "smtplib.SMTP", "mail.EmailMessage", "mail.send_mail", "uploads.inspect"),
    *("Stage.ensure", "inspections.place", "broker().connection_for_write"),
)
"""What waits for a process, time, a network, a disk or a sandbox."""
KNOWN: Final = {
    # Apart (`arena.web.http.handler.APART`).
    ("arena/accounts/captcha.py", "outbound.ask"): "signing up and in",
    ("arena/operate/health.py", "broker().connection_for_write"): "/health and the operator's page",
    ("arena/api/document_cache.py", "subprocess.run"): "the API's document",
    ("tournaments/pages/games/games.py", "subprocess.run"): "a game as a picture",
    # Parts of what stands here itself.
    ("arena/web/http/outbound.py", "socket.create_connection"): "for those who ask it",
    ("arena/web/http/outbound.py", "socket.getaddrinfo"): "for those who ask it",
    # Only workers come here.
    ("bots/uploads.py", "uploads.inspect"): "an upload, at the beginning of its check",
    ("arena/notices/delivery.py", "outbound.post"): "webhooks",
    ("arena/notices/delivery.py", "mail.EmailMessage"): "mails of notices",
    ("friendlies/tables/opponents.py", "Stage.ensure"): "bots at tables",
    ("tournaments/ratings/twin_search.py", "Stage.ensure"): "the comparison of versions",
    ("arena/web/database/db_retry.py", "time.sleep"): "what must not be lost while the database is away",
    ("tournaments/questions/worker.py", "time.sleep"): "analysis processes",
    # A download, whose pieces are made in a thread of its own.
    ("tournaments/questions/event_ratings.py", "time.sleep"): "ratings of a tournament",
    ("friendlies/tables/opponents.py", "time.sleep"): "remote bots at tables, in a thread of their own",
    # The database.
    ("tournaments/pairing/row_locks.py", "time.sleep"): "locks of rows that cannot be waited for",
}


def calls(path: Path) -> Iterator[str]:
    """The calls in a file that are among `WAITS`, however they were imported."""
    tree = ast.parse(path.read_text())
    imported = {
        alias.asname or alias.name: f"{str(node.module).rpartition('.')[2]}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            name = imported.get(name, name)
            yield from (wait for wait in WAITS if name == wait or name.endswith(f".{wait}"))


def test_whatever_waits_for_more_than_the_database_is_known_and_never_in_a_page_thread() -> None:
    found = {
        (str(path.relative_to(ROOT)), call)
        for package in SERVED
        for path in sorted((ROOT / package).rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(ELSEWHERE)
        and not {"management", "migrations"} & set(path.parts)
        for call in calls(path)
    }
    assert found == set(KNOWN)


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
    """A site whose mail server never answers."""

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
