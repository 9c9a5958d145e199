"""Builds the package that authors install, once the site serves and nothing else compiles."""

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

LOCK = ".crapette.lock"
"""Held by `./crapette` while it sets up, and for as long as it compiles the engine in the background."""
LOG = Path("build") / "kit.log"
NICE = "19"
BUILD: Final = """
import runpy, sys
from arena.run.children import end_with_parent
end_with_parent(int(sys.argv.pop()))
runpy.run_module("kit.package", run_name="__main__")
"""
"""A site that is killed leaves no build beside that of the next one."""


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
        command = ["nice", "-n", NICE, sys.executable, "-c", BUILD, str(os.getpid())]
        done = subprocess.run(
            command, cwd=project, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode > 0:
        sys.stderr.write(f"Could not build the kit for authors. See {LOG}.\n")
