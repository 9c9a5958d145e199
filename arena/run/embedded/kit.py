"""Builds the package that authors install, once the site serves and nothing else compiles."""

import fcntl
import subprocess
import sys
import threading
from pathlib import Path

LOCK = ".crapette.lock"
"""Held by `./crapette` while it sets up, and for as long as it compiles the engine in the background."""
LOG = Path("build") / "kit.log"
NICE = "19"


def build_later(project: Path) -> threading.Thread:
    """The thread that has the kit of this project built, with what time others leave."""
    thread = threading.Thread(target=_build, args=(project,), name="kit", daemon=True)
    thread.start()
    return thread


def _build(project: Path) -> None:
    with (project / LOCK).open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    log = project / LOG
    log.parent.mkdir(exist_ok=True)
    with log.open("wb") as out:
        command = ["nice", "-n", NICE, sys.executable, "-m", "kit.package"]
        done = subprocess.run(
            command, cwd=project, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode > 0:
        sys.stderr.write(f"Could not build the kit for authors. See {LOG}.\n")
