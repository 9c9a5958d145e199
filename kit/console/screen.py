"""What the commands write to: a console on which nothing that a bot says is more than text."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.style import Style


class Screen(Console):
    """A console without markup, emoji codes and highlighting, because file names could contain them."""

    def __init__(
        self, *, errors: bool = False, file: IO[str] | None = None, width: int | None = None
    ) -> None:
        super().__init__(stderr=errors, file=file, width=width, highlight=False, markup=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Leave it to `kit.cli` that whoever read our output has left."""
        self.quiet = True
        raise  # noqa: PLE0704 (called while it is handled)

    def say(self, *parts: str | tuple[str, str | Style], lines: bool = False) -> None:
        """Print the parts as one line; a part may be a pair of text and style.

        No part can start a new line, unless ``lines`` is true.
        """
        shown = [
            plain(part, lines=lines) if isinstance(part, str) else (plain(part[0], lines=lines), part[1])
            for part in parts
        ]
        self.print(Text.assemble(*shown), soft_wrap=True)

    def quote(self, text: str) -> None:
        """Print somebody else's lines, each after a bar, so that none can be mistaken for one of ours."""
        for line in plain(text, lines=True).rstrip().split("\n"):
            self.print(Text(f"  │ {line}", style="dim"), soft_wrap=True)


def plain(text: str, *, lines: bool = False) -> str:
    r"""Return the text with every unprintable character written as an escape, such as ``\x1b``.

    That covers control codes, line ends, marks that change the direction of writing, characters without
    width, and lone surrogates. If ``lines`` is true, line ends and tabs stay.
    """
    kept = "\n\t" if lines else ""
    return "".join(
        letter if letter.isprintable() or letter in kept else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


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
