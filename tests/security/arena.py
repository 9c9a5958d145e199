"""Lets the tests, root's included, have attacks run where they belong: on the stage, as the runner."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import Level, Stage, memory_of
from sandbox import as_runner as start_as_runner
from sandbox.staging.stage import PYTHON_FLAGS
from sandbox.uploads import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.security.corpus import Attack

DRIVER = Path(__file__).with_name("driver.py").read_text()
HONEST = b'import sys\n\nfor line in sys.stdin:\n    print("heard", line.strip())\n'
PATIENCE_SECONDS = 60.0


def store(stage: Stage, files: Mapping[str, bytes], entry: str) -> Path:
    """Put a bot on the stage without asking whether it is one."""
    return stage.store_bot(digest(files), files, entry)


def _runner(
    stage: Stage, source: str, environment: Mapping[str, str] | None = None
) -> tuple[list[str], dict[str, Any]]:
    """argv and the arguments of Popen that run Python text from the stage as the runner."""
    command, dropped = start_as_runner([str(stage.python), *PYTHON_FLAGS, "-c", source])
    return command, {
        "env": {**stage.environment, **(environment or {})},
        "cwd": "/",
        "text": True,
        **dropped,
    }


def as_runner(
    stage: Stage,
    source: str,
    feed: str = "",
    *,
    environment: Mapping[str, str] | None = None,
    through: Sequence[str] = (),
) -> str:
    """Run Python text from the stage as the runner; what it prints. Its standard error fails the test.

    `through` is a program with its arguments that starts what comes behind them, as whoever we are.
    """
    command, how = _runner(stage, source, environment)
    done = subprocess.run(
        [*through, *command], input=feed, capture_output=True, timeout=PATIENCE_SECONDS, check=False, **how
    )
    assert done.stderr == "", done.stderr
    assert done.returncode == 0, done.stdout
    return str(done.stdout)


class Driver:
    """A process that runs `driver`, for one attack after the other: starting it costs more than an attack."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._popen: subprocess.Popen[str] | None = None

    def run(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Have it run a job; what it complains of, its end, or its silence fail the test: it is replaced."""
        popen = self._popen or self._started()
        self._popen = popen
        assert popen.stdin is not None
        assert popen.stdout is not None
        try:
            popen.stdin.write(json.dumps(job) + "\n")
            popen.stdin.flush()
            assert select.select([popen.stdout], [], [], PATIENCE_SECONDS)[0], "expected an answer"
            said = popen.stdout.readline()
            assert said.startswith("{"), said + popen.stdout.read()
        except BaseException:
            self.close(patience=0.0)
            raise
        seen: dict[str, Any] = json.loads(said)
        return seen

    def _started(self) -> subprocess.Popen[str]:
        command, how = _runner(self._stage, DRIVER)
        popen: subprocess.Popen[str] = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how
        )
        return popen

    def close(self, patience: float = PATIENCE_SECONDS) -> None:
        """Let it end, and make it end."""
        popen, self._popen = self._popen, None
        if popen is None:
            return
        assert popen.stdin is not None
        assert popen.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            popen.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            popen.wait(patience)
        popen.kill()
        popen.wait()
        popen.stdout.close()


def try_attack(
    attack: Attack,
    level: Level,
    stage: Stage,
    driver: Driver | None = None,
    without: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Run one attack beside an honest opponent, by that driver or one of its own; what it saw."""
    directory = store(stage, {attack.entry: attack.program()}, attack.entry)
    return drive(
        stage,
        driver,
        level=level.value,
        without=sorted(without),
        directory=str(directory),
        language=attack.language,
        entry=attack.entry,
        limits={"memory_bytes": memory_of(attack.language), **attack.limits},
        seconds=attack.seconds,
        feed=attack.feed,
        lines=attack.lines,
        linger=attack.linger,
    )


def drive(stage: Stage, driver: Driver | None = None, **job: Any) -> dict[str, Any]:
    """Have a driver run a job."""
    defaults = {"without": [], "limits": {}, "seconds": 8.0, "feed": 0, "lines": 1, "linger": 0.0}
    honest = store(stage, {"bot.py": HONEST}, "bot.py")
    whole = {**defaults, "honest": str(honest), **job}
    if driver is not None:
        return driver.run(whole)
    with contextlib.closing(Driver(stage)) as own:
        return own.run(whole)
