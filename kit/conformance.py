"""The sandboxed half of ``./crapette check-bot``: tries out step by step what a bot must do.

Like the playing process, it runs from the stage. Standard input is one job (``seats`` has one bot;
``variant`` and ``start`` are ignored), the arguments are the variants, and standard output is one step per
line.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from kit.talking import Failed, start_of, talk_about
from referee import job as jobs
from referee.choosing import referee_of
from referee.errors import BadJob, Infrastructure
from referee.log import encode
from referee.sandboxed import spawn_players
from sandbox import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TELL_S: Final = 1.0
OWN_END: Final = frozenset({"win", "stop", "stall", "passes", "draw-agreed", "resignation"})


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried. ``verdict`` is "pass", "warn" (allowed, but take a look) or "fail"."""

    verdict: str
    title: str
    detail: str = ""
    stderr: str = ""
    stderr_bytes: int = 0


def check(job: jobs.Job, stage: Stage, variants: Sequence[str]) -> Iterator[Step]:
    """Try everything and yield the steps. A failing step ends its conversation."""
    [player] = spawn_players(job, stage)
    talk = talk_about(variants[0])(player, job.start_seconds, variants[0])
    title = ""
    try:
        for title, step in talk.steps():
            found = step()
            yield Step("warn" if found.startswith("! ") else "pass", title, found.removeprefix("! "))
    except Failed as failed:
        player.kill()
        left = player.close()
        yield Step("fail", title, failed.detail, left.stderr, left.stderr_bytes)
        return
    finally:
        player.kill()
    for variant in variants:
        yield _game(job, stage, variant)


def _game(job: jobs.Job, stage: Stage, variant: str) -> Step:
    """Have the bot play a whole game against itself."""
    start = start_of(variant)
    title = f"plays a game of {variant} against itself"
    table = jobs.Job(
        variant=variant,
        start=str(start),
        seats=job.seats * start.players,
        clock=job.clock,
        level=job.level,
        memory_mb=job.memory_mb,
        start_seconds=job.start_seconds,
    )
    players = spawn_players(table, stage)
    try:
        telling = _Telling(title)
        referee = referee_of(start, players, table, idle=telling)
        for lines in referee.play():
            telling.plies += len(lines)
            telling()
        evidence = referee.close()
    finally:
        for player in players:
            player.kill()
    result = referee.result
    assert result is not None  # noqa: S101
    memory = max(each.max_rss_kb for each in evidence) / 1024
    used = f"{result.plies} plies, {max(result.cpu_ms)} ms of CPU, {memory:.0f} MB"
    if result.termination.value in OWN_END:
        return Step("pass", title, f"{result.termination.value}: {used}")
    detail = f"{result.termination.value}: {result.detail} ({used})"
    if result.seat is None:
        return Step("fail", title, detail)
    left = evidence[result.seat]
    return Step("fail", title, detail, left.stderr, left.stderr_bytes)


class _Telling:
    """Reports once a second how far a game is, so that a slow bot does not look like a check that hangs."""

    def __init__(self, title: str) -> None:
        self.plies = 0
        self._title = title
        self._begun = self._told = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self._told >= TELL_S:
            self._told = now
            seconds = now - self._begun
            state = {"type": "playing", "title": self._title, "ply": self.plies, "seconds": seconds}
            print(encode(state), flush=True)  # noqa: T201


def main() -> int:
    """Check the bot of the job on standard input."""
    try:
        job = jobs.parse(sys.stdin.readline())
        for step in check(job, Stage.ensure(), sys.argv[1:] or ["crapaud"]):
            print(encode({"type": "step", **asdict(step)}), flush=True)  # noqa: T201
    except Infrastructure as error:
        print(encode({"type": "infrastructure", "reason": str(error)}), flush=True)  # noqa: T201
        return 75
    except BadJob as error:
        print(f"bad job: {error}", file=sys.stderr)  # noqa: T201
        return 2
    print(encode({"type": "result"}), flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
