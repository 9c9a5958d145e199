"""Wakes analysis workers. A worker that misses a message looks for work a little later anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class _Waker:
    """Who is woken when a message reaches this process."""

    listeners: tuple[Callable[[], object], ...] = ()


def listen(wake: Callable[[], object]) -> None:
    """Have something called with every message."""
    _Waker.listeners = (*_Waker.listeners, wake)


def wake() -> None:
    """Pass a message on."""
    for each in _Waker.listeners:
        each()
