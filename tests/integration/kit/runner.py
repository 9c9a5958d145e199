"""Runs commands of the kit as their users do, each in a process of its own that has imported everything.

One process imports every command once, and a copy of it runs each. So a run costs a hundredth of a second.
"""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
SERVER: Final = """
import json, os, sys
from importlib import import_module
from kit import cli
for one in cli.COMMANDS:
    import_module(one.module)
for line in sys.stdin:
    asked = json.loads(line)
    pid = os.fork()
    if not pid:
        break
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
else:
    sys.exit()
os.chdir(asked["cwd"])
os.environ.update(asked["env"])
for number, path in enumerate(asked["files"]):
    if path is None:
        os.close(number)
        setattr(sys, ("stdin", "stdout", "stderr")[number], None)
    elif path == "left":  # a pipe that nobody reads
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, number)
    else:
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT if number else os.O_RDONLY), number)
sys.exit(cli.main(asked["words"]))
"""
PRESSES: Final = 6
PATIENCE_S: Final = 10.0
LEFT: Final = "left"
"""In place of a file: whoever read it has left."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str


class Runner:
    """Begins commands and waits for their ends."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = subprocess.Popen(
            [sys.executable, "-P", "-c", SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._asks, self._says = self._server.stdin, self._server.stdout

    def begin(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        *,
        stdin: str | None = os.devnull,
        stdout: str | None = "",
    ) -> int:
        """Begin a command, whose output goes to a file unless it has a place; return its process."""
        for name in ("out", "err"):
            (self.folder / name).unlink(missing_ok=True)
            (self.folder / name).touch()
        files = [stdin, str(self.folder / "out") if stdout == "" else stdout, str(self.folder / "err")]
        asked = {"words": list(words), "env": dict(env), "cwd": str(self.folder), "files": files}
        self._asks.write(json.dumps(asked) + "\n")
        self._asks.flush()
        return int(self._says.readline())

    def end(self) -> Ended:
        status = int(self._says.readline())
        return Ended(status, *((self.folder / name).read_text() for name in ("out", "err")))

    def interrupt(self, process: int) -> Ended:
        """End a command as Ctrl-C does, pressed again while nothing comes of it.

        Python sees a signal that comes between its last look and a read that waits only when that read has
        ended. Raises AssertionError if the command goes on; it is killed then, and the next can be begun.
        """
        for _ in range(PRESSES):
            os.kill(process, signal.SIGINT)
            if select.select([self._says], [], [], PATIENCE_S)[0]:
                return self.end()
        os.kill(process, signal.SIGKILL)
        raise AssertionError(f"expected an end at Ctrl-C, got {self.end()}")

    def close(self) -> None:
        """End the process that the commands are copies of."""
        self._asks.close()
        self._server.wait(30)
        self._says.close()
