"""What every command shares: its arguments, and errors that become one sentence and an exit status."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Final, NoReturn

from analysis.errors import CompetitionError
from engine.boards import parse_board
from engine.errors import EngineError
from kit.console.screen import Screen, plain
from referee.errors import Infrastructure
from referee.job import ClockRule
from sandbox import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

USAGE: Final = 2
INFRASTRUCTURE: Final = 75
INTERRUPTED: Final = 130
LONGEST_SECONDS: Final = 86_400


class CommandError(Exception):
    """A command cannot do what it was asked to; the message is one sentence for whoever asked."""


class TryAgain(CommandError):
    """The network or a site failed; the same command may succeed later."""


def run_command(prog: str, work: Callable[[], int]) -> int:
    """Do the work and return its exit status, or that of the error it raises."""
    errors = Screen(errors=True)
    try:
        return work()
    except TryAgain as error:
        errors.say(f"{prog}: {error}")
        return INFRASTRUCTURE
    except (CommandError, CompetitionError, EngineError) as error:
        errors.say(f"{prog}: {error}")
        return USAGE
    except BrokenPipeError:  # whoever reads our output has left: `kit.cli`
        raise
    except (SandboxUnavailable, Infrastructure) as error:
        errors.say(f"{prog}: this machine failed: {error}")
        return INFRASTRUCTURE
    except OSError as error:
        what = f"cannot use {error.filename}: " if error.filename else ""
        errors.say(f"{prog}: {what}{error.strerror or error}")
        return INFRASTRUCTURE
    except KeyboardInterrupt:
        errors.say(f"{prog}: interrupted")
        return INTERRUPTED


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
