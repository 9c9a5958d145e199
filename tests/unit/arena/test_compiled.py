"""A compiled engine that comes while the site runs is taken into use."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bots.playing import process_pool


def test_modules_are_distinguished_by_name_and_time(tmp_path: Path) -> None:
    before = process_pool.engine_modules(tmp_path)
    assert before == frozenset()
    (tmp_path / "core.cpython-311.so").touch()
    first = process_pool.engine_modules(tmp_path)
    assert len(first) == 1
    (tmp_path / "core.cpython-311.so").write_bytes(b"compiled again")
    assert process_pool.engine_modules(tmp_path) != first


def test_a_playing_process_is_not_kept_once_the_engine_was_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [frozenset({"core 1"})]
    monkeypatch.setattr(process_pool, "engine_modules", lambda: found[0])
    waiting: Any = SimpleNamespace(
        popen=SimpleNamespace(poll=lambda: None), stage=SimpleNamespace(path=tmp_path)
    )
    kept = process_pool.KeptProcess(waiting, found[0])
    assert kept.usable
    found[0] = frozenset({"core 2"})
    assert not kept.usable
