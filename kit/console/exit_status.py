"""What every command does around its work: errors become one sentence and an exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.errors import CompetitionError
from engine.errors import EngineError
from kit.console.screen import Screen
from referee.errors import Infrastructure
from sandbox import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

USAGE: Final = 2
INFRASTRUCTURE: Final = 75
INTERRUPTED: Final = 130


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
