"""A game as a picture, which other sites show beside a link to it."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.conf import settings

from arena.web.deck.miniature import miniature
from arena.web.deck.picture import svg
from arena.web.deck.piles import carry_out, piles_of
from arena.web.storage.archives import ArchiveUnreadable
from tournaments.games import records

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from tournaments.models import Game

SHARE = 0.6
"""Of the events of a game: by then it has a shape, and it is not over."""


KEPT: Final = 2000
"""Final tables that a process remembers, of about a kilobyte each."""
AT_ONCE: Final = 2
"""Fewer than the threads that answer requests, which wait while they draw."""
SECONDS: Final = 20
NICE: Final = 5

_drawing: set[str] = set()
"""The addresses for which a picture is drawn, each one at a time."""
_lock = threading.Lock()


class TooManyPictures(Exception):
    """Others, or others at the same address, have pictures drawn at present."""


def picture(game: Game, address: str) -> bytes:
    """A PNG of the game after `SHARE` of its events so far; what nobody could see while it runs is hidden.

    It is drawn by a process of its own, one at a time for an `address`. Raises TooManyPictures if others have
    theirs drawn.
    """
    record = records.record(game)
    events = record["events"]
    piles = piles_of(record["start"])
    carry_out(piles, events[: int(len(events) * SHARE)])
    return _drawn(svg(piles, record["players"]), address)


def position(key: UUID, ply: int) -> str:
    """The table of a finished game after so many of its moves, as a small SVG; empty if no record is left."""
    game = records.find_game(key)
    if game is None:
        return ""
    try:
        record = records.record(game)
    except ArchiveUnreadable:
        return ""
    moves = [place for place, event in enumerate(record["events"]) if event["type"] == "move"]
    piles = piles_of(record["start"])
    carry_out(piles, record["events"][: moves[ply] if ply < len(moves) else None])
    return miniature(piles, record["players"])


def final(game: Game) -> bytes:
    """The table of a finished game as it was at the end, as a small SVG, compressed by gzip."""
    return _final(game.pk, game.finished_at)


@lru_cache(maxsize=KEPT)
def _final(key: UUID, _finished_at: datetime) -> bytes:
    """Drawn once a process: lists show the same games to many. A game that is played again ends anew."""
    game = records.find_game(key)
    if game is None:
        raise ValueError(f"expected a game, got {key}")
    record = records.record(game)
    piles = piles_of(record["start"])
    carry_out(piles, record["events"])
    return gzip.compress(miniature(piles, record["players"]).encode(), 6)


def _drawn(text: str, address: str) -> bytes:
    # Whoever waited here would keep one of the few threads that answer requests.
    with _lock:
        if address in _drawing or len(_drawing) >= AT_ONCE:
            raise TooManyPictures
        _drawing.add(address)
    try:
        command = ["nice", "-n", str(NICE), sys.executable, "-m", "arena.web.deck.drawing"]
        done = subprocess.run(
            command,
            cwd=settings.BASE_DIR,
            input=text.encode(),
            stdout=subprocess.PIPE,
            timeout=SECONDS,
            check=True,
        )
    finally:
        with _lock:
            _drawing.discard(address)
    return done.stdout
