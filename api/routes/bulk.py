"""Downloads: all games of a tournament or of a month, as JSON lines compressed with Zstandard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import zstandard
from django.http import Http404, HttpRequest
from ninja import Path, Router
from pydantic import Field

from api.bearer import Caller
from api.held import Held
from api.limits import BULK, downloads
from api.operations import route
from api.routes.tournaments import find
from api.schemas.common import Slug
from tournaments.selectors.bundles import tournament_lines
from tournaments.selectors.months import month_lines

router = Router()
BLOCK = 256 << 10
"""Bytes that are put together before they are sent."""
LEVEL = 6
ZSTD = {"application/zstd": {"schema": {"type": "string", "format": "binary"}}}
Month = Annotated[str, Field(pattern=r"^20\d\d-(0[1-9]|1[0-2])$", examples=["2026-05"])]


@route(router, "GET", "tournaments/{slug}/games.jsonl.zst", media=ZSTD, cost=BULK)
def download_tournament(request: HttpRequest, slug: Path[Slug]) -> Held:
    """All of a tournament: entrants, commitments, pairs, records, standings, ratings.

    JSON lines, compressed with Zstandard. Unpacked, it is what `crapette verify` checks.
    """
    return _download(request, tournament_lines(find(slug)), f"{slug}.jsonl.zst")


@route(router, "GET", "months/{month}/games.jsonl.zst", media=ZSTD, cost=BULK)
def download_month(request: HttpRequest, month: Path[Month]) -> Held:
    """All games that finished in a month (UTC), in the order they finished.

    JSON lines, compressed with Zstandard; each is a game's record. Voided games are left out.
    """
    year, number = map(int, month.split("-"))
    return _download(request, month_lines(year, number), f"games-{month}.jsonl.zst")


def _download(request: HttpRequest, lines: Iterator[bytes], name: str) -> Held:
    caller: Caller = request.auth  # type: ignore[attr-defined]
    try:
        first = next(lines)
    except StopIteration:
        raise Http404("Expected games, got none.") from None
    held = downloads.open(caller.account, caller.address)
    response = Held(_compressed(first, lines), content_type="application/zstd")
    response.when_closed(lambda: downloads.close(held))
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def _compressed(first: bytes, lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines in compressed blocks."""
    packer = zstandard.ZstdCompressor(level=LEVEL).compressobj()
    waiting = [packer.compress(first)]
    size = len(waiting[0])
    for line in lines:
        waiting.append(packer.compress(line))
        size += len(waiting[-1])
        if size >= BLOCK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join((*waiting, packer.flush()))
