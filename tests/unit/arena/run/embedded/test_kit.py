"""The kit is built when nobody else needs the processor."""

import fcntl
import time
from pathlib import Path

import pytest

from arena.run.embedded.kit import LOCK, LOG, build_later


def test_the_kit_waits_for_the_compiler_and_says_where_to_read_why_it_failed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # A project whose kit has no such module.
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "__init__.py").touch()
    with (tmp_path / LOCK).open("w") as compiling:
        fcntl.flock(compiling, fcntl.LOCK_EX)
        thread = build_later(tmp_path)
        time.sleep(0.2)
        assert thread.is_alive()
        assert not (tmp_path / LOG).exists()
    thread.join(60)
    assert "No module named" in (tmp_path / LOG).read_text()
    assert capfd.readouterr().err == "Could not build the kit for authors. See build/kit.log.\n"
