"""How busy the processors were."""

import os
from pathlib import Path

import pytest

from tools.run import processors
from tools.run.processors import busy, seconds, ticks


def test_waiting_for_disks_is_idle_and_guests_are_not_counted_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat = tmp_path / "stat"
    monkeypatch.setattr(processors, "STAT", stat)
    stat.write_text("cpu  10 20 30 400 50 6 7 8 9 10\ncpu0 1 1 1 1 1 1 1 1 1 1\n")
    before = ticks()
    assert before == (531, 450)
    stat.write_text("cpu  70 20 30 430 60 6 7 8 900 10\n")
    assert busy(before, ticks()) == 0.6
    assert seconds(before, ticks()) == 60 / os.sysconf("SC_CLK_TCK")


def test_no_time_at_all_is_no_division_by_nothing() -> None:
    assert busy(ticks(), ticks()) <= 1
