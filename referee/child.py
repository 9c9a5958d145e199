"""What all processes that run bots have in common.

They work on lines from standard input until it ends, and their exit status says what went wrong.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final, NoReturn

from referee.errors import BadJob, Infrastructure
from referee.lines import Lines, Orphaned
from referee.log import encode
from sandbox import Stage, signals

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.messages import InfrastructureMessage

EXIT_BAD_JOB: Final = 2
EXIT_ORPHANED: Final = 3
EXIT_INFRASTRUCTURE: Final = 75


def run(work: Callable[[Stage, Lines], None], kind: str) -> NoReturn:
    """Work until standard input ends, and exit; `kind` says what a bad job is called in the complaint."""
    signals.accept()
    lines = Lines()
    try:
        work(Stage.ensure(), lines)
    except Infrastructure as error:
        failed: InfrastructureMessage = {
            "type": "infrastructure",
            "reason": str(error),
            "seat": error.seat,
        }
        lines.write(encode(failed))
        sys.exit(EXIT_INFRASTRUCTURE)
    except BadJob as error:
        sys.stderr.write(f"bad {kind}: {error}\n")
        sys.exit(EXIT_BAD_JOB)
    except Orphaned:
        os._exit(EXIT_ORPHANED)  # the players were closed on the way here
    sys.exit(0)
