"""The sandboxed half of ``crapette check-bot``.

Like the playing process, it runs from the stage. Standard input is one job (``seats`` has one bot;
``variant`` and ``start`` are ignored), the arguments are the number of games and the boards, and standard
output is one step per line.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from kit.conformance import check
from referee import job as jobs
from referee.errors import BadJob, Infrastructure
from referee.log import encode
from referee.sandboxed import spawn_players
from sandbox import Stage


def say(message: dict[str, Any]) -> None:
    """Write a line for the command."""
    print(encode(message), flush=True)


def main() -> int:
    """Check the bot of the job on standard input."""
    try:
        job = jobs.parse(sys.stdin.readline())
        stage = Stage.ensure()
        games, *boards = sys.argv[1:] or ["1", "crapaud"]
        for step in check(job, lambda job: spawn_players(job, stage), boards, say, int(games)):
            say({"type": "step", **asdict(step)})
    except Infrastructure as error:
        say({"type": "infrastructure", "reason": str(error)})
        return 75
    except BadJob as error:
        print(f"bad job: {error}", file=sys.stderr)
        return 2
    say({"type": "result"})
    return 0


if __name__ == "__main__":
    sys.exit(main())
