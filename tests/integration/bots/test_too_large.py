"""A request that is too large, through the whole application as a server calls it."""

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from arena.asgi import application
from arena.web.http.body_limit import MOST_BYTES

SENTENCE = "A request can be at most 5 MB. Send less."


async def post(path: str, size: int) -> tuple[int, str]:
    """Status and text of the answer to a body of ``size`` bytes, sent in parts of a mebibyte."""
    headers = {
        "host": "testserver",
        "content-type": "application/x-www-form-urlencoded",
        "content-length": str(size),
    }
    scope = {
        **{"type": "http", "http_version": "1.1", "method": "POST", "query_string": b"", "path": path},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    visit: Any = ApplicationCommunicator(application, scope)  # type: ignore[no-untyped-call]
    left = size
    while left:
        part = min(left, 1 << 20)
        left -= part
        await visit.send_input({"type": "http.request", "body": b"x" * part, "more_body": left > 0})
    start = await visit.receive_output(10)
    text, more = b"", True
    while more:
        message = await visit.receive_output(10)
        text, more = text + message.get("body", b""), message.get("more_body", False)
    await visit.send_input({"type": "http.disconnect"})
    await visit.wait()
    return start["status"], text.decode()


@pytest.mark.django_db(transaction=True)
async def test_a_page_says_that_a_body_is_too_large_and_a_program_gets_json() -> None:
    status, page = await post("/bots/new/", MOST_BYTES + 1)
    assert (status, SENTENCE in page) == (413, True)
    assert '<a href="/bots/new/">Back to the form</a>' in page
    status, answer = await post("/api/v1/bots/", MOST_BYTES + 1)
    assert status == 413
    assert json.loads(answer)["error"] == {"code": "too-large", "message": SENTENCE, "field": None}
    status, _ = await post("/bots/new/", MOST_BYTES)
    assert status in {302, 403}
