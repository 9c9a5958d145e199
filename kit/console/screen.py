"""What the commands write to: a console on which nothing that a bot says is more than text."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from kit.console.terminal import plain

if TYPE_CHECKING:
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
