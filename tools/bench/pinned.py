"""Keeps what is measured on one core, so that its parts do not wake each other across cores."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """Keep this process, and all it starts meanwhile for good, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
