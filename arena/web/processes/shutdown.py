"""Is this process about to stop? Long tasks look here between two batches, and give their work back."""

import threading

_stopping = threading.Event()
_draining = threading.Event()


def drain() -> None:
    """From now on nothing new is begun; what is under way may end."""
    _draining.set()


def draining() -> bool:
    """Whether nothing new may be begun."""
    return _draining.is_set() or _stopping.is_set()


def announce() -> None:
    """From now on long work gives up; said once, when the process was told to end."""
    _stopping.set()


def is_announced() -> bool:
    """Whether long work should give up now."""
    return _stopping.is_set()
