"""``python -m arena.run.embedded``: what ``./crapette up`` runs once everything is installed."""

import argparse
import fcntl
import gc
import logging
import os
import socket
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from arena import env
from arena.run.children import Child
from arena.run.embedded.address import FIRST_PORT, NoAddress, listen, reachable_names, url
from arena.run.embedded.folder import DataFolder, FolderUnusable
from arena.run.embedded.progress import StartProgress

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


BASE_DIR = Path(__file__).resolve().parents[3]


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="./crapette up", description="Serve the site and play its tournaments, in one process."
    )
    parser.add_argument(
        "--port", type=_port, help="listen on this port (default: 8000, or the next free one)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="listen on this address (default: %(default)s; 0.0.0.0 means all)"
    )
    parser.add_argument(
        "--build-kit",
        action="store_true",
        help="also build the package that authors install, if it is not up to date",
    )
    return parser.parse_args(words)


def _port(text: str) -> int:
    """Parse a port number; 0 means any free port."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)


def main() -> int:
    """Run the site until a signal comes, and return the exit code of the process."""
    begun = time.monotonic()
    options = arguments()
    progress = StartProgress()
    try:
        if env.text("CRAPETTE_MODE", "embedded") != "embedded":
            raise ImproperlyConfigured(
                "./crapette up runs the embedded site. Unset CRAPETTE_MODE, or start the"
                " processes of the Procfile."
            )
        folder = DataFolder(env.folder("CRAPETTE_DATA", BASE_DIR / "var"))
        folder.take()
        bound = listen(options.host, options.port)
    except (FolderUnusable, NoAddress, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if options.port is None and (port := bound.getsockname()[1]) != FIRST_PORT:
        progress.say(f"Port {FIRST_PORT} is taken, so the site uses port {port}.")
    address = url(options.host, bound)
    folder.describe(f"process {os.getpid()}, {address}")
    os.environ.setdefault("CRAPETTE_HOSTS", ",".join(reachable_names(options.host)))
    os.environ.setdefault("CRAPETTE_URL", address)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    # Reading the code takes both processes most of their start, so they do it side by side.
    worker = Child("arena.run.embedded.worker")
    worker.start()
    from sandbox import inherited_signals  # noqa: PLC0415 (the worker need not wait for it, and does the same)

    inherited_signals.accept()
    return run(progress, SiteStart(address, bound, begun, options.build_kit), worker)


@dataclass(frozen=True, slots=True)
class SiteStart:
    """Where the site is to listen, since when it is being started (a monotonic time), and whether it also has
    the kit built."""

    address: str
    bound: socket.socket
    begun: float
    build_kit: bool


def run(progress: StartProgress, start: SiteStart, worker: Child) -> int:
    """Do everything that needs Django, from the tables to the end of the last process."""
    # What is read now stays for good: looking through it for garbage again and again takes a tenth of it.
    gc.disable()
    import django  # noqa: PLC0415 (the settings read what main() put into the environment)

    try:
        django.setup()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        return 1
    from analysis import lazy_numpy  # noqa: PLC0415
    from arena.api import document_cache  # noqa: PLC0415
    from arena.run.embedded.site import (  # noqa: PLC0415
        EmbeddedSite,
        NotPrepared,
        Server,
    )

    site = EmbeddedSite(progress, start.address, worker, start.begun)
    site.at_leisure(document_cache.prepare)
    site.at_leisure(lazy_numpy.load)
    if start.build_kit:
        site.at_leisure(lambda: build_later(BASE_DIR))
    server = Server("arena.asgi:application", site.announce)
    server.watch_signals()
    code = 0
    try:
        site.start()
        site.prepare(lambda: server.should_exit)
        if not server.should_exit:
            gc.enable()
            server.run(sockets=[start.bound])
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        code = 1
    except NotPrepared:
        code = 1
    except Exception:
        traceback.print_exc()
        code = 1
    if not code:
        progress.say("\nStopping. Games in progress continue at the next start.")
    if not site.stop():
        sys.stderr.write("Some work did not end in time. The next start will pick it up again.\n")
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    # Some threads may still be waiting. Nothing is lost, because the database has everything.
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
