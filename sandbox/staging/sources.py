"""What a stage consists of: the code of everything that plays, read once and compiled."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import marshal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable
from sandbox.staging.store import MANIFEST
from sandbox.walls.filters import build_filters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SOURCE = Path(__file__).resolve().parents[2]
PLAYER = ("engine", "kit/sdk", "sandbox/wasm")
RUNNER = (
    *PLAYER,
    "bots/__init__.py",
    "bots/house",
    "friendlies/__init__.py",
    "friendlies/opponent",
    "kit/__init__.py",
    "kit/conformance*",
    "kit/retelling*",
    "referee",
    "sandbox",
)
CORES = ("engine/turns/core", "engine/ticks/core")
COMPILED = {"player": CORES, "runner": (*CORES, "referee/turns", "sandbox")}
"""The folders of modules that are compiled where there is a compiler."""
LEFT_OUT = frozenset({"__pycache__", "tests", "bench"})
NOT_RUN = frozenset({".c", ".html", ".pyc", ".pxd", ".md"})


@dataclass(frozen=True, slots=True)
class Copy:
    """A file to be staged. It is read once, because the checkout may change meanwhile."""

    content: bytes
    executable: bool


def collect_sources() -> dict[str, Copy]:
    """Path on the stage to what is to be there, compiled modules and the manifest left out."""
    chosen: dict[str, Copy] = {}
    for tree, patterns in (("player", PLAYER), ("runner", RUNNER)):
        for pattern in patterns:
            for top in sorted(SOURCE.glob(pattern)):
                for path in _files(top):
                    executable = bool(path.stat().st_mode & 0o111)
                    chosen[f"{tree}/{path.relative_to(SOURCE)}"] = Copy(path.read_bytes(), executable)
        compiled = {name.rpartition("/")[0] for name in chosen if name.endswith(".so")}
        if not compiled.issuperset(f"{tree}/{folder}" for folder in COMPILED[tree]):
            chosen[f"{tree}/cython.py"] = Copy(_pure_mode().read_bytes(), executable=False)
    for name, program in build_filters().items():
        chosen[f"filters/{name}"] = Copy(program, executable=False)
    return chosen


def _pure_mode() -> Path:
    """The one module of Cython that its uncompiled sources import: what plays finds no installed packages."""
    # The package that authors install has a copy of that module by the name under which it is imported.
    name = "Cython.Shadow" if importlib.util.find_spec("Cython") is not None else "cython"
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SandboxUnavailable("the engine is not compiled, and Cython is not installed to run it as it is")
    return Path(spec.origin)


def _files(top: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
        return
    for path in sorted(top.rglob("*")):
        parts = path.relative_to(SOURCE).parts
        if LEFT_OUT.isdisjoint(parts) and path.is_file() and _wanted(path):
            yield path


def _wanted(path: Path) -> bool:
    if path.suffix == ".so":
        return any(path.name.endswith(suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    return path.suffix not in NOT_RUN


def digest(sources: Mapping[str, Copy]) -> str:
    """The name of the stage: a hash of all that is on it, and of the Python that compiled it."""
    # The filters are part of the hash: the code in memory builds them, and it may differ from the code on
    # disk.
    total = hashlib.sha256(f"{sys.version}\n{sys.implementation.cache_tag}\n".encode())
    for name, copy in sources.items():
        total.update(f"{name}\n{len(copy.content)} {copy.executable}\n".encode())
        total.update(copy.content)
    return total.hexdigest()[:32]


def executables(sources: Mapping[str, Copy]) -> Iterator[str]:
    """The paths of what is run as a program."""
    return (name for name, copy in sources.items() if copy.executable)


def contents(sources: Mapping[str, Copy]) -> dict[str, bytes]:
    """Path and content of every file of the stage, with compiled modules and the manifest."""
    files = {name: copy.content for name, copy in sources.items()}
    for name, copy in sources.items():
        if name.endswith(".py") and not name.startswith("runner/bots/house/"):
            directory, _, base = name.rpartition("/")
            compiled = f"{directory}/__pycache__/{base[:-3]}.{sys.implementation.cache_tag}.pyc"
            files[compiled] = _compiled(copy.content, name)
    files["stub.pyc"] = _compiled(sources["runner/sandbox/walls/stub.py"].content, "stub.py")
    files[MANIFEST] = manifest_of(files)
    return files


def _compiled(source: bytes, name: str) -> bytes:
    """Compile a module to a .pyc (PEP 552) that is never compared with its source, since copies have new
    times."""
    code = compile(source, name, "exec", dont_inherit=True)
    unchecked = (0b01).to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(source) + marshal.dumps(code)


def manifest_of(files: Mapping[str, bytes]) -> bytes:
    """The sha256 and path of every file, a line each."""
    lines = (f"{hashlib.sha256(content).hexdigest()} {name}\n" for name, content in sorted(files.items()))
    return "".join(lines).encode()
