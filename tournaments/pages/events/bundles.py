"""Downloads that anybody can verify offline, sent line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from arena.web.variants import OPEN
from engine.boards import BOARDS, board_name
from tournaments.games import bundles
from tournaments.models import Tournament
from tournaments.questions.event_ratings import asked_by
from tournaments.questions.responses import asker_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

BLOCK = 256 << 10
"""Bytes that are put together before they are sent."""


@require_safe
def tournament_bundle(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """All of a tournament: entrants, commitments, pairs, records, standings, ratings."""
    tournament = get_object_or_404(Tournament.objects.select_related("owner"), slug=slug)
    lines = bundles.tournament_lines(tournament, asked_by(asker_of(request)))
    return _stream(lines, f"{slug}.jsonl")


@require_safe
def ratings_bundle(request: HttpRequest, variant: str) -> StreamingHttpResponse:
    """What a leaderboard was computed from, and the ratings; ``?players=`` for those of three or four."""
    return _ratings(request, variant)


@require_safe
def open_bundle(request: HttpRequest, variant: str) -> StreamingHttpResponse:
    """The same of an open board."""
    return _ratings(request, variant, OPEN)


def _ratings(request: HttpRequest, variant: str, pool: str = "") -> StreamingHttpResponse:
    asked = request.GET.get("players", "2")
    players = int(asked) if asked in ("2", "3", "4") else 2
    board = board_name(variant, players)
    if board not in BOARDS:
        raise Http404(f"expected one of {', '.join(BOARDS)}, got {board!r}")
    lines = bundles.ratings_lines(pool + board, variant, players)
    return _stream(lines, f"ratings-{pool.replace(':', '-')}{variant}.jsonl")


def _stream(lines: Iterator[bytes], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_blocks(lines), content_type="application/jsonl; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def _blocks(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Lines put together to blocks."""
    waiting: list[bytes] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size >= BLOCK:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
