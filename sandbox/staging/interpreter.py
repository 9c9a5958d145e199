"""Finds the programs that run the bots, and the files they need to read."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

USR = Path("/usr")
LOADERS = (Path("/lib64/ld-linux-x86-64.so.2"),)
"""What the kernel starts programs by. It is named in them, so that no image can hold it."""
WITH_WASI = (18, 17)
"""The first version of node that needs no option for WASI."""
OLD_NODE = "node is older than 18.17, so WebAssembly bots cannot play"
NODE_PATHS = (Path("/usr/bin/node"), Path("/usr/local/bin/node"), Path("/usr/bin/nodejs"))
# Left out of a copied interpreter: nothing a bot or the referee imports, and most of its size.
NOT_COPIED = shutil.ignore_patterns(
    *("site-packages", "test", "tests", "idlelib", "tkinter", "ensurepip", "lib2to3", "turtledemo"),
    *("config-*", "*.a", "pydoc_data", "pkgconfig"),
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A program and what it reads. `prefix` is what it is installed in when that is not /usr."""

    executable: Path
    prefix: Path | None
    reads: tuple[str, ...]
    """Beneath which paths a bot may open files."""
    trees: tuple[Path, ...] = ()
    """What it needs beside itself and its shared libraries."""
    library_path: str = ""

    def within(self, image: Path) -> Interpreter:
        """The same, as it lies in an image of the host's paths (see `image`)."""
        reads = [f"{image}{Path(path).resolve()}" for path in self.reads]
        libraries = ":".join(dict.fromkeys(filter(None, (f"{image}{self.library_path}", *reads))))
        return Interpreter(
            Path(f"{image}{self.executable}"),
            image,
            (*dict.fromkeys(reads), *map(str, LOADERS)),
            library_path=libraries,
        )

    def environment(self) -> dict[str, str]:
        """The environment variables it needs to find its shared libraries."""
        return {"LD_LIBRARY_PATH": self.library_path} if self.library_path else {}


def base_python() -> Interpreter:
    """Return the interpreter below our virtual environment, as it is installed."""
    executable = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    stdlib = Path(
        sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix})
    )
    shared = bool(sysconfig.get_config_var("Py_ENABLE_SHARED"))
    prefix = Path(sys.base_prefix).resolve()
    if executable.is_relative_to(USR):
        local = USR / "local"
        library_path = f"{prefix}/lib" if shared and executable.is_relative_to(local) else ""
        lib64 = str(stdlib).replace("/lib/", "/lib64/", 1)
        reads = tuple(filter(None, (str(stdlib), lib64, *_library_directories(), library_path)))
        return Interpreter(executable, None, reads, (stdlib,), library_path)
    library_path = f"{prefix}/lib" if shared else ""
    reads = (f"{prefix}/lib", *_library_directories())
    return Interpreter(executable, prefix, reads, (stdlib,), library_path)


def node() -> Interpreter | None:
    """Return node as a system package installed it, or None."""
    for path in NODE_PATHS:
        if path.exists():
            executable = path.resolve()
            if executable.is_relative_to(USR):
                reads = (str(executable), "/usr/share/nodejs", *_library_directories())
                return Interpreter(executable, None, reads, (Path("/usr/share/nodejs"),))
    return None


def has_wasi() -> bool:
    """Whether node is installed and runs programs for WASI, as it does from `WITH_WASI` on."""
    found = node()
    if found is None:
        return False
    return _version(found.executable, found.executable.stat().st_mtime_ns) >= WITH_WASI


@cache
def _version(program: Path, _changed_ns: int) -> tuple[int, ...]:
    """What a program says when it is asked for its version: 20 ms, once for each that is installed."""
    said = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False, env={})
    return tuple(map(int, re.findall(r"\d+", said.stdout)))


def native() -> Interpreter:
    """Return the interpreter of a static executable, which needs nothing."""
    return Interpreter(Path("/"), None, ())


def _library_directories() -> tuple[str, ...]:
    machine = os.uname().machine
    return (f"/usr/lib/{machine}-linux-gnu", "/usr/lib64", f"/lib/{machine}-linux-gnu", "/lib64")


def readable_by_everyone(path: Path) -> bool:
    """Whether any uid may read `path`, by the mode bits of it and of every directory above."""
    if not path.exists():
        return False
    mode = path.stat().st_mode
    if not mode & 0o004 or (path.is_dir() and not mode & 0o001):
        return False
    return all(parent.stat().st_mode & 0o001 for parent in path.parents)


def copy_python(python: Interpreter, pythons: Path) -> Interpreter:
    """Copy an interpreter that others cannot read to `pythons`, once, and return the copy."""
    prefix = python.prefix
    assert prefix is not None  # noqa: S101  (only those outside /usr are copied)
    stamp = f"{python.executable}\n{python.executable.stat().st_mtime_ns}\n{sys.version}"
    target = pythons / hashlib.sha256(stamp.encode()).hexdigest()[:16]
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not target.exists():
        building = pythons / f".building-{os.getpid()}-{os.urandom(4).hex()}"
        (building / "bin").mkdir(parents=True)
        shutil.copy2(python.executable, building / "bin" / name)
        shutil.copytree(prefix / "lib" / name, building / "lib" / name, ignore=NOT_COPIED)
        for library in (prefix / "lib").glob("libpython*.so*"):
            shutil.copy2(library, building / "lib" / library.name)
        _let_everyone_read(building)
        try:
            building.rename(target)
        except OSError:  # another process was first
            shutil.rmtree(building)
    return Interpreter(
        target / "bin" / name,
        target,
        (f"{target}/lib", *_library_directories()),
        (target / "lib" / name,),
        f"{target}/lib" if python.library_path else "",
    )


def _let_everyone_read(tree: Path) -> None:
    for directory, _, files in os.walk(tree):
        Path(directory).chmod(0o755)
        for name in files:
            path = Path(directory, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)
