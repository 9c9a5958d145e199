"""The ids of questions: unpredictable, so that an answer sent before its question can only be a guess."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEX_DIGITS = 8


def nonces(seed: str | None = None) -> Iterator[str]:
    """Yield ids of eight hex digits without end: from the system's source, or repeatable ones from a seed.

    Many are cut from one large read: that makes an id ten times cheaper than asking the system for each.
    """
    block = 0
    while True:
        if seed is None:
            digits = os.urandom(2048).hex()
        else:
            digits = hashlib.shake_256(f"{seed}/{block}".encode()).hexdigest(2048)
            block += 1
        for start in range(0, len(digits), _HEX_DIGITS):
            yield digits[start : start + _HEX_DIGITS]
