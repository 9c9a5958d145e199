"""How long the first page takes after a start: where nothing is set up yet, and where everything is."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.servers import free_port
from tests.site import ROOT, clean_environment

MOST_SECONDS: Final = 120.0
LOOK_SECONDS: Final = 0.02
LEAVE_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class FirstStart:
    """Seconds until the first page was there, since when the site had listened, and what it printed when."""

    page: float
    listened: float
    lines: list[tuple[float, str]]

    def __str__(self) -> str:
        told = "".join(f"\n  {seconds:6.1f} s  {words}" for seconds, words in self.lines)
        return f"first start: listened after {self.listened:.1f} s, first page after {self.page:.1f} s{told}"


def first_start() -> FirstStart:
    """Start `./crapette up` in a fresh copy of the project, ask for a page and wait for it as a browser does.

    Getting the Python packages is part of it. Raises RuntimeError if there is no page.
    """
    with tempfile.TemporaryDirectory(prefix="crapette-first-") as name:
        copy = Path(name) / "arena"
        _copy_to(copy)
        # What the copy still has to write should not be written while the site starts.
        os.sync()
        return _start(copy, clean_environment())


def second_start(data: Path) -> float:
    """Start `./crapette up` on a data folder where everything is set up; seconds until the first page.

    Raises RuntimeError if there is no page.
    """
    return _start(ROOT, {**clean_environment(), "CRAPETTE_DATA": str(data)}).page


def _start(folder: Path, environment: dict[str, str]) -> FirstStart:
    """Start the site, wait for its first page, and end it. Raises RuntimeError."""
    port = free_port()
    begun = time.monotonic()
    process = subprocess.Popen(
        ["./crapette", "up", "--port", str(port)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    lines: list[tuple[float, str]] = []
    threading.Thread(target=_read, args=(process, begun, lines), daemon=True).start()
    try:
        while not _listens(port):
            if process.poll() is not None or time.monotonic() - begun > MOST_SECONDS:
                raise RuntimeError(f"the site listened nowhere: {lines}")
            time.sleep(LOOK_SECONDS)
        listened = time.monotonic() - begun
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=MOST_SECONDS):
                return FirstStart(time.monotonic() - begun, listened, lines)
        except OSError as error:
            raise RuntimeError(f"the site served no page ({error}): {lines}") from error
    finally:
        _end(process)


def _read(process: subprocess.Popen[str], begun: float, lines: list[tuple[float, str]]) -> None:
    """Note what a site prints, and when."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.append((time.monotonic() - begun, line.strip()))


def _copy_to(folder: Path) -> None:
    """The project's files, without what set-up and builds have made."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for each in names.decode().split("\0"):
        if each and (ROOT / each).is_file():
            (folder / each).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / each, folder / each)


def _listens(port: int) -> bool:
    """Whether connections are taken at this port; the site answers them once it can."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=MOST_SECONDS) as link:
            # The kernel may connect a socket to itself while nobody listens there.
            return bool(link.getsockname() != link.getpeername())
    except OSError:
        return False


def _end(process: subprocess.Popen[str]) -> None:
    """End the site in order, and then whatever it still compiles."""
    process.send_signal(signal.SIGTERM)
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LEAVE_SECONDS)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
