"""Is this process about to stop? Long tasks look here between two batches, and give their work back."""

import threading

_stopping = threading.Event()


def announce() -> None:
    """From now on long work gives up; said once, when the process was told to end."""
    _stopping.set()


def announced() -> bool:
    """Whether long work should give up now."""
    return _stopping.is_set()
