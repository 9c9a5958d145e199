"""The sandboxed half of ``crapette rerun`` and ``crapette diff``.

Like the playing process, it runs from the stage. Each line of standard input is a `Retold` job; the last
message about each is of type ``result``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kit.retelling import retold, tell
from referee import child
from referee import job as jobs
from referee.log import encode
from referee.sandboxed import spawn_players

if TYPE_CHECKING:
    from referee.child import Lines
    from sandbox import Stage


def tell_all(stage: Stage, lines: Lines) -> None:
    """Tell the games of the jobs on standard input."""
    while (line := lines.next_line()) is not None:
        job = retold(line, jobs.parse(line))
        for message in tell(job, lambda job: spawn_players(job, stage)):
            lines.write(encode(message))
        lines.write(encode({"type": "result"}))


if __name__ == "__main__":
    child.run(tell_all, "job")
