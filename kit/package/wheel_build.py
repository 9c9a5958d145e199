"""Builds what a site serves to authors: the sources, and wheels of them for this kind of machine.

No wheel in plain Python is among them: pip takes any wheel before sources, so it would take that one wherever
the sources compile.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kit.package import tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DIGEST: Final = "DIGEST"
WHEELS: Final = ("exact", "abi3")
"""For the site's own Python, which is fastest, and by the stable ABI for every later one."""
BACKEND: Final = "import sys; from setuptools import build_meta as b; getattr(b, sys.argv[1])(sys.argv[2])"


class BuildFailed(Exception):
    """The package could not be built; the message says why and ends with what the builder printed."""


def is_built(target: Path) -> bool:
    """Whether the folder holds the package of the project as it is now, compiled with the same flags."""
    try:
        return (target / DIGEST).read_text(encoding="utf-8") == _digest()
    except OSError:
        return False


def build(target: Path, version: str) -> None:
    """Build the package into the folder, which then holds nothing else.

    The wheels are built from the packed sources alone, so these lack nothing; without a C compiler there are
    none. Whoever reads the folder meanwhile finds the former files or the new ones. Raises BuildFailed.
    """
    digest = _digest()
    stamp = time.strftime("%Y%m%d%H%M%S", time.gmtime())
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".kit-", dir=target.parent) as scratch:
        source, made = Path(scratch, "tree"), Path(scratch, "made")
        made.mkdir(mode=0o755)
        tree.write(source, f"{version}+{stamp}")
        _run(source, "build_sdist", made)
        for kind in WHEELS if has_compiler() else ():
            source = _unpacked(made, Path(scratch, kind))
            _run(source, "build_wheel", made, {"CRAPETTE_BUILD": kind})
        (made / DIGEST).write_text(digest, encoding="utf-8")
        _put_in_place(made, target)


def has_compiler() -> bool:
    """Whether this Python's C compiler, or that of the environment, is here."""
    command = os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")
    return shutil.which(shlex.split(command)[0]) is not None


def _unpacked(made: Path, target: Path) -> Path:
    """Unpack the sources that were just packed, and return their folder."""
    (packed,) = made.glob("*.tar.gz")
    shutil.unpack_archive(packed, target)
    (folder,) = target.iterdir()
    return folder


def _digest() -> str:
    compiled = f"compiled {os.environ.get('CFLAGS', '')}".rstrip() if has_compiler() else "sources"
    return f"{tree.digest()} {sys.implementation.cache_tag} {sys.platform} {compiled}"


def _run(source: Path, what: str, target: Path, environment: Mapping[str, str] | None = None) -> None:
    """Have setuptools build; the same interpreter and packages as ours, and nothing fetched."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", BACKEND, what, str(target)],
        cwd=source,
        env={**os.environ, "PYTHONPATH": "", "SOURCE_DATE_EPOCH": "1767225600", **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        raise BuildFailed(f"{what} ended with status {done.returncode}:\n{done.stdout[-2000:]}")


def _put_in_place(made: Path, target: Path) -> None:
    """Exchange the folders by renaming."""
    with _lock(target):
        old = target.with_name(f"{target.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        if target.exists():
            target.rename(old)
        made.rename(target)
        shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def _lock(target: Path) -> Iterator[None]:
    """Let one process exchange the folders at a time."""
    import fcntl  # noqa: PLC0415 (sites run on Linux; authors of bots, who do not build, run anywhere)

    with target.with_name(f"{target.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
