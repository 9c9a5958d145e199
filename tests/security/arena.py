"""Lets the tests, root's included, have attacks run where they belong: on the stage, as the runner."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import Level, Stage, memory_of, runner_identity
from sandbox import as_runner as start_as_runner
from sandbox.staging.stage import PYTHON_FLAGS
from sandbox.uploads import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.security.corpus import Attack

DRIVER = Path(__file__).with_name("driver.py").read_text()
FORKER = """
import json, os, sys, traceback
from sandbox import Stage

Stage.ensure()


def run(source):
    try:
        exec(compile(source, "<source>", "exec"), {"__name__": "__main__"})
    except SystemExit as leaving:
        return int(leaving.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


for line in sys.stdin:
    job = json.loads(line)
    given, *said = files = [os.memfd_create("job") for _ in range(3)]
    os.write(given, job["feed"].encode())
    os.lseek(given, 0, os.SEEK_SET)
    child = os.fork()
    if child == 0:
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        sys.stdin = open(0, closefd=False)
        code = run(job["source"])
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    _, status = os.waitpid(child, 0)
    out, error = (os.pread(file, os.fstat(file).st_size, 0).decode() for file in said)
    for file in files:
        os.close(file)
    print(json.dumps({"out": out, "error": error, "code": os.waitstatus_to_exitcode(status)}), flush=True)
"""
"""Runs each job in a process of its own, forked from one that has imported and checked everything."""
PRELUDE = """
import json, os, signal, sys, time
from pathlib import Path
from sandbox import *
from sandbox import zygote
from sandbox.launch import start
from sandbox.plan import SandboxPlan
from sandbox.walls import bubblewrap

job = json.loads(sys.stdin.readline())
stage = Stage.ensure()


def soon(seconds=60.0):
    return time.monotonic() + seconds


def planned(directory, language="python", entry="bot.py", level=None, without=(), make=SandboxPlan):
    program, level = Program(Path(directory), language, entry), Level(level or job["level"])
    return make(program, BotLimits(), level, stage, frozenset(without))


def started(*place, verify=True, **how):
    return start(planned(*place, **how), verify=verify)


def heard(bot, words=b"word"):
    bot.send(words + b"\\n", soon())
    return bot.read_line(soon()).decode()


def tell(found):
    print(json.dumps(found))
"""
"""What the texts begin with that tests run as the runner."""
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

    `through` is a program with its arguments that starts what comes behind them, as whoever we are. Where
    there is neither that nor an environment, a process that imported the sandbox before forks one for it.
    """
    if environment or through:
        command, how = _runner(stage, source, environment)
        done = subprocess.run(
            [*through, *command],
            input=feed,
            capture_output=True,
            timeout=PATIENCE_SECONDS,
            check=False,
            **how,
        )
        out, error, code = done.stdout, done.stderr, done.returncode
    else:
        ended = helper(stage, FORKER).run({"source": source, "feed": feed})
        out, error, code = ended["out"], ended["error"], ended["code"]
    assert error == "", error
    assert code == 0, out
    return str(out)


def ask_runner(stage: Stage, source: str, job: Mapping[str, Any], **how: Any) -> Any:
    """The JSON that a text behind the prelude tells of a job."""
    return json.loads(as_runner(stage, PRELUDE + source, json.dumps(job) + "\n", **how))


class Helper:
    """A process that does one job after the other: starting it costs more than a job."""

    def __init__(self, stage: Stage, source: str) -> None:
        self._stage = stage
        self._source = source
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
        command, how = _runner(self._stage, self._source)
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


_helpers: dict[tuple[object, ...], Helper] = {}


def helper(stage: Stage, source: str, *, exposed: bool = False) -> Helper:
    """The one process of the stage that runs this text; one of its own for what is `exposed` to attacks."""
    key = stage.path, runner_identity(), source, exposed
    if key not in _helpers:
        _helpers[key] = Helper(stage, source)
    return _helpers[key]


def close_helpers() -> None:
    """End all of them."""
    while _helpers:
        _helpers.popitem()[1].close()


def try_attack(
    attack: Attack, level: Level, stage: Stage, without: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Run one attack beside an honest opponent; what the driver saw."""
    directory = store(stage, {attack.entry: attack.program()}, attack.entry)
    return drive(
        stage,
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


def drive(stage: Stage, **job: Any) -> dict[str, Any]:
    """Have the driver run a job. Where a layer is left out, that is another driver than for all others."""
    defaults = {"without": [], "limits": {}, "seconds": 8.0, "feed": 0, "lines": 1, "linger": 0.0}
    honest = store(stage, {"bot.py": HONEST}, "bot.py")
    whole = {**defaults, "honest": str(honest), **job}
    return helper(stage, DRIVER, exposed=bool(whole["without"])).run(whole)
