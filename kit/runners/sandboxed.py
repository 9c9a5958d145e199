"""Runs bots in the arena's own sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.supervise import PlayingProcess
from sandbox import Level, Stage
from sandbox.uploads import Upload, inspect

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from referee.job import Job


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
