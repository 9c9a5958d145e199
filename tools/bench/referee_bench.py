"""``./crapette bench referee``: measures the cost of the referee, sandbox included, and of fastchess if it is
installed.

All are pinned to one core and play programs that answer at once, so that only the cost of the runner remains.
Our bots use Python and the SDK, and follow the script of a random game without looking at the question: once
with one message per move, once with one message per reveal or turn (all moves up to the next card turned up).
Fastchess plays two Python programs that follow the script of a chess game. Everything is measured in turn,
one game of each at a time, together with the floor: a line there and back between two Python programs. Two
figures are printed: the elapsed time, which other work on the core stretches, and the CPU time of runner and
bots, which it does not (apart from colder caches).
"""

from __future__ import annotations

import contextlib
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine
import engine.turns.core.whole
from kit.console.command import Parser, count
from referee.job import ClockRule, Job, SeatJob
from referee.supervise import PlayingProcess
from sandbox import Stage
from sandbox.uploads import digest
from tools.bench import game_cost
from tools.bench.host_speed import HostSpeed, PingPong, on_core
from tools.bench.tables import RatioRow
from tools.bench.tables import show as show_ratios

if TYPE_CHECKING:
    from collections.abc import Sequence

BOTS: Final = Path(__file__).parent / "bots"
FASTCHESS_US: Final = 55.6
"""Fastchess on the machine the targets were set on, µs a move that passed on an idle core; compared with our
CPU time where it is not installed."""
TARGETS: Final = {
    "one message a move": (0.35, 0.20),
    "one message a reveal or turn": (0.15, 0.09),
}
START_MS: Final = (40.0, 25.0)
QUICK_GAMES: Final = 7
"""Games of each kind at ``--quick``."""
RIVAL_EVERY: Final = 5
"""Games of ours between two measurements of fastchess."""
CHESS_ENGINE: Final = BOTS / "uci" / "engine.py"
CHESS_GAMES: Final = 20
CHESS_MOVES: Final = 99
"""Full moves of a game: 198 plies."""


@dataclass(frozen=True, slots=True)
class Script:
    """What both seats answer in one game, question by question, and how many plies that is."""

    answers: tuple[tuple[str, ...], tuple[str, ...]]
    plies: int


def script(seed: str, *, batched: bool) -> Script:
    """Play a game of uniformly random moves and note the answers that lead to it.

    Both ways of answering play the same moves; batched, an answer goes on until a card turns up or the turn
    ends.
    """
    game = engine.TurnGame.deal("crapaud", seed)
    dice = random.Random(seed)
    answers: tuple[list[str], list[str]] = ([], [])
    answer: list[str] = []
    while not game.finished:
        seat = game.turn
        move = dice.choice(game.legal_moves())
        event = game.push(move)
        answer.append(move)
        shown = move == "draw" or event.reveal is not None
        if not batched or shown or game.turn != seat or game.finished:
            answers[seat].append(" ".join(answer))
            answer = []
    return Script((tuple(answers[0]), tuple(answers[1])), game.ply)


def seats(stage: Stage, made: Script) -> tuple[SeatJob, SeatJob]:
    """Put the scripted bot with its script on the stage, for both seats."""
    files = {"bot.py": (BOTS / "scripted" / "bot.py").read_bytes()}
    for seat, answers in enumerate(made.answers):
        files[f"seat{seat}.txt"] = "\n".join(answers).encode()
    directory = str(stage.store_bot(digest(files), files, "bot.py"))
    job = SeatJob(directory, "python", "bot.py")
    return job, job


def play(process: PlayingProcess, job: Job) -> dict[str, Any]:
    """Play one game; return its result message."""
    game = process.start(job)
    for _ in game.batches():
        pass
    assert game.result is not None
    ended = game.result["result"]["termination"]
    if ended not in {"win", "stall", "passes"}:
        raise RuntimeError(f"expected the scripted game to end by itself, got {game.result['result']!r}")
    return game.result


@dataclass(frozen=True, slots=True)
class ChessCost:
    """Microseconds a ply of fastchess: the time that passed, and the CPU time of all processes."""

    wall: float
    cpu: float


def fastchess_cost(program: str) -> ChessCost:
    """Let two Python programs that answer at once play a fixed game `CHESS_GAMES` times, one game at a time.

    The time that passed is counted from an engine's first move to its last; from the CPU time is taken what
    as many games of one move need. Raises RuntimeError if the games were not played.
    """
    short, _ = _play_chess(program, 1)
    long, wall = _play_chess(program, CHESS_MOVES)
    return ChessCost(wall, (long - short) * 1e6 / (CHESS_GAMES * (CHESS_MOVES - 1) * 2))


