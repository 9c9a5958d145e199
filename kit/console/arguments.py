"""Command-line arguments shared by the commands that play, and the errors about them."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from typing import TYPE_CHECKING, Final, NoReturn

from engine.boards import parse_board
from kit.console.exit_status import CommandError
from kit.console.terminal import plain
from referee.job import ClockRule

if TYPE_CHECKING:
    from pathlib import Path

LONGEST_SECONDS: Final = 86_400


class BadUsage(CommandError, ValueError):
    """Arguments that are wrong or do not go together; the message is one sentence."""


class _Layout(argparse.HelpFormatter):
    """Wraps what is one paragraph, and keeps the lines of what has several."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" not in text:
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in text.splitlines())


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        super().__init__(prog=prog, description=description, epilog=epilog, formatter_class=_Layout)

    def add_seed(self) -> None:
        """Add ``--seed``, which `kit.local.series.seed_of` reads."""
        self.add_argument("--seed", help="any text, or 64 hex digits; decides the deals (default: random)")

    def add_clock(self, default: str = "60+0.5") -> None:
        """Add ``--clock``."""
        self.add_argument(
            "--clock",
            type=clock,
            default=default,
            help="seconds of CPU time per game + per turn (default: %(default)s)",
        )

    def add_jobs(self) -> None:
        """Add ``--jobs``, by default one for every two cores."""
        self.add_argument(
            "--jobs",
            type=count,
            default=max(1, (os.cpu_count() or 2) // 2),
            help="games played at the same time (default: %(default)s)",
        )

    def error(self, message: str) -> NoReturn:
        """Print the message and exit with status 2."""
        self.exit(2, f"{self.prog}: {plain(message)} (see --help)\n")


def count(text: str) -> int:
    """Parse a count of at least 1."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 1000000, got {text[:40]!r}")
    return int(text)


def split_board(text: str | None) -> tuple[str | None, int | None]:
    """A game as it is given, and its seats if a board such as crapette/3 says them. Raises UnknownVariant.

    >>> split_board("crapette/3"), split_board("crapaud")
    (('crapette', 3), ('crapaud', None))
    """
    return parse_board(text) if text and "/" in text else (text, None)


def clock(text: str) -> ClockRule:
    """Parse a clock such as ``60+0.5``: seconds of CPU time per game, plus seconds after each turn."""
    bank, _, increment = text.partition("+")
    try:
        seconds, more = float(bank), float(increment or "0")
    except ValueError:
        seconds = more = -1.0
    if not (0.001 <= seconds <= LONGEST_SECONDS and 0 <= more <= LONGEST_SECONDS):
        raise argparse.ArgumentTypeError(
            f"expected seconds such as 60+0.5, at most {LONGEST_SECONDS}, got {text[:40]!r}"
        )
    return ClockRule(round(seconds * 1000), round(more * 1000))


def writable_file(option: str, path: Path) -> None:
    """Raise BadUsage if no file can be written there."""
    target = path.resolve()
    folder = target.parent
    usable = folder.is_dir() and os.access(folder, os.W_OK) and not folder.is_relative_to("/proc")
    if not usable or (target.exists() and not target.is_file()):
        raise BadUsage(f"expected {option} to name a file in a writable folder, got {str(path)!r}")


def new_file(option: str, path: Path, *, resume: bool = False) -> None:
    """Raise BadUsage if the file already has content or cannot be written.

    `resume` says that the command can continue from what is there, if it is asked to.
    """
    writable_file(option, path)
    if path.exists() and not (path.is_file() and not path.stat().st_size):
        go_on = "add --resume to continue it, or " if resume else ""
        raise BadUsage(f"{str(path)!r} already exists: {go_on}give {option} a new file")


def no_records(option: str, path: Path) -> None:
    """Raise BadUsage if the folder has records of games that would be overwritten."""
    if any(re.fullmatch(r"\d{4,}-\d\.json", each.name) for each in path.iterdir()):
        raise BadUsage(
            f"{str(path)!r} contains records of other games:"
            f" add --resume to continue, or give {option} another folder"
        )


def made_folder(option: str, path: Path) -> None:
    """Create the folder if necessary; raise BadUsage if it is not writable."""
    with contextlib.suppress(OSError):
        path.mkdir(parents=True, exist_ok=True)
    if not path.is_dir() or not os.access(path, os.W_OK):
        raise BadUsage(f"expected {option} to name a writable folder, got {str(path)!r}")
