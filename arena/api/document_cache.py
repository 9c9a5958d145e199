"""The OpenAPI document, written once for each version of the code by a process of its own.

To describe the routes takes half a second and 25 MB, which a process that serves pages has no use for. The
writing process is ``python -m arena.api.document_cache FILE PARENT``.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import json
import logging
import os
import subprocess
import sys
import threading
import time
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import django
from django.conf import settings

from arena.run.children import end_with_parent

log = logging.getLogger(__name__)

NICE: Final = 5
SECONDS: Final = 240
"""The process that writes the document may take this long on a busy machine."""
PACKAGES: Final = ("analysis", "arena", "bots", "engine", "friendlies", "people", "tournaments")
"""What the document may depend on."""

PAUSE_SECONDS: Final = 60
"""After a failure nobody tries again for so long."""

_lock = threading.Lock()
_waiting = threading.Lock()
_failed: list[float] = []


class NotWritten(Exception):
    """The document is being written, or could not be."""


def document() -> dict[str, Any]:
    """The document, for a request. Raises NotWritten.

    After the code has changed the first request waits until it is written. It alone: the threads that answer
    requests are few.
    """
    if _document.cache_info().currsize:
        return _document()
    if not _waiting.acquire(blocking=False):
        raise NotWritten
    try:
        return _written()
    finally:
        _waiting.release()


def _written() -> dict[str, Any]:
    with _lock:
        if _failed and time.monotonic() - _failed[-1] < PAUSE_SECONDS:
            raise NotWritten
        try:
            return _document()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            _failed[:] = [time.monotonic()]
            log.exception("the API's document was not written")
            raise NotWritten from error


def prepare() -> None:
    """Have the document written in the background, if it is not there."""
    threading.Thread(target=_prepare, name="api document", daemon=True).start()


def _prepare() -> None:
    with contextlib.suppress(NotWritten):  # the log says so
        _written()


@cache
def _document() -> dict[str, Any]:
    folder = settings.DATA_DIR / "api"
    path = folder / f"{_version()}.json"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        # Another process may have written it meanwhile.
        for old in {*folder.glob("*.json")} - {path}:
            old.unlink(missing_ok=True)
        command = [
            "nice",
            "-n",
            str(NICE),
            sys.executable,
            "-m",
            "arena.api.document_cache",
            str(path),
            str(os.getpid()),
        ]
        subprocess.run(command, cwd=settings.BASE_DIR, stdin=subprocess.DEVNULL, timeout=SECONDS, check=True)
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def _version() -> str:
    """A digest of the names, sizes and times of the code."""
    digest = hashlib.sha256()
    for name in ("django-ninja", "pydantic"):
        digest.update(importlib.metadata.version(name).encode())
    for package in PACKAGES:
        for folder, inside, files in os.walk(settings.BASE_DIR / package):
            inside[:] = sorted(one for one in inside if one not in ("__pycache__", "static", "migrations"))
            for file in sorted(one for one in files if one.endswith(".py")):
                state = os.stat(f"{folder}/{file}")  # noqa: PTH116 (there are 700 of them)
                digest.update(f"{folder}/{file}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:32]


def write(path: Path, parent: int) -> None:
    """Write the document to this path, whole or not at all. End with the parent process."""
    end_with_parent(parent)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    django.setup()
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    document = import_module("arena.api.application").openapi()
    aside.write_text(json.dumps(document, separators=(",", ":"), ensure_ascii=False), encoding="utf-8")
    aside.replace(path)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