def _play_chess(program: str, moves: int) -> tuple[float, float]:
    """Play the games; return CPU seconds of all, and microseconds a ply."""
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes"
        notes.mkdir()
        command = [program]
        for name in ("one", "two"):
            arguments = f"-I -S {CHESS_ENGINE} {notes}"
            command += ["-engine", f"name={name}", f"cmd={sys.executable}", f"args={arguments}"]
        command += ["-each", "tc=60+1", "-rounds", str(CHESS_GAMES), "-games", "1", "-concurrency", "1"]
        command += ["-maxmoves", str(moves)]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert process.stdout is not None
        said = process.stdout.read().decode("utf-8", "replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        counted = [tuple(map(int, note.read_text().split())) for note in notes.iterdir()]
    if process.returncode or f"Games: {CHESS_GAMES}," not in said or len(counted) != 2:
        raise RuntimeError(f"expected fastchess to play {CHESS_GAMES} games, it said {said[-500:]!r}")
    plies = sum(each for each, _ in counted)
    return used.ru_utime + used.ru_stime, sum(passed for _, passed in counted) / max(1, plies) / 1000


def messages(stage: Stage, games: int, core: int) -> dict[str, Any]:
    """Measure the referee a ply, both ways of answering, fastchess and the floor in turn; medians."""
    program = shutil.which("fastchess")
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in TARGETS}
    rival: list[ChessCost] = []
    floor: list[float] = []
    with on_core(core):
        process, pingpong = PlayingProcess(stage), PingPong()
    with process:
        for number in range(games):
            seed = f"{number + 1:064x}"
            start = str(engine.deal("crapaud", seed))
            for name, batched in zip(TARGETS, (False, True), strict=True):
                made = script(seed, batched=batched)
                message = play(process, Job("crapaud", start, seats(stage, made), ClockRule()))
                asked = sum(map(len, made.answers))
                cpu, wall = message["cpu_us"]["play"], message["wall_us"]["play"]
                found[name].append((cpu / made.plies, wall / made.plies, made.plies / asked))
            with on_core(core):
                floor.append(pingpong.measure())
                if program is not None and number % RIVAL_EVERY == 0:
                    rival.append(fastchess_cost(program))
    pingpong.close()
    return {
        "fastchess": {
            "wall_us_per_ply": statistics.median(each.wall for each in rival),
            "us_per_ply": statistics.median(each.cpu for each in rival),
        }
        if rival
        else None,
        "floor_us": statistics.median(floor),
        "messages": {
            name: {
                "us_per_ply": statistics.median(cpu for cpu, _, _ in each),
                "wall_us_per_ply": statistics.median(wall for _, wall, _ in each),
                "plies_per_message": statistics.fmean(plies for _, _, plies in each),
            }
            for name, each in found.items()
        },
    }


def starts(stage: Stage, games: int, core: int) -> dict[str, float]:
    """Measure from spawning a sandboxed Python bot to its first answer, and whole games a second on one
    core."""
    made = script("1" * 64, batched=True)
    job = Job("crapaud", str(engine.deal("crapaud", "1" * 64)), seats(stage, made), ClockRule())
    first: list[float] = []
    with on_core(core):
        process = PlayingProcess(stage)
    with process:
        play(process, job)
        begun = time.perf_counter()
        for _ in range(games):
            wall = play(process, job)["wall_us"]
            # Both bots start side by side on the one core, so half of the whole is one bot's.
            first.append((sum(wall["spawn"]) + wall["ready"]) / 2000)
        seconds = time.perf_counter() - begun
    return {"start_ms": statistics.median(first), "games_per_second": games / seconds}


def waiting_memory(stage: Stage) -> float:
    """Measure the memory of a waiting sandboxed Python bot, its sandbox included, in MB (proportional set
    size)."""
    files = {"bot.py": (BOTS / "sleeper" / "bot.py").read_bytes()}
    seat = SeatJob(str(stage.store_bot(digest(files), files, "bot.py")), "python", "bot.py")
    job = Job("crapaud", str(engine.deal("crapaud", "1" * 64)), (seat, seat), ClockRule())
    process = PlayingProcess(stage)
    try:
        process.start(job)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and len(_bots_of(process.popen.pid)) < 2:
            time.sleep(0.05)
        time.sleep(0.3)
        return sum(_pss_kb(pid) for pid in _descendants(process.popen.pid)) / 1024 / 2
    finally:
        process.kill()


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += [int(child), *_descendants(int(child))]
    return found


