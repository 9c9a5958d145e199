"""The sandboxed half of ``crapette rerun`` and ``crapette diff``.

Like the playing process, it runs from the stage. Each line of standard input is a `Retold` job; the last
message about each is of type ``result``.
"""

from __future__ import annotations

import sys
from typing import Any

from kit.retelling import retold, tell
from referee import job as jobs
from referee.errors import BadJob, Infrastructure
from referee.log import encode
from referee.sandboxed import spawn_players
from sandbox import Stage


def say(message: dict[str, Any]) -> None:
    """Write a line for the command."""
    print(encode(message), flush=True)


def main() -> int:
    """Tell the games of the jobs on standard input."""
    try:
        stage = Stage.ensure()
        for line in sys.stdin:
            job = retold(line, jobs.parse(line))
            for message in tell(job, lambda job: spawn_players(job, stage)):
                say(message)
            say({"type": "result"})
    except Infrastructure as error:
        say({"type": "infrastructure", "reason": str(error)})
        return 75
    except BadJob as error:
        print(f"bad job: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
