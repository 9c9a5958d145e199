"""Two arenas of root on one host, whose bots play as different uids."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sandbox import Level, Stage, inspections
from sandbox.staging import store
from tests.security.arena import HONEST, close_helpers, drive
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
        close_helpers()
        store.remove_tree(path / "stage")


def test_two_arenas_with_runners_of_their_own_take_nothing_from_each_other(
    level: Level, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages: dict[int, Stage] = {}

    def plays(uid: int) -> None:
        monkeypatch.setenv("CRAPETTE_RUNNER_UID", str(uid))
        if uid not in stages:
            stages[uid] = Stage.ensure(root)
        bot = put(stages[uid], {"bot.py": HONEST}, "bot.py")
        job = {"level": level.value, "directory": str(bot), "language": "python", "entry": "bot.py"}
        seen = drive(stages[uid], **job)
        assert seen.get("heard") == ["heard go"], seen
        with inspections.place(root, 10.0) as place:
            folders = {bot.parent, place.parent}
        for folder in folders:
            about = folder.stat()
            assert stat.S_IMODE(about.st_mode) & 0o007 == 0
            assert os.geteuid() != 0 or about.st_gid == uid

    for uid in (*UIDS, *UIDS):
        plays(uid)
