"""``python -m tests.run``: runs all steps, and lists at the end what failed."""

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.programs import answers
from tests.run import coverage_floor
from tests.run.processors import busy, seconds, ticks
from tests.run.report import Outcome, rule, summary
from tests.run.running import INTERRUPTED, run
from tests.run.steps import STEPS, forgotten, groups, queues


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
    parser.add_argument(
        "--coverage",
        action="store_true",
        help="measure coverage by branch as well; a package below its floor fails the run",
    )
    parser.add_argument("--list", action="store_true", help="list the steps")
    options, rest = parser.parse_known_args()
    options.only = [name for names in options.only for name in names.split(",")]
    known = {step.name for step in STEPS} | set(groups())
    for name in options.only:
        if name not in known:
            parser.error(f"--only: expected one of {', '.join(sorted(known))}, got {name!r}")
    if options.coverage and (options.only or rest):
        parser.error("--coverage: expected nothing else, for some of the tests say nothing about the floors")
    return options, rest


def main() -> int:
    """Run the requested steps; return 0 if all passed."""
    options, rest = arguments()
    if options.list:
        for step in STEPS:
            print(f"{step.group:<12} {step.name}")
        return 0
    begun, before = time.monotonic(), ticks()
    chosen = [
        step
        for step in STEPS
        if ({step.name, step.group} & set(options.only) if options.only else not step.on_request)
    ]
    # A shell that starts us in the background has us ignore the first, and so would every step.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    places = {step.name: place for place, step in enumerate(STEPS)}
    with tempfile.TemporaryDirectory(prefix="crapette-coverage-") as folder:
        coverage = Path(folder) if options.coverage else None
        outcomes = sorted(run(queues(chosen), rest, coverage), key=lambda outcome: places[outcome.name])
        if coverage and not any(outcome.problem == INTERRUPTED for outcome in outcomes):
            outcomes.append(_coverage(coverage))
    if not options.only and (left := forgotten()):
        outcomes.append(Outcome("no test forgotten", 0.0, f"no step runs {', '.join(left)}"))
    if any(step.name == "integration" for step in chosen) and not answers("rustc"):
        print("Not tested here: the template for bots in Rust, because there is no rustc.", flush=True)
    spent = before, ticks()
    print(summary(outcomes, time.monotonic() - begun, busy(*spent), seconds(*spent)), flush=True)
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def _coverage(folder: Path) -> Outcome:
    """Print what the measured steps covered together; the outcome says what is below its floor."""
    begun = time.monotonic()
    try:
        found = coverage_floor.reached(folder)
    except coverage_floor.NoCoverage as error:
        return Outcome("coverage", time.monotonic() - begun, str(error))
    print(f"{rule('coverage of lines and branches')}\n{coverage_floor.words(found)}", flush=True)
    return Outcome("coverage", time.monotonic() - begun, "; ".join(coverage_floor.too_low(found)))


if __name__ == "__main__":
    sys.exit(main())
