"""Responses that are sent while they are made."""

from __future__ import annotations

import asyncio

from django.http import StreamingHttpResponse

from arena.common.handler import _Pieces


async def sent(response: StreamingHttpResponse) -> bytes:
    """All that is sent of a response."""
    return b"".join([piece async for piece in _Pieces(response)])


def test_an_empty_piece_does_not_end_a_response() -> None:
    assert asyncio.run(sent(StreamingHttpResponse(iter([b"first", b"", b"last"])))) == b"firstlast"
