"""How long the first page takes on a machine that has the system's packages and nothing else of ours."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from tests.servers import free_port
from tests.site import ROOT, clean_environment

MOST_SECONDS: Final = 120.0
LOOK_SECONDS: Final = 0.02
LEAVE_SECONDS: Final = 20.0


def first_page_seconds() -> float:
    """Seconds from `./crapette up` in a fresh copy of the project until its first page is answered.

    Getting the Python packages is part of it. Raises RuntimeError if there is no page.
    """
    with tempfile.TemporaryDirectory(prefix="crapette-first-") as name:
        copy = Path(name) / "arena"
        _copy_to(copy)
        port = free_port()
        log = Path(name) / "log"
        with log.open("wb") as out:
            begun = time.monotonic()
            process = subprocess.Popen(
                ["./crapette", "up", "--port", str(port)],
                cwd=copy,
                env=clean_environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        try:
            while not _answers(port):
                if process.poll() is not None or time.monotonic() - begun > MOST_SECONDS:
                    raise RuntimeError(f"a first start served no page:\n{log.read_text(errors='replace')}")
                time.sleep(LOOK_SECONDS)
            return time.monotonic() - begun
        finally:
            _end(process)


def _copy_to(folder: Path) -> None:
    """The project's files, without what set-up and builds have made."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for each in names.decode().split("\0"):
        if each and (ROOT / each).is_file():
            (folder / each).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / each, folder / each)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            return bool(answer.status == 200)
    except urllib.error.HTTPError:
        return False
    except OSError:
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the site in order, and then whatever it still compiles."""
    process.send_signal(signal.SIGTERM)
    try:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(LEAVE_SECONDS)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
