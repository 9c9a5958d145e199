"""The file in which a command keeps its games, so that the same command can continue from them later."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from analysis.formats.matches import MatchRule
from kit.console.command import BadUsage
from kit.console.output_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SAVE_EVERY: Final = 20
"""The file is written each time this many games have finished."""


def load_saved(
    path: Path | None, option: str, check: Callable[[dict[str, Any]], object]
) -> dict[str, Any] | None:
    """What an earlier run kept in the file; None if there is no file, or an empty one.

    Args:
        path: the file of ``option``, such as ``crapette sprt --save``.
        option: what writes such files, for the error.
        check: reads all that the command needs, and raises whatever that raises where it is missing.

    Raises:
        BadUsage: the file was written by something else.
    """
    if path is None or not path.exists() or not path.stat().st_size:
        return None
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        check(found)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadUsage(
            f"expected a file that {option} wrote, got {str(path)!r}: {type(error).__name__}: {error}"
        ) from None
    return found


def agree(path: Path | None, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise BadUsage, with the first difference, if games with other settings are in the file."""
    for name, value in now.items():
        if before.get(name) != value:
            raise BadUsage(
                f"to continue {path}, expected the same {name}: {_told(name, before.get(name))},"
                f" got {_told(name, value)}. Give the same settings, or a new file."
            )


def keep(path: Path, document: object, indent: int | None = None) -> None:
    """Write the file completely or not at all, as JSON that `load_saved` reads."""
    write_whole(path, json.dumps(document, indent=indent).encode() + b"\n")


def free_file(name: str) -> Path:
    """A JSON file in this folder that does not exist yet, named after ``name``."""
    clean = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)
    numbered = itertools.chain([clean], (f"{clean}-{number}" for number in itertools.count(2)))
    return next(path for path in (Path(f"{one}.json") for one in numbered) if not path.exists())


def _told(name: str, value: Any) -> str:
    """A setting as it is given on the command line, or its raw value if the file holds something else."""
    try:
        if name == "clock" and not isinstance(value, str):
            bank, increment = value.values() if isinstance(value, dict) else value
            return f"{bank / 1000:g}+{increment / 1000:g}"
        if name == "bots":
            pairs = [tuple(bot.values()) if isinstance(bot, dict) else bot for bot in value]
            return ", ".join(f"{bot} ({sha256[:8]})" for bot, sha256 in pairs)
        if name == "rule":
            return f"a match {MatchRule(**value).words}" if value else "no match"
    except (TypeError, ValueError, AttributeError):
        pass
    return repr(value)
