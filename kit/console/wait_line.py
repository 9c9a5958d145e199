"""Shows that something takes its time: a line that changes on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from rich.text import Text

from kit.console.terminal import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kit.console.screen import Screen

TELL_FIRST_S: Final = 10.0
"""Without a terminal, the first line comes after this time, then each time it has taken twice as long."""


@contextmanager
def show_waiting(screen: Screen, words: str) -> Iterator[Callable[[str], None]]:
    """Show the words until the block ends. What it yields takes other words."""
    if screen.is_interactive:
        with screen.status(Text(plain(words)), spinner="dots") as shown:
            yield lambda words: shown.update(Text(plain(words)))
        return
    begun, told = time.monotonic(), TELL_FIRST_S

    def tell(words: str) -> None:
        nonlocal told
        seconds = time.monotonic() - begun
        if seconds >= told:
            screen.say(f"… {words}, after {seconds:.0f} s")
            told = 2 * seconds

    yield tell
