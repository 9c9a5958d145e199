"""What every command does around its work: errors become one sentence and an exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from analysis.errors import CompetitionError
from engine.errors import EngineError
from kit.arguments import BadUsage
from kit.entrants import UnknownEntrant
from kit.record_sources import SourceUnreachable, Unreadable
from kit.screen import Screen
from kit.site import SiteRefused, SiteUnreachable
from kit.tokens import TokensUnusable
from referee.errors import Infrastructure
from sandbox import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable

USAGE: Final = 2
INFRASTRUCTURE: Final = 75
INTERRUPTED: Final = 130


def run_command(prog: str, work: Callable[[], int]) -> int:
    """Do the work and return its exit status, or that of the error it raises."""
    errors = Screen(errors=True)
    try:
        return work()
    except (SiteUnreachable, SourceUnreachable) as error:
        errors.say(f"{prog}: {error}")
        return INFRASTRUCTURE
    except (
        UnknownEntrant,
        BadUsage,
        SiteRefused,
        TokensUnusable,
        Unreadable,
        CompetitionError,
        EngineError,
    ) as error:
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
