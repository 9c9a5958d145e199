"""What the commands write to: a console on which nothing that a bot says is more than text."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from kit.terminal import plain

if TYPE_CHECKING:
    from rich.style import Style


class Screen(Console):
    """A console without markup, emoji codes and highlights, for they would be found in names of files too."""

    def __init__(
        self, *, errors: bool = False, file: IO[str] | None = None, width: int | None = None
    ) -> None:
        super().__init__(stderr=errors, file=file, width=width, highlight=False, markup=False, emoji=False)

    def say(self, *parts: str | tuple[str, str | Style]) -> None:
        """Write one line of parts, those that are pairs in a style; no part can begin another line."""
        shown = [plain(part) if isinstance(part, str) else (plain(part[0]), part[1]) for part in parts]
        self.print(Text.assemble(*shown), soft_wrap=True)

    def quote(self, text: str) -> None:
        """Write somebody else's lines, each behind a bar so that none can be taken for one of ours."""
        for line in plain(text, lines=True).rstrip().split("\n"):
            self.print(Text(f"  │ {line}", style="dim"), soft_wrap=True)
