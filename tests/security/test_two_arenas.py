"""Two arenas of root on one host, whose bots play as different uids."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox import Level, Stage, inspections
from sandbox.staging import store
from tests.security.arena import HONEST, Driver, drive
from tests.security.arena import store as put

if TYPE_CHECKING:
    from collections.abc import Iterator

UIDS = (61500, 61501)


@pytest.fixture
def root() -> Iterator[Path]:
    """A folder of stages that every uid can reach."""
    with tempfile.TemporaryDirectory(prefix="crapette-two-", dir="/var/tmp") as name:
        path = Path(name)
        path.chmod(0o755)
        yield path / "stage"
        store.remove_tree(path / "stage")


def test_two_arenas_with_runners_of_their_own_take_nothing_from_each_other(
    level: Level, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever started last, both play, and neither's runner can enter the other's folders."""
    with contextlib.ExitStack() as kept:
        arenas: dict[int, tuple[Stage, Driver]] = {}

        def plays(uid: int) -> None:
            monkeypatch.setenv("CRAPETTE_RUNNER_UID", str(uid))
            if uid not in arenas:
                stage = Stage.ensure(root)
                arenas[uid] = stage, kept.enter_context(contextlib.closing(Driver(stage)))
            stage, driver = arenas[uid]
            bot = put(stage, {"bot.py": HONEST}, "bot.py")
            job = {"level": level.value, "directory": str(bot), "language": "python", "entry": "bot.py"}
            seen = drive(stage, driver, **job)
            assert seen.get("heard") == ["heard go"], seen
            with inspections.place(root, 10.0) as place:
                folders = {bot.parent, place.parent}
            for folder in folders:
                about = folder.stat()
                assert stat.S_IMODE(about.st_mode) & 0o007 == 0
                assert os.geteuid() != 0 or about.st_gid == uid

        for uid in (*UIDS, *UIDS):
            plays(uid)
