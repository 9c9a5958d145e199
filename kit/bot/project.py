"""The file ``crapette.toml`` of an author's bot: what the commands need to know of it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kit.console.arguments import BadUsage

if TYPE_CHECKING:
    from pathlib import Path

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
