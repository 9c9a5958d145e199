"""``python -m tools.run``: runs all steps, and lists at the end what failed."""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.faults import machine
from tests.programs import answers, clang_makes_wasm
from tools.run import coverage_floor
from tools.run.accounting import busy, seconds, ticks
from tools.run.report import Outcome, rule, summary
from tools.run.step_runner import run
from tools.run.steps import COVERAGE_STEPS, STEPS, Step, forgotten, groups, queues


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
        help="run no check, but measure which lines and branches the tests cover; below a floor it fails",
    )
    parser.add_argument(
        "--thorough",
        action="store_true",
        help="run every check at length, as before a release: ten times the games against the oracle, and"
        " every test of the database on both databases",
    )
    parser.add_argument("--list", action="store_true", help="list the steps")
    options, rest = parser.parse_known_args()
    options.only = [name for names in options.only for name in names.split(",")]
    known = {step.name for step in STEPS} | set(groups())
    for name in options.only:
        if name not in known:
            parser.error(f"--only: expected one of {', '.join(sorted(known))}, got {name!r}")
    if options.coverage and (options.only or options.thorough or rest):
        parser.error("--coverage: expected nothing else, for some of the tests say nothing about the floors")
    return options, rest


def main() -> int:
    """Run the requested steps; return 0 if all passed."""
    options, rest = arguments()
    if options.list:
        for step in STEPS:
            print(f"{step.group:<12} {step.name}")
        return 0
    # A shell that starts us in the background has us ignore the first, and so would every step.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    return _cover() if options.coverage else _check(options.only, rest, thorough=options.thorough)


def _check(only: list[str], rest: list[str], *, thorough: bool) -> int:
    """Run the steps of these names or groups, or all; return 0 if they passed."""
    begun, before = time.monotonic(), ticks()
    chosen = [
        step.thoroughly() if thorough else step
        for step in STEPS
        if (
            {step.name, step.group} & set(only)
            if only
            else not step.on_request and (thorough or not step.at_length)
        )
    ]
    outcomes = _run(chosen, rest)
    if not only and (left := forgotten()):
        outcomes.append(Outcome("no test forgotten", 0.0, f"no step runs {', '.join(left)}"))
    if any(step.name == "integration" for step in chosen):
        for sentence in _untested_templates():
            print(sentence, flush=True)
    if any(step.name == "faults" for step in chosen):
        for sentence in machine.sentences():
            print(sentence, flush=True)
    spent = before, ticks()
    print(summary(outcomes, time.monotonic() - begun, busy(*spent), seconds(*spent)), flush=True)
    return 0 if all(outcome.ok for outcome in outcomes) else 1


def _untested_templates() -> Iterator[str]:
    """The templates of `crapette new` that are not built on this machine, and why."""
    if not answers("rustc"):
        yield "Not tested here: the template for bots in Rust, because there is no rustc."
    if not clang_makes_wasm():
        yield (
            "Not tested here: the template for bots in WebAssembly, because clang cannot build for WASI "
            "(clang, lld, wasi-libc, libclang-rt-N-dev-wasm32)."
        )


def _cover() -> int:
    """Measure what the tests cover; return 0 if every package reaches its floor."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="crapette-coverage-") as folder:
        outcomes = _run(COVERAGE_STEPS, (), Path(folder))
        try:
            found = coverage_floor.reached(Path(folder))
            problems = coverage_floor.too_low(found)
        except coverage_floor.NoCoverage as error:
            found, problems = {}, [str(error)]
    print(rule("coverage of lines and branches"))
    for outcome in outcomes:
        print(f"{outcome.name:<24} {outcome.seconds:7.1f} s  {outcome.processor_seconds:7.1f} s CPU")
    for note in coverage_floor.unmeasured(outcomes):
        print(note)
    if failed := coverage_floor.failed_tests(outcomes):
        print(f"Tests that failed here: {failed}. The run without --coverage says whether that is a fault.")
    print(f"Covered: {coverage_floor.words(found)}")
    for problem in problems:
        print(f"FAILED coverage: {problem}.")
    print(
        rule(f"coverage {'too low' if problems else 'reached'} in {time.monotonic() - begun:.1f}s"),
        flush=True,
    )
    return 1 if problems else 0


def _run(steps: Sequence[Step], rest: Sequence[str], coverage: Path | None = None) -> list[Outcome]:
    """Run steps; what came of each, in the order in which they are listed."""
    places = {step.name: place for place, step in enumerate(steps)}
    return sorted(run(queues(steps), rest, coverage), key=lambda outcome: places[outcome.name])


if __name__ == "__main__":
    sys.exit(main())
