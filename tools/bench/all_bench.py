"""``./crapette bench all``: what a game, a page and a start cost beyond what they must, in one table.

Every bench with rows of that table (`tools.bench.tables`) measures them, one after the other, in a process of
its own. The host's speed stands above: times are compared as multiples of a bare interpreter's start. The
exit status is 1 if a gate is missed or a bench failed.

With `--quick` it takes at most ten minutes, and says what it leaves out.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.site import ROOT
from tools.bench.first_start import first_start
from tools.bench.host_speed import HostSpeed
from tools.bench.tables import RatioRow, show

if TYPE_CHECKING:
    from collections.abc import Sequence

QUICK_SECONDS: Final = 570.0
LEAVE_SECONDS: Final = 20.0
FIRST_START_MS: Final = (7_000 / 14, 5_000 / 14)
"""Gate and aim of a first start, in starts of a bare interpreter."""
SITE: Final = "page p95 at 300 pages a second beside 2,000 viewers, play and a killed host"
FIRST: Final = "first page of a first start / bare start, packages in the cache"
BARE: Final = "first page on a bare machine, apt and downloads included"


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a gate was missed or a bench failed."""
    parser = argparse.ArgumentParser(
        prog="./crapette bench all", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="at most ten minutes; long rows are left out")
    parser.add_argument("--rows-of", metavar="BENCH", help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.rows_of:
        rows = importlib.import_module(f"tools.bench.{asked.rows_of}_bench").ratio_rows()
        sys.stdout.write(json.dumps([asdict(row) for row in rows]) + "\n")
        return 0
    # Whoever ends this ends the bench under way, too, and its servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    deadline = time.monotonic() + QUICK_SECONDS if asked.quick else None
    speed = HostSpeed.measure()
    found: list[RatioRow] = []
    failed = False
    for name in benches_with_rows():
        left = None if deadline is None else deadline - time.monotonic()
        try:
            found += rows_of(name, left)
        except RuntimeError as error:
            found.append(RatioRow(f"bench {name}", None, about=f"failed: {error}"))
            failed = True
    if asked.quick:
        found.append(RatioRow(SITE, None, 100, 50, "not measured: needs minutes, ./crapette bench site"))
        found.append(RatioRow(FIRST, None, *FIRST_START_MS, "not measured: needs minutes, leave out --quick"))
    else:
        try:
            first = 1000 * first_start().page
            found.append(RatioRow(FIRST, first / speed.bare_start_ms, *FIRST_START_MS, f"{first:.0f} ms"))
        except RuntimeError as error:
            found.append(RatioRow(FIRST, None, *FIRST_START_MS, f"failed: {error}"))
            failed = True
        sys.stdout.write(f"{SITE}: see the table of ./crapette bench site\n")
        site = subprocess.run([sys.executable, "-m", "tools.bench.site_bench"], cwd=ROOT, check=False)
        failed = failed or bool(site.returncode)
    found.append(RatioRow(BARE, None, 15, 10, "not measured: needs a machine without our packages"))
    return show(found, speed) or int(failed)


def benches_with_rows() -> list[str]:
    """The names of the benches that have rows of the table; those that start whole sites come last."""
    names = [one.name for one in pkgutil.iter_modules([str(Path(__file__).parent)])]
    found = [name.removesuffix("_bench") for name in names if name.endswith("_bench") and _has_rows(name)]
    return sorted(found, key=lambda name: (name == "arena", name))


def _has_rows(module: str) -> bool:
    # Read, not imported: some benches import what only they need.
    return "\ndef ratio_rows(" in Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")


def rows_of(name: str, seconds: float | None) -> list[RatioRow]:
    """The rows of a bench; raises RuntimeError if it fails or takes longer than so many seconds."""
    if seconds is not None and seconds <= 0:
        raise RuntimeError("no time was left")
    process = subprocess.Popen(
        [sys.executable, "-m", "tools.bench.all_bench", "--rows-of", name],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        told, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"it took longer than the {seconds:.0f} s that were left") from None
    finally:
        _end(process)
    if process.returncode:
        raise RuntimeError(f"it ended with {process.returncode}")
    return [RatioRow(**row) for row in json.loads(told.splitlines()[-1])]


def _end(process: subprocess.Popen[str]) -> None:
    """End a bench with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(LEAVE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


if __name__ == "__main__":
    sys.exit(main())
