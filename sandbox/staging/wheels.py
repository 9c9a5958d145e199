"""Copies NumPy and ONNX Runtime to memory, for bots of the language ``python-onnx`` alone.

The arena installs them in a folder of their own (`FOLDER`), where nothing else imports them from. Whoever
installed the kit brings their own: there they are the packages that the interpreter finds.

<memory>/wheels/<digest>/packages/numpy, onnxruntime …   what such bots import
                        /lib/libstdc++.so.6 …            the shared libraries these need, beyond Python's
                        /cpuinfo, /cpu/                  one processor, for libraries that count them
                        /MANIFEST                        source, size and time of every file
               /of-<key>                                 a link to the newest copy of one installation

The link lets a process that has been playing for long find what was installed since it started.
"""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sandbox.errors import SandboxUnavailable
from sandbox.staging import image, store
from sandbox.staging.store import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SETTING: Final = "CRAPETTE_ONNX"
LINK: Final = "CRAPETTE_WHEELS"
"""Where the playing process, which has another interpreter, finds the copy."""
FOLDER: Final = Path(sys.prefix) / "python-onnx"
"""Where ``./crapette`` installs them: in the virtual environment, but on nobody's path."""
PACKAGES: Final = ("numpy", "onnxruntime")
LAYOUT: Final = "1"
"""Increase this whenever the content of the copies changes."""
PROCESSORS: Final = {
    "cpuinfo": "processor\t: 0\n",
    "cpu/online": "0\n",
    "cpu/possible": "0\n",
    "cpu/present": "0\n",
}
"""Without these ONNX Runtime complains, and on a large host it starts threads, which the filter refuses."""
SYSTEM_LINKS: Final = {"/proc/cpuinfo": "cpuinfo", "/sys/devices/system/cpu": "cpu"}
"""Where libraries look for them, and what in the copy that is."""
# Nothing that a bot imports, and a third of the size. The interpreter's module has the runtime within itself.
LEFT_OUT: Final = frozenset(
    {
        *("tests", "__pycache__", "include", "f2py", "distutils", "_pyinstaller"),
        *("backend", "datasets", "quantization", "tools", "transformers"),
    }
)
NOT_NEEDED: Final = "libonnxruntime.so"
COPIED: Final = (".py", ".so", ".txt")
ROOM: Final = 2
ADVICE: Final = (
    f"run ./crapette install again and give {image.SETTING} 200 MB more, or set {SETTING}=off; "
    "with the kit: pip install onnxruntime"
)


def is_offered(environ: Mapping[str, str]) -> bool:
    """Whether the operator offers the language. Raises `SandboxUnavailable` for a setting nobody knows."""
    setting = environ.get(SETTING) or "on"
    if setting not in ("on", "off"):
        raise SandboxUnavailable(f"expected {SETTING} to be 'on' or 'off', got {setting!r}")
    return setting == "on"


def link(memory: Path, environ: Mapping[str, str]) -> Path:
    """The link to the newest copy of what this installation has. It may not be there."""
    key = hashlib.sha256(sys.prefix.encode()).hexdigest()[:16]
    return Path(environ.get(LINK) or memory / "wheels" / f"of-{key}")


def current(memory: Path, environ: Mapping[str, str]) -> Path | None:
    """The copy that bots use now, kept while this process lives; None if there is none."""
    if not is_offered(environ):
        return None
    try:
        copy = link(memory, environ).resolve(strict=True)
        store.hold(copy)
    except OSError:
        return None
    return copy


def ensure(memory: Path, environ: Mapping[str, str], python: Path) -> Path | None:
    """Copy what is installed, unless that was done, and return the copy. Nobody finds it before `use`.

    None if there is nothing to copy or no room for it: all other bots can play then, and a probe warns.
    `python` is the interpreter of bots, whose own libraries need no second copy.
    """
    found = _installed() if is_offered(environ) else {}
    if not found:
        return None
    target = memory / "wheels" / _digest(found)
    try:
        if not target.exists():
            if not _has_room(memory, found):
                return None
            _build(target, found, python)
        store.hold(target)
    except OSError:  # also if it was cleaned away this moment: the next call builds it again
        return None
    return target


def use(target: Path, memory: Path, environ: Mapping[str, str]) -> None:
    """Make a copy the newest one, in one step. Raises FileNotFoundError if it has been cleaned away."""
    name = link(memory, environ)
    if name.is_symlink() and name.readlink() == Path(target.name):
        return
    new = name.with_name(f"{store.BUILDING}link-{os.getpid()}-{os.urandom(4).hex()}")
    new.symlink_to(target.name)
    new.rename(name)


