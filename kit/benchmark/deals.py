"""The deals of Crapette-1000, which never change, and their digests."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

import engine
from kit.local.series import SeriesPlan, seed_of

SEED: Final = "crapette-1000"
DEALS: Final = 1000
OPPONENT: Final = "greedy"
"""Who is played against: it is deterministic, the same in every release, and takes next to no time."""
VARIANTS: Final = tuple(engine.VARIANTS)
FILE: Final = Path(__file__).with_name("reference.json")
"""For each game the digest of its deals, and the results of the reference bots."""


def plan(variant: str, deals: int = DEALS) -> SeriesPlan:
    """The first so many deals of a game, each played from both seats."""
    return SeriesPlan(variant, 2, deals, seed_of(SEED))


def digest(variant: str) -> str:
    """The SHA-256 of all deals of a game: of the lines of the positions in which both games of each begin."""
    total = hashlib.sha256()
    for fixture in plan(variant).games():
        total.update(f"{fixture.start()}\n".encode())
    return total.hexdigest()


def reference() -> dict[str, Any]:
    """What is published of each game: ``digest``, and by bot the numbers of its pairs by half points."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found
