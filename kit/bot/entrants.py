"""Finds the bots named on the command line: house bots, files and folders."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bots.house import HOUSE_BOTS
from kit.bot.project import not_built, to_pack, zip_folder
from kit.console.command import CommandError
from kit.console.screen import plain
from referee.job import SeatJob
from sandbox.uploads import (
    MAX_FILES,
    MAX_UNPACKED_BYTES,
    MAX_UNPACKED_WITH_MODEL,
    REQUIREMENTS,
    UploadError,
    check_size,
    inspect,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    from sandbox.uploads import Upload

    Inspect = Callable[[str, bytes], Upload]

    class Store(Protocol):
        """Where bots are unpacked."""

        def store_bot(self, sha256: str, files: Mapping[str, bytes], entry: str) -> Path:
            """Unpack a bot and return its folder."""


class UnknownEntrant(CommandError, ValueError):
    """A name that is neither a house bot nor a file or folder with a bot."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot that is going to play: its display name and its inspected files."""

    name: str
    upload: Upload
    house: bool

    def seat(self, stage: Store) -> SeatJob:
        """Unpack the bot and return who plays the seat."""
        upload = self.upload
        directory = stage.store_bot(upload.sha256, upload.files, upload.entry)
        return SeatJob(directory=str(directory), language=upload.language, entry=upload.entry)


def find(given: str, inspect: Inspect = inspect) -> Contestant:
    """Return the bot in that file or folder, or the house bot of that name. Raises UnknownEntrant.

    What is there goes before a house bot of the same name, and the command says so.
    """
    path = Path(given)
    there = bool(given) and (os.path.isfile(path) or os.path.isdir(path))  # noqa: PTH112, PTH113 (these raise nothing)
    if there and given in HOUSE_BOTS:
        sys.stderr.write(f"Using {given} in this folder, not the house bot {given}.\n")
    if not there and given in HOUSE_BOTS:
        bot = HOUSE_BOTS[given]
        if not bot.built:
            raise UnknownEntrant(
                f"expected {given!r} to be compiled, but {bot.directory} has no {bot.entry!r}:"
                " only a clone of the arena has it, once gcc is installed"
            )
        return Contestant(given, _inspected(given, bot.directory, inspect), house=True)
    if not there:
        raise UnknownEntrant(
            f"expected a house bot ({', '.join(HOUSE_BOTS)}), a file or a folder, got {given[:200]!r}"
        )
    name = plain(path.resolve().name if path.is_dir() else path.stem)
    return Contestant(name, _inspected(given, path, inspect), house=False)


def find_all(given: list[str], inspect: Inspect = inspect) -> list[Contestant]:
    """Find every bot, and number those with equal names. Raises UnknownEntrant."""
    found: list[Contestant] = []
    for each in given:
        entrant = find(each, inspect)
        same = sum(other.name.partition(" #")[0] == entrant.name for other in found)
        name = f"{entrant.name} #{same + 1}" if same else entrant.name
        found.append(Contestant(name, entrant.upload, entrant.house))
    return found


def _inspected(given: str, path: Path, inspect: Inspect) -> Upload:
    """Inspect a file or folder the way an upload to the site is inspected."""
    try:
        if path.is_dir():
            _check_size(path)
            if problem := not_built(path):
                raise UploadError(problem)
            return inspect(f"{path.resolve().name}.zip", zip_folder(path))
        check_size(path.stat().st_size, path.name)
        return inspect(path.name, path.read_bytes())
    except (UploadError, OSError) as error:
        raise UnknownEntrant(f"{given}: {error}") from error


def _check_size(folder: Path) -> None:
    """Check the size before packing, since somebody may name a whole disk. Raises UploadError, OSError."""
    size = 0
    most = MAX_UNPACKED_WITH_MODEL if (folder / REQUIREMENTS).is_file() else MAX_UNPACKED_BYTES
    for number, path in enumerate(to_pack(folder), start=1):
        size += path.stat().st_size
        if number > MAX_FILES or size > most:
            raise UploadError(f"Expected at most {MAX_FILES} files and {most >> 20} MB, there are more.")
