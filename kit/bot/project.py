"""An author's folder: its file ``crapette.toml``, and which files of it belong to the bot."""

from __future__ import annotations

import io
import os
import tomllib
import zipfile
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kit.console.command import BadUsage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


NAME: Final = "crapette.toml"


@dataclass(frozen=True, slots=True)
class Project:
    """A bot's name, and the address of the arena it plays in."""

    name: str
    site: str | None = None


def project_of(path: Path) -> Project:
    """The project of a bot's file or folder; without ``crapette.toml`` it has the name of that.

    Raises BadUsage if there is such a file that cannot be understood.
    """
    file = path / NAME
    try:
        path = path.resolve()
        folder = path if path.is_dir() else path.parent
        file = folder / NAME
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Project(folder.name if path.is_dir() or path.stem == "bot" else path.stem)
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else error
        raise BadUsage(f"cannot read {str(file)[:200]!r}: {what}") from None
    name, site = said.get("name"), said.get("site")
    if not isinstance(name, str) or not name:
        raise BadUsage(f'expected a line such as name = "my bot" in {file}, got {name!r}')
    if site is not None and not isinstance(site, str):
        raise BadUsage(f"expected site to be an address in {file}, got {site!r}")
    return Project(name, site)


IGNORE: Final = ".crapetteignore"
"""Names more files and folders that stay at home, one pattern a line: `*.txt`, `notes/`, `data/old-*.bin`."""
FOLDERS_LEFT_OUT: Final = frozenset({"__pycache__", "node_modules", "target", "tests"})
SUFFIXES_LEFT_OUT: Final = frozenset({".c", ".h", ".rs", ".go", ".wat", ".md", ".toml", ".lock"})
SHOWN: Final = 8
NAMES_LEFT_OUT: Final = frozenset({"Makefile", "LICENSE", "build.sh"})
"""Besides these, hidden files and folders stay at home: the sources of executables, tests and caches."""
PATTERNS_LEFT_OUT: Final = (
    *("*.log", "sprt-*.json", "league*.json", "crapette-1000-*.json"),
    "[0-9][0-9][0-9][0-9]*-[0-9].json",
)
"""What the commands write where they run; the last are recorded games (`--replays`)."""


def to_pack(folder: Path) -> Iterator[Path]:
    """Yield the files of a bot's folder. Raises OSError."""
    patterns = (*PATTERNS_LEFT_OUT, *_patterns(folder))
    for path in _own(folder):
        if not _ignored(path.relative_to(folder), patterns):
            yield path


def _patterns(folder: Path) -> list[str]:
    try:
        lines = (folder / IGNORE).read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _ignored(path: Path, patterns: Iterable[str]) -> bool:
    """Whether a pattern fits a file's name or path, or, with a `/` at its end, a folder that it lies in."""
    folders = [parent.as_posix() for parent in path.parents[:-1]]
    names = {path.name, path.as_posix()}
    within = {f"{name}/" for folder in folders for name in (folder, folder.rpartition("/")[2])}
    return any(
        fnmatchcase(name, pattern.removeprefix("/")) for pattern in patterns for name in names | within
    )


def _own(folder: Path) -> Iterator[Path]:
    for top, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in FOLDERS_LEFT_OUT
        )
        for name in sorted(names):
            path = Path(top, name)
            wanted = not name.startswith(".") and name not in NAMES_LEFT_OUT
            if wanted and path.suffix not in SUFFIXES_LEFT_OUT and path.is_file():
                yield path


def not_built(folder: Path) -> str:
    """What to do about a folder that has no files for a bot; empty if it has some."""
    if any(to_pack(folder)):
        return ""
    if (folder / "Makefile").is_file():
        return f"There is no bot in {folder} yet: build it with make -C {folder}."
    sources = sorted(path.name for path in folder.iterdir() if path.suffix in SUFFIXES_LEFT_OUT)
    only = f" It has only {', '.join(sources[:SHOWN])}: compile them first." if sources else ""
    return f"There is no bot.py, bot.js, bot.wasm or bot in {folder}.{only}"


def describe_zip(content: bytes) -> str:
    """What is in a zip, in one line: "2 files, 1.2 kB: bot.py, first.py"."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
    size = sum(member.file_size for member in members) / 1000
    names = ", ".join(member.filename for member in members[:SHOWN])
    more = f" and {len(members) - SHOWN} more" if len(members) > SHOWN else ""
    return f"{len(members)} file{'s' if len(members) != 1 else ''}, {size:.1f} kB: {names}{more}"


def zip_folder(folder: Path) -> bytes:
    """The folder's bot as a zip archive. The same files give the same bytes. Raises OSError."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(to_pack(folder)):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return data.getvalue()


def _raise(error: OSError) -> None:
    raise error
