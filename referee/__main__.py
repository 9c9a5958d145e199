"""The playing process: jobs on standard input, events and results on standard output, one JSON object a line.

A job a line (`job`), played one after the other. Standard input stays open while it plays: news of remote
seats comes there (`remote`), and its end means that whoever started this process is gone: the bots are killed
and the process exits at once. Trouble that is nobody's loss is the line
``{"type": "infrastructure", "reason": …}`` and exit status 75.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import engine
from referee import child
from referee import job as jobs
from referee.errors import BadJob
from referee.log import encode
from referee.referees import referee_of
from referee.remote import PREFIX, RemoteLink
from referee.sandboxed import spawn_players
from referee.trial import BrokenOff, TrialRule

if TYPE_CHECKING:
    from referee.child import Lines
    from referee.messages import PlayedMessage
    from sandbox import Stage


def play(job: jobs.Job, stage: Stage, lines: Lines) -> None:
    """Play one job and write its events, result and evidence."""
    start = _start(job)
    link = RemoteLink(job, lines)
    players = spawn_players(job, stage, link.players)
    trial = TrialRule(job, lines.idle)
    referee = referee_of(start, players, job, idle=link.watch_seats(trial.idle))
    referee.admit = trial.admit
    begun = ended = cpu = time.monotonic_ns()
    result = None
    try:
        try:
            for batch in referee.play():
                lines.keep(*batch)
                trial.idle()
        except BrokenOff as error:
            if referee.result is None:
                result = referee.broken_off(error.termination, error.detail)
                lines.keep(*referee.unwritten())
        lines.write()  # the result first: it stands, whatever happens while the bots are ended
        ended, cpu = time.monotonic_ns(), time.process_time_ns()
        evidence = referee.close()
    finally:
        for player in players:
            player.kill()
    if result is None:
        assert referee.result is not None  # noqa: S101
        result = referee.result.as_dict()
    said: PlayedMessage = {
        "type": "result",
        "result": result,
        "ready": [asdict(ready) for ready in referee.ready],
        "evidence": [each.as_dict() for each in evidence],
        "trouble": referee.trouble,
        "sandbox": {"level": job.level, "seats": [player.attestation for player in players]},
        "wall_us": {
            "spawn": [player.spawned_us for player in players],
            "ready": (referee.ready_at - begun) // 1000,
            "play": (ended - referee.ready_at) // 1000,
        },
        "cpu_us": {
            "play": (cpu - referee.ready_cpu) // 1000 + referee.bots_cpu_us,
            "bots": referee.bots_cpu_us,
        },
    }
    lines.write(encode(said))


def _start(job: jobs.Job) -> engine.Position:
    """The position that the job begins with. Raises BadJob."""
    try:
        start = engine.Position.parse(job.start)
    except engine.errors.EngineError as error:
        raise BadJob(f"'start': {error}") from error
    if start.variant != job.variant:
        raise BadJob(f"expected a 'start' of {job.variant!r}, got one of {start.variant!r}")
    if start.players != len(job.seats):
        raise BadJob(f"expected {start.players} 'seats', as 'start' has them, got {len(job.seats)}")
    return start


def play_all(stage: Stage, lines: Lines) -> None:
    """Play jobs until standard input ends. Raises BadJob, Infrastructure, Orphaned."""
    while (line := lines.next_line()) is not None:
        if not line.startswith(PREFIX):  # news that came when its game was over
            play(jobs.parse(line), stage, lines)


if __name__ == "__main__":
    child.run(play_all, "job")