def _bots_of(pid: int) -> list[int]:
    return [each for each in _descendants(pid) if not _descendants(each)]


def _pss_kb(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def measure(games: int) -> dict[str, Any]:
    """Run everything; return the figures."""
    stage = Stage.ensure()
    core = max(os.sched_getaffinity(0))
    found: dict[str, Any] = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}, {platform.release()}",
        "load": os.getloadavg()[0],
        "core": core,
        "engine_compiled": bool(getattr(engine.turns.core.whole, "__file__", "").endswith(".so")),
        **messages(stage, games, core),
        "start": starts(stage, games, core),
        "waiting_bot_mb": waiting_memory(stage),
    }
    rival = found["fastchess"]
    for name, each in found["messages"].items():
        each["target"] = TARGETS[name][0]
        each["round_trips"] = each["us_per_ply"] * each["plies_per_message"] / found["floor_us"]
        each["ratio"] = each["us_per_ply"] / FASTCHESS_US
        if rival is not None:
            each["ratio"] = each["wall_us_per_ply"] / rival["wall_us_per_ply"]
            each["cpu_ratio"] = each["us_per_ply"] / rival["us_per_ply"]
    return found


def ratio_rows() -> list[RatioRow]:
    """What a message, a game and the start of a bot cost, as rows (`tables`)."""
    stage = Stage.ensure()
    core = max(os.sched_getaffinity(0))
    found = messages(stage, QUICK_GAMES, core)
    floor = found["floor_us"]
    rows = []
    for name, each in found["messages"].items():
        message = each["us_per_ply"] * each["plies_per_message"]
        about = f"{message:.1f} µs, floor {floor:.1f}"
        rows.append(RatioRow(f"referee, {name} ÷ a line there and back", message / floor, 2.5, 2.0, about))
    return rows + game_cost.ratio_rows(stage, core)


def show(found: dict[str, Any]) -> None:
    """Print the figures."""
    rival = found["fastchess"]
    compiled = "compiled" if found["engine_compiled"] else "not compiled"
    lines = [
        f"machine: {found['machine']}; engine {compiled}; one core; load {found['load']:.1f}",
        f"floor: {found['floor_us']:.1f} µs of CPU for a line there and back",
        f"fastchess: {rival['wall_us_per_ply']:.1f} µs a ply passed, {rival['us_per_ply']:.1f} of CPU"
        if rival is not None
        else f"fastchess: not installed here; our CPU time is compared with its {FASTCHESS_US} µs elsewhere",
    ]
    for name, each in found["messages"].items():
        first, then = TARGETS[name]
        cpu = f", {each['cpu_ratio']:.2f} by CPU" if rival is not None else ""
        lines.append(
            f"referee, {name} ({each['plies_per_message']:.2f} plies): {each['wall_us_per_ply']:.1f} µs a ply"
            f" passed, {each['us_per_ply']:.1f} of CPU: {each['ratio']:.2f} of fastchess{cpu}"
            f" (target {first}, then {then}); a message is {each['round_trips']:.1f} floors"
        )
    start = found["start"]
    lines += [
        f"start of a sandboxed Python bot to its first answer: {start['start_ms']:.1f} ms"
        f" (target {START_MS[0]:g}, then {START_MS[1]:g})",
        f"whole games, sandboxes included: {start['games_per_second']:.1f} a second on the core",
        f"a waiting Python bot with its sandbox: {found['waiting_bot_mb']:.1f} MB",
    ]
    print("\n".join(lines))  # noqa: T201 (it is what the command is for)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 1 if a target is missed."""
    parser = Parser(prog="crapette bench referee", description=str(__doc__).partition("\n\n")[0])
    parser.add_argument("--games", type=count, default=15, help="games of each kind (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="only the ratios, in a minute")
    given = parser.parse_args(arguments)
    if given.quick:
        return show_ratios(ratio_rows(), HostSpeed.measure())
    found = measure(given.games)
    show(found)
    missed = any(each["ratio"] > each["target"] for each in found["messages"].values())
    return 1 if missed or found["start"]["start_ms"] > START_MS[0] else 0


if __name__ == "__main__":
    sys.exit(main())
