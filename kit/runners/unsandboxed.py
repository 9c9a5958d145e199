"""Runs bots as ordinary programs: no sandbox, no limit on memory, for machines without bubblewrap.

Such a bot can do whatever its user can do. The commands do so only if the author says ``--unsandboxed``.
Where the system tells a process's CPU time cheaply (Linux), clocks count it. Elsewhere they count the time
that an answer takes.
"""

from __future__ import annotations

import contextlib
import json
import runpy
import shutil
import sys
import tempfile
import threading
import weakref
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine
from kit.conformance import check
from kit.console.command import BadUsage
from kit.retelling import Retold, tell
from kit.runners.program import ProgramPlayer
from kit.versions import ROOT
from referee.errors import Infrastructure
from referee.referees import referee_of
from sandbox.model import PYTHONS, WASM_RUNNER
from sandbox.staging import wheels
from sandbox.uploads import MAX_NAME, Upload, UploadError, digest, limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from referee.job import Job, SeatJob

UNSANDBOXED: Final = "unsandboxed"
"""What a record says instead of the sandbox's level."""
START: Final = """
import runpy, sys
sys.path[:0] = sys.argv[2:]
entry = sys.argv[1]
sys.argv[1:] = []
with open(entry, "rb") as file:
    source = file.read()
if b"from crapette import" in source:
    try:
        from crapette import prepare
        prepare(source)
    except Exception:
        pass
del file, source
runpy.run_path(entry, run_name="__main__")
"""
"""What `sandbox/walls/stub.py` does in the sandbox."""


class Open:
    """Keeps bots in a folder of its own while the command runs, and starts them."""

    level = UNSANDBOXED

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="crapette-bots-"))
        # At the end of the program at the latest.
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def inspect(self, name: str, data: bytes) -> Upload:
        """Unpack and check a bot as an upload is, but in this process. Raises UploadError."""
        inspector = runpy.run_path(str(ROOT / "sandbox" / "inspector" / "inspect_upload.py"))
        try:
            language, entry, files = inspector["inspect"](name[:MAX_NAME], data, limits(len(data)))
        except inspector["Refused"] as refused:
            raise UploadError(str(refused)) from None
        return Upload(files, language, entry, digest(files))

    def store_bot(self, sha256: str, files: Mapping[str, bytes], entry: str) -> Path:
        """Unpack a bot and return its folder."""
        target = self._folder / sha256
        for name, content in files.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o755 if name == entry else 0o644)
        return target

    def spawn(self, job: Job) -> list[ProgramPlayer]:
        """Start every seat's bot. Raises Infrastructure; leaves nothing running then."""
        players: list[ProgramPlayer] = []
        with contextlib.ExitStack() as started:
            for seat in job.seats:
                try:
                    players.append(ProgramPlayer(command_of(seat), Path(seat.directory)))
                except OSError as error:
                    raise Infrastructure(f"cannot start {seat.entry}: {error.strerror}") from error
                started.callback(players[-1].kill)
            started.pop_all()
        return players

    def check(self, job: Job, boards: Sequence[str], games: int) -> Iterator[list[dict[str, Any]]]:
        """Try everything with the bot of the job; the messages that a playing process would send."""
        told: list[dict[str, Any]] = []
        for step in check(job, self.spawn, boards, told.append, games):
            yield [*told, {"type": "step", **asdict(step)}]
            told.clear()

    def start_teller(self) -> Teller:
        """Something that tells bots recorded games, one after the other."""
        return Teller(self)

    def start(self) -> UnsandboxedTable:
        """Something to play games at, one after the other."""
        return UnsandboxedTable(self)


class UnsandboxedTable:
    """Plays games in this process, as `referee.supervise.PlayingProcess` does in another."""

    def __init__(self, bots: Open) -> None:
        self._bots = bots
        self._stopped = threading.Event()

    def start(self, job: Job) -> UnsandboxedGame:
        """Begin a game."""
        return UnsandboxedGame(self._bots, job, self._stopped)

    def interrupt(self) -> None:
        """End the game that is being played, soon."""
        self._stopped.set()

    kill = close = interrupt


class Teller:
    """Tells bots recorded games in this process, as ``kit.retelling`` does in another."""

    def __init__(self, bots: Open) -> None:
        self._bots = bots

    def start(self, job: Job) -> Telling:
        """Begin to tell a game."""
        return Telling(self._bots, job)

    def interrupt(self) -> None:
        """Nothing runs in another thread."""

    kill = close = interrupt


class Telling:
    """A game being told. Read it by `batches`; then ``result`` is set."""

    def __init__(self, bots: Open, job: Job) -> None:
        self.result: dict[str, Any] | None = None
        self._bots = bots
        self._job = job

    def batches(self) -> Iterator[list[dict[str, Any]]]:
        """Tell the game, and yield the messages as they come. Raises Infrastructure."""
        assert isinstance(self._job, Retold)  # noqa: S101
        for message in tell(self._job, self._bots.spawn):
            yield [message]
        self.result = {"type": "result"}


class UnsandboxedGame:
    """A game being played. Read it by `batches`; then ``result`` is its result message."""

    def __init__(self, bots: Open, job: Job, stopped: threading.Event) -> None:
        self.result: dict[str, Any] | None = None
        self._bots = bots
        self._job = job
        self._stopped = stopped

    def batches(self) -> Iterator[list[dict[str, Any]]]:
        """Play, and yield the events as they come. Raises Infrastructure."""
        start = engine.Position.parse(self._job.start)
        players = self._bots.spawn(self._job)
        referee = referee_of(start, players, self._job, idle=self._idle)
        try:
            for lines in referee.play():
                yield [json.loads(line) for line in lines]
                self._idle()
            evidence = referee.close()
        finally:
            for player in players:
                player.kill()
        assert referee.result is not None  # noqa: S101
        # As it comes from a playing process: digests of records are of lists, not of tuples.
        self.result = json.loads(
            json.dumps(
                {
                    "type": "result",
                    "result": referee.result.as_dict(),
                    "evidence": [each.as_dict() for each in evidence],
                }
            )
        )

    def _idle(self) -> None:
        if self._stopped.is_set():
            raise Infrastructure("the game was stopped")


def command_of(seat: SeatJob, *, alone: bool = True) -> list[str]:
    """The argv of a bot. Raises BadUsage.

    In Python it has the packages of the sandbox alone, or else all that are installed beside the kit.
    """
    entry = str(Path(seat.directory, seat.entry))
    if seat.language in PYTHONS:
        paths = [seat.directory, str(ROOT / "kit" / "sdk"), str(ROOT)]
        if alone and seat.language == "python-onnx":
            paths += _packages()
        flags = ["-I", "-S", "-B"] if alone else ["-P", "-B"]
        return [sys.executable, *flags, "-X", "utf8", "-c", START, entry, *paths]
    if seat.language == "native":
        if not sys.platform.startswith("linux"):
            raise BadUsage("executables are for Linux on x86-64, and run only there")
        return [entry]
    node = shutil.which("node")
    if node is None:
        raise BadUsage("node is not installed, so JavaScript and WebAssembly bots cannot play")
    runner = [str(ROOT / WASM_RUNNER)] if seat.language == "wasm" else []
    return [node, "--no-warnings", *runner, entry]


def _packages() -> list[str]:
    """Where NumPy and ONNX Runtime are installed. Raises BadUsage."""
    places = wheels.places()
    if not places:
        raise BadUsage("NumPy and ONNX Runtime are not installed: pip install numpy onnxruntime")
    return places
