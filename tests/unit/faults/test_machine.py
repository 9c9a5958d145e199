"""Faults that a machine makes impossible are named, and only they are left out."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.faults import machine
from tools.run.steps import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = ROOT / "tests/faults/test_faults.py"


@pytest.fixture(autouse=True)
def _tried_anew() -> Iterator[None]:
    """Forget what this machine can do, before and after."""
    machine.lacking.cache_clear()
    yield
    machine.lacking.cache_clear()


def refuse() -> None:
    """What a machine says that lets nobody mount anything."""
    said = b"mount: /tmp/x: permission denied.\n  dmesg(1) may have more information.\n"
    raise subprocess.CalledProcessError(32, ["mount"], stderr=said)


def missing() -> None:
    """What a machine says that has no such program."""
    raise FileNotFoundError(2, "No such file or directory", "ip")


def test_what_is_impossible_is_named_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "PROBES", {"disk": refuse, "network": missing, "clock": lambda: None})
    assert machine.sentences() == [
        "Not tested here: a full disk, because this machine lets us mount none"
        " (mount: /tmp/x: permission denied.).",
        "Not tested here: a network that is cut, because this machine lets us make no network namespace"
        " ([Errno 2] No such file or directory: 'ip').",
    ]


def test_each_probe_decides_about_some_case_and_each_case_is_probed() -> None:
    source = CASES.read_text()
    needed = {line.split('"')[1] for line in source.splitlines() if line.startswith("@pytest.mark.needs(")}
    assert needed == machine.PROBES.keys() == machine.LEFT_OUT.keys()
