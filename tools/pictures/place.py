"""A running site that `tools.pictures.data` has filled."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.browser.conftest import switch_captcha
from tests.captcha_service import captcha_service
from tests.prepared import Prepared
from tests.site import ROOT, RunningSite, clean_environment

if TYPE_CHECKING:
    from collections.abc import Iterator

MAKE: Final = """
import json
from tools.pictures.data import make
print(json.dumps(make()))
"""
RUNNING: Final = "/games/?status=running"


class NotFilled(Exception):
    """The site could not be filled; the text is what Python said."""


@dataclass(frozen=True)
class Place:
    """The site: where it is, what was made for the pictures, and the cookie of each who looks."""

    url: str
    made: dict[str, str]
    cookies: dict[str, str]


@contextmanager
def kept_or_temporary(kept: Path | None) -> Iterator[Path]:
    """The folder for a site: the one that is kept, or one that is gone after the block."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="crapette-place-") as folder:
        yield Path(folder)


@contextmanager
def place(folder: Path) -> Iterator[Place]:
    """Start a site in a folder, made and filled there unless it was before; it ends with the block.

    Raises NotFilled.
    """
    filled = _filled(folder)
    with captcha_service() as captcha:
        # The sign-up has a captcha, and a token that the service never gave is refused.
        switch_captcha(folder / "data", on=True)
        # No program answers for the remote bots, which would be set offline if they were asked to play.
        games = {"GAMES_AT_ONCE": 1, "REMOTE_GAMES_AT_ONCE": 0}
        site = RunningSite(folder / "data", {**games, **captcha.environment})
        try:
            site.wait_until_ready()
            made = {**filled["made"], "running_game": _running_game(site)}
            yield Place(site.url, made, filled["cookies"])
        finally:
            site.kill()


def _filled(folder: Path) -> dict[str, Any]:
    """What was made in the site in this folder."""
    known = folder / "made.json"
    if not known.exists():
        (folder / "prepared").mkdir(exist_ok=True)
        shutil.rmtree(folder / "data", ignore_errors=True)
        known.write_text(json.dumps(_fill(Prepared(folder / "prepared").copy(folder / "data"))))
    found: dict[str, Any] = json.loads(known.read_text())
    return found


def _fill(data: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "--no-imports", "-c", MAKE],
        cwd=ROOT,
        env={**clean_environment(), "CRAPETTE_DATA": str(data)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NotFilled(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _running_game(site: RunningSite) -> str:
    """A game that is being played."""

    def look() -> str | None:
        found = re.search(r"/games/([0-9a-f-]{36})/", site.get(RUNNING)[1])
        return found and found[1]

    return site.until(look, "a game to be played")
