"""``python -m tests.run``: runs all steps, and lists at the end what failed."""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import servers
from tests.run.report import Outcome, counted, rule, summary, words
from tests.run.steps import ROOT, STEPS, Step, forgotten, groups

# pytest's exit code for "no tests collected".
NO_TESTS = 5
GRACE_SECONDS = 20


def arguments() -> tuple[argparse.Namespace, list[str]]:
    """Return our own options, and the arguments for pytest."""
    parser = argparse.ArgumentParser(
        prog="./crapette test",
        description="Run every check. Other arguments go to pytest, for example -k draw -x.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="STEP",
        help="run only this step or group; may be repeated",
    )
    parser.add_argument("--list", action="store_true", help="list the steps")
    options, rest = parser.parse_known_args()
    options.only = [name for names in options.only for name in names.split(",")]
    known = {step.name for step in STEPS} | set(groups())
    for name in options.only:
        if name not in known:
            parser.error(f"--only: expected one of {', '.join(sorted(known))}, got {name!r}")
    return options, rest


def finish(process: subprocess.Popen[bytes]) -> int:
    """Wait for a step. If we are interrupted, end the step first, with every process it started."""
    try:
        return process.wait()
    except KeyboardInterrupt:
        os.killpg(process.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def run(step: Step, rest: list[str]) -> Outcome:
    """Run one step with the servers it needs. Any error becomes its outcome, never an exception."""
    print(rule(step.name), flush=True)
    begun = time.monotonic()
    try:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crapette-step-")))
            environment = {**os.environ, "PYTHONPATH": str(ROOT), **step.environment}
            environment["CRAPETTE_DATA"] = str(folder / "data")
            if step.needs_postgresql:
                environment["CRAPETTE_TEST_DATABASE_URL"] = stack.enter_context(servers.postgresql())
            if step.needs_redis:
                environment["CRAPETTE_TEST_REDIS_URL"] = stack.enter_context(servers.redis())
            report = folder / "report.xml"
            command = [*step.command]
            if step.is_pytest:
                command += [f"--junitxml={report}", *rest]
            code = finish(subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True))
            counts = counted(report)
    except servers.ServerFailed as error:
        return Outcome(step.name, time.monotonic() - begun, str(error))
    problem = f"exit code {code}" + (f", {words(counts)}" if counts else "") if code else ""
    if code == NO_TESTS and rest:
        problem = ""
    elif not problem and counts["skipped"]:
        # Everything a test needs has been set up, so a skipped test means something is wrong.
        problem = f"{words(counts)}: no test may skip"
    return Outcome(step.name, time.monotonic() - begun, problem, counts)


def main() -> int:
    """Run the requested steps; return 0 if all passed."""
    options, rest = arguments()
    if options.list:
        for step in STEPS:
            print(f"{step.group:<12} {step.name}")
        return 0
    begun = time.monotonic()
    chosen = [step for step in STEPS if not options.only or {step.name, step.group} & set(options.only)]
    outcomes = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for step in chosen:
        try:
            outcomes.append(run(step, rest))
        except KeyboardInterrupt:
            outcomes.append(Outcome(step.name, 0.0, "interrupted"))
            break
    if not options.only and (left := forgotten()):
        outcomes.append(Outcome("no test forgotten", 0.0, f"no step runs {', '.join(left)}"))
    print(summary(outcomes, time.monotonic() - begun), flush=True)
    return 0 if all(outcome.ok for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
