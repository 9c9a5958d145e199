"""Seeds, and packs shuffled by them (RULES 2)."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from engine.errors import NotationError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.cards import Card

RESERVE_SIZE = 13
"""The cards of a pack that go to a seat's reserve (RULES 2)."""
SEED = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)


def seed_bytes(seed: str | bytes) -> bytes:
    """The 32 raw bytes of a seed written as 64 hex digits, or given raw.

    Raises:
        NotationError: it is neither.

    >>> seed_bytes("0f" * 32) == bytes([15] * 32)
    True
    >>> seed_bytes("0f")
    Traceback (most recent call last):
    engine.errors.NotationError: expected a seed of 64 hex digits, got '0f'
    """
    if isinstance(seed, bytes):
        if len(seed) != 32:
            raise NotationError(f"expected a seed of 32 bytes, got {len(seed)}")
        return seed
    if not isinstance(seed, str) or not SEED.fullmatch(seed):
        raise NotationError(f"expected a seed of 64 hex digits, got {quote(seed)}")
    return bytes.fromhex(seed)


def seed_of_text(seed: str | bytes) -> bytes:
    """The 32 bytes of a seed, or of any other text its SHA-256.

    Raises:
        NotationError: neither text nor 32 bytes.

    >>> seed_of_text("0f" * 32) == seed_bytes("0f" * 32), len(seed_of_text("my first deal"))
    (True, 32)
    """
    if isinstance(seed, str) and not SEED.fullmatch(seed):
        return hashlib.sha256(seed.encode()).digest()
    return seed_bytes(seed)


def words(seed: bytes, label: str) -> Iterator[int]:
    """The stream of a label as 32-bit words: SHA-256 of ``seed/label/i``, block after block."""
    block = 0
    while True:
        digest = hashlib.sha256(
            seed + b"/" + label.encode("ascii") + b"/" + block.to_bytes(8, "big")
        ).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def shuffle(cards: list[Card], seed: bytes, label: str) -> list[Card]:
    """Fisher and Yates from the last index down, drawing without bias (RULES 2)."""
    stream = words(seed, label)

    def below(limit: int) -> int:
        fair = 2**32 - 2**32 % limit
        return next(word for word in stream if word < fair) % limit

    out = list(cards)
    for last in range(len(out) - 1, 0, -1):
        other = below(last + 1)
        out[last], out[other] = out[other], out[last]
    return out