def _has_room(memory: Path, files: Mapping[str, Path]) -> bool:
    """Whether the files fit, compiled modules and as much again for what plays meanwhile included."""
    about = os.statvfs(memory)
    return about.f_bavail * about.f_frsize > ROOM * sum(path.stat().st_size for path in files.values())


def system_links(copy: str) -> list[tuple[Path, Path]]:
    """The (link, target) pairs by which libraries find the processors of a copy at this path."""
    return [(Path(link), Path(copy, name)) for link, name in SYSTEM_LINKS.items()]


def version(package: str) -> str:
    """The version of an installed package; empty if it is not installed."""
    places = [str(FOLDER)] if FOLDER.is_dir() else sys.path
    for place in places:
        for about in Path(place).glob(f"{package}-*.dist-info"):
            return about.name.removesuffix(".dist-info").partition("-")[2]
    return ""


def places() -> list[str]:
    """The folders from which a program that is not contained can import the packages; none without them."""
    folders = [_folder_of(package) for package in PACKAGES]
    return list(dict.fromkeys(str(folder.parent) for folder in folders if folder)) if all(folders) else []


def _installed() -> dict[str, Path]:
    """Path in `packages` to the file that belongs there, for every file; nothing if a package is missing."""
    files: dict[str, Path] = {}
    for package in PACKAGES:
        folder = _folder_of(package)
        if folder is None:
            return {}
        for top in (folder, folder.with_name(f"{package}.libs")):
            files |= {path.relative_to(folder.parent).as_posix(): path for path in _files(top)}
    return files


def _folder_of(package: str) -> Path | None:
    if FOLDER.is_dir():
        folder = FOLDER / package
        return folder if folder.is_dir() else None
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _files(top: Path) -> Iterator[Path]:
    for directory, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in names:
            if (name.endswith(COPIED) or ".so." in name) and not name.startswith(NOT_NEEDED):
                yield Path(directory, name)


def _digest(files: Mapping[str, Path]) -> str:
    total = hashlib.sha256(f"{LAYOUT}\n{sys.version}\n".encode())
    for name, path in sorted(files.items()):
        about = path.stat()
        total.update(f"{name}\t{about.st_size}\t{about.st_mtime_ns}\n".encode())
    return total.hexdigest()[:32]


def _build(target: Path, files: Mapping[str, Path], python: Path) -> None:
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    building = target.parent / f"{store.BUILDING}{os.getpid()}-{os.urandom(4).hex()}"
    try:
        for name, source in files.items():
            _copy(source, building / "packages" / name)
        for library in _libraries(files, python):
            _copy(library, building / "lib" / library.name)
        for name, text in PROCESSORS.items():
            _write(building / name, text.encode())
        listed = (f"{name}\t{path}" for name, path in sorted(files.items()))
        _write(building / MANIFEST, "\n".join((*listed, "")).encode())
        for directory, _, _ in os.walk(building, topdown=False):
            Path(directory).chmod(0o555)
            store.freeze_access_time(Path(directory))
        building.rename(target)
    except OSError:  # another process was first, or there is no room
        store.remove_tree(building)
        if not target.exists():
            raise


def _libraries(files: Mapping[str, Path], python: Path) -> list[Path]:
    """The system's libraries that the packages need, but the interpreter does not."""
    there = {path.name for path in (*files.values(), *image.libraries_of([python]))}
    needed = image.libraries_of([path for path in files.values() if path.suffix not in (".py", ".txt")])
    return list({path.name: path for path in needed if path.name not in there}.values())


def _copy(source: Path, copy: Path) -> None:
    """Copy a file, and compile it if it is a module: a bot cannot write what it compiled."""
    copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    shutil.copyfile(source, copy)
    copy.chmod(0o444)
    store.freeze_access_time(copy)
    if copy.suffix == ".py":
        name = f"__pycache__/{copy.stem}.{sys.implementation.cache_tag}.pyc"
        _write(copy.parent / name, _compiled(copy))


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o444)
    store.freeze_access_time(path)


def _compiled(path: Path) -> bytes:
    """A module as a .pyc (PEP 552) that is never compared with its source."""
    source = path.read_bytes()
    code = compile(source, f"{path.parent.name}/{path.name}", "exec", dont_inherit=True)
    return (
        importlib.util.MAGIC_NUMBER
        + (0b01).to_bytes(4, "little")
        + importlib.util.source_hash(source)
        + marshal.dumps(code)
    )
