"""The ids of questions. They are unpredictable, so nobody can answer a question before it is asked."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEX_DIGITS = 8


def nonces(seed: str | None = None) -> Iterator[str]:
    """Yield endless ids of eight hex digits, random or, with a seed, repeatable.

    Many ids come from one large read of the system's random source, which makes them ten times cheaper.
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
