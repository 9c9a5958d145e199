"""``python -m friendlies.opponent.position_moves``: asks a sandboxed bot for its moves in recorded positions.

The first line on standard input is a job with one bot; each line after it is a probe: ``{"variant", "seat",
"question"}``. Each is put to a bot started for it alone, as to one that joins a game in the middle, and
answered by one line:

    {"type": "choice", "choice": "t7-f", "cpu_ms": 9}  its first move or action; "" if it gave up
    {"type": "fault", "termination": …, "cpu_ms": 9}   it broke down, or said nothing of use
    {"type": "infrastructure", "reason": …}            nobody's fault; exit status 75

``cpu_ms`` is the CPU time that the bot used, which does not depend on what else the machine does.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from friendlies.opponent.process import BotQuestion, Opponent
from referee import child
from referee import job as jobs
from referee.clock import MS
from referee.errors import Forfeit
from referee.log import encode
from referee.sandboxed import spawn_players

if TYPE_CHECKING:
    from referee.child import Lines
    from referee.job import Job
    from referee.player import Player
    from sandbox import Stage


def probe(job: Job, asked: dict[str, Any], stage: Stage, lines: Lines) -> dict[str, Any]:
    """What a bot that is started now answers to one question. Raises Infrastructure, Orphaned."""
    seated = replace(job, variant=asked["variant"])
    (bot,) = spawn_players(seated, stage)
    try:
        found = _said(seated, asked, bot, lines)
        return {**found, "cpu_ms": bot.cpu_ns() // MS}
    finally:
        bot.kill()


def _said(job: Job, asked: dict[str, Any], bot: Player, lines: Lines) -> dict[str, Any]:
    try:
        opponent = Opponent(job, asked["seat"], bot, lines.idle)
        opponent.greet()
        said = opponent.answer(BotQuestion(**asked["question"]))
    except Forfeit as forfeit:
        return {"type": "fault", "termination": forfeit.termination.value}
    # A bot may say anything; what is kept of it is one of the moves it was offered.
    choice = "" if said.get("resign") else next(iter(said.get("moves", ())), "")
    return {"type": "choice", "choice": choice if choice in asked["question"]["legal"] else ""}


def probe_all(stage: Stage, lines: Lines) -> None:
    """Answer the probes on standard input. Raises BadJob, Infrastructure, Orphaned."""
    if (line := lines.next_line()) is not None:
        job = jobs.parse(line)
        while (asked := lines.next_line()) is not None:
            lines.write(encode(probe(job, json.loads(asked), stage, lines)))


if __name__ == "__main__":
    child.run(probe_all, "probes")
