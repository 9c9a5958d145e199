"""Runs steps: those of a queue wait for each other, and queues run side by side."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sandbox.autogroup import TOO_SOON_SECONDS, set_group_nice
from tests import servers
from tests.prepared import SHARED
from tools.run import accounting
from tools.run.coverage_floor import DATA, measured
from tools.run.report import Outcome, counted, rule, words
from tools.run.steps import ROOT, Lane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.run.steps import Queue, Step

# pytest's exit code for "no tests collected".
NO_TESTS = 5
GRACE_SECONDS = 20
LOW = 10
LOW_PRIORITY = ("nice", "-n", str(LOW))
TRIES = 20
INTERRUPTED = "interrupted"


class Interrupted(Exception):
    """We were told to end."""


class Processes:
    """The processes of the steps that run now, ended together when we are told to end."""

    def __init__(self, shared: str) -> None:
        """`shared` is a folder for what one step makes and others can use."""
        self.shared = shared
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self.told_to_end = False

    def run(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        out: IO[bytes] | None,
        *,
        yields: bool = False,
    ) -> tuple[int, float]:
        """The exit code of a command, and the seconds that processors spent on it and on all that it started
        (`tools.run.accounting`); whatever it started is gone then. It `yields` to all others if asked to.
        Raises Interrupted."""
        with accounting.counting() as group:
            with self._lock:
                if self.told_to_end:
                    raise Interrupted
                process = subprocess.Popen(
                    [*_counted(group), *command],
                    cwd=ROOT,
                    env=environment,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,
                )
                self._running.add(process)
            try:
                if yields:
                    _yield(process.pid)
                _, status, used = os.wait4(process.pid, 0)
                process.returncode = os.waitstatus_to_exitcode(status)
            finally:
                with self._lock:
                    self._running.discard(process)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            if self.told_to_end:
                raise Interrupted
            waited_for = used.ru_utime + used.ru_stime
            # A group that could be made, but not entered, counted nothing.
            return process.returncode, max(group.seconds(), waited_for) if group else waited_for

    def end(self) -> None:
        """Ask every step to end, and end what does not with every process that it started."""
        with self._lock:
            self.told_to_end = True
            running = list(self._running)
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        deadline = time.monotonic() + GRACE_SECONDS
        for process in running:
            while process.returncode is None and time.monotonic() < deadline:
                time.sleep(0.05)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _counted(group: accounting.Group | None) -> tuple[str, ...]:
    """A program that enters the group and becomes the words after it, so that nothing goes uncounted."""
    enter = '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"'
    return () if group is None else ("sh", "-c", enter, str(group.entrance))


def _yield(session: int) -> None:
    """Have a step's session yield: between sessions, the niceness of processes may count for nothing
    (`sandbox.autogroup`)."""
    for _ in range(TRIES):
        if set_group_nice(session, LOW):
            return
        time.sleep(TOO_SOON_SECONDS)


def run(queues: Sequence[Queue], rest: Sequence[str], coverage: Path | None = None) -> list[Outcome]:
    """Run the queues side by side; what came of their steps, in the order in which they ended.

    With a folder for ``coverage``, the steps put there what they covered.

    A step that never runs beside another shows what it prints as it prints it. Otherwise its lines are shown
    when it has ended.
    """
    shared = tempfile.TemporaryDirectory(prefix="crapette-shared-")
    processes = Processes(shared.name)
    outcomes: list[Outcome] = []
    waiting = [(deque(queue.steps), min(queue.width, len(queue.steps))) for queue in queues]
    followers = [steps for steps, width in waiting for _ in range(width)]

    def follow(steps: deque[Step]) -> None:
        while not processes.told_to_end:
            try:
                step = steps.popleft()
            except IndexError:
                return
            outcomes.append(_shown(step, rest, processes, coverage, beside_others=len(followers) > 1))

    with shared, ThreadPoolExecutor(max(len(followers), 1)) as pool:
        followed = [pool.submit(follow, steps) for steps in followers]
        try:
            wait(followed)
        except KeyboardInterrupt:
            processes.end()
    for follower in followed:
        follower.result()
    return outcomes


def _shown(
    step: Step, rest: Sequence[str], processes: Processes, coverage: Path | None, *, beside_others: bool
) -> Outcome:
    """Run a step and show what it prints."""
    if not beside_others:
        print(rule(step.name), flush=True)
        return run_step(step, rest, processes, None, coverage)
    with tempfile.TemporaryFile() as out:
        outcome = run_step(step, rest, processes, out, coverage)
        out.seek(0)
        said = out.read().decode(errors="replace").strip()
    ended = f"{step.name}: {'passed' if outcome.ok else 'FAILED'} after {outcome.seconds:.0f} s"
    print(f"{rule(ended)}\n{said}", flush=True)
    return outcome


def run_step(
    step: Step,
    rest: Sequence[str],
    processes: Processes,
    out: IO[bytes] | None,
    coverage: Path | None = None,
) -> Outcome:
    """Run one step with the servers it needs; whatever goes wrong is its outcome, never an exception."""
    begun = time.monotonic()
    try:
        with contextlib.ExitStack() as stack:
            made = tempfile.TemporaryDirectory(prefix="crapette-step-", ignore_cleanup_errors=True)
            folder = Path(stack.enter_context(made))
            environment = {**os.environ, "PYTHONPATH": str(ROOT), **step.environment}
            environment |= {"CRAPETTE_DATA": str(folder / "data"), SHARED: processes.shared}
            # Runs of pytest that share a folder for temporary files remove each other's, and fail where two
            # remove the same ones: each step has a folder of its own, and so has what its tests run.
            environment["PYTEST_DEBUG_TEMPROOT"] = str(folder)
            if step.needs_postgresql:
                environment["CRAPETTE_TEST_DATABASE_URL"] = stack.enter_context(servers.postgresql())
            if step.needs_redis:
                environment["CRAPETTE_TEST_REDIS_URL"] = stack.enter_context(servers.redis())
            report = folder / "report.xml"
            program = step.command
            if coverage:
                program = measured(program)
                environment[DATA] = str(coverage / "data")
            yields = step.lane is Lane.COMPUTING and out is not None
            command = [*(LOW_PRIORITY if yields else ()), *program]
            if step.is_pytest:
                command += [f"--junitxml={report}", f"--basetemp={folder / 't'}", *step.narrowed, *rest]
            code, used = processes.run(command, environment, out, yields=yields)
            counts = counted(report)
    except servers.ServerFailed as error:
        return Outcome(step.name, time.monotonic() - begun, str(error))
    except Interrupted:
        return Outcome(step.name, time.monotonic() - begun, INTERRUPTED)
    problem = f"exit code {code}" + (f", {words(counts)}" if counts else "") if code else ""
    if code == NO_TESTS and rest:
        problem = ""
    elif not problem and counts["skipped"]:
        # Everything a test needs has been set up, so a skipped test means something is wrong.
        problem = f"{words(counts)}: no test may skip"
    return Outcome(step.name, time.monotonic() - begun, problem, counts, used, code)
