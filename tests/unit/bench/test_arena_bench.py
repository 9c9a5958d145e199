"""The benchmark of a whole site says what would falsify its times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.bench.arena_bench import session_nice

if TYPE_CHECKING:
    from pathlib import Path


def test_it_knows_how_far_the_session_it_runs_in_yields(tmp_path: Path) -> None:
    (tmp_path / "autogroup").write_text("/autogroup-57021 nice -15\n")
    assert session_nice(tmp_path / "autogroup") == -15
    assert session_nice(tmp_path / "no such groups") == 0
