"""The author's choice of where bots run, from the command line: in the arena's own sandbox or outside one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, Protocol

from kit.console.screen import Screen
from kit.runners.unsandboxed import Open
from kit.versions import warn_uncompiled
from referee.supervise import PlayingProcess
from sandbox import Level, SandboxUnavailable, Stage
from sandbox.uploads import Upload, inspect

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from referee.job import Job
    from sandbox.uploads import Upload


class Contained:
    """The stage of this code, and what runs from it. Raises SandboxUnavailable if there can be none."""

    def __init__(self, level: str | None = None) -> None:
        self.level: str = level or Level.of_operator().value
        self._stage = Stage.ensure()

    def inspect(self, name: str, data: bytes) -> Upload:
        """Unpack and check a bot as an upload is, in the sandbox. Raises UploadError."""
        return inspect(name, data, level=Level(self.level), stage=self._stage)

    def store_bot(self, sha256: str, files: Mapping[str, bytes], entry: str) -> Path:
        """Unpack a bot and return its folder."""
        return self._stage.store_bot(sha256, files, entry)

    def check(self, job: Job, boards: Sequence[str], games: int) -> Iterator[list[dict[str, Any]]]:
        """Try everything with the bot of the job; steps as they end, and how far a game is."""
        with PlayingProcess(self._stage, "kit.conformance", str(games), *boards) as process:
            yield from process.start(job, last=True).batches()

    def start_teller(self) -> PlayingProcess:
        """A process that tells bots recorded games (`kit.retelling`), one after the other."""
        return PlayingProcess(self._stage, "kit.retelling")

    def start(self) -> PlayingProcess:
        """A process that plays games, one after the other."""
        return PlayingProcess(self._stage)


OTHERWISE: Final = (
    "Add --unsandboxed to run bots as ordinary programs, which can do whatever you can do; only for bots that"
    " you trust."
)


class GameInProgress(Protocol):
    """A game being played. When its batches end, ``result`` is the result message."""

    result: dict[str, Any] | None

    def batches(self) -> Iterator[list[dict[str, Any]]]:
        """Yield events as they come. Raises Infrastructure."""


class Playing(Protocol):
    """Plays games, one after the other (a `PlayingProcess`, or a `Table` without sandbox)."""

    def start(self, job: Job) -> GameInProgress:
        """Begin a game."""

    def interrupt(self) -> None:
        """End the game being played soon. For calls from another thread."""

    def kill(self) -> None:
        """End it."""

    def close(self) -> None:
        """End it when no game is being played."""


class Runner(Protocol):
    """Where bots are checked, unpacked, tried and played with."""

    level: str

    def inspect(self, name: str, data: bytes) -> Upload:
        """Unpack and check a bot as an upload is. Raises UploadError."""

    def store_bot(self, sha256: str, files: Mapping[str, bytes], entry: str) -> Path:
        """Unpack a bot and return its folder."""

    def check(self, job: Job, boards: Sequence[str], games: int) -> Iterator[list[dict[str, Any]]]:
        """Try everything with the bot of the job."""

    def start_teller(self) -> Playing:
        """Something that tells bots recorded games, one after the other."""

    def start(self) -> Playing:
        """Something that plays games, one after the other."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that `bots_of` reads."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--level",
        choices=[level.value for level in Level],
        help="level of the sandbox (default: CRAPETTE_SANDBOX, or full)",
    )
    which.add_argument(
        "--unsandboxed",
        action="store_true",
        help="run bots as ordinary programs, which can do whatever you can do",
    )


def bots_of(given: argparse.Namespace) -> Runner:
    """Where the author wants bots to run. Raises SandboxUnavailable; there is no way but by their word.

    Says first if bots are slower here than on the site.
    """
    if slow := warn_uncompiled():
        Screen(errors=True).say(slow)
    if given.unsandboxed:
        return Open()
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable(f"the sandbox needs Linux. {OTHERWISE}")
    try:
        return Contained(given.level)
    except SandboxUnavailable as error:
        raise SandboxUnavailable(f"{error}. {OTHERWISE}") from error
