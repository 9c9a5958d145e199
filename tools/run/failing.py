"""A plugin of pytest that writes down which tests failed and why, for the second run of `tools.run.again`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pytest

PLUGIN: Final = __name__
FILE: Final = "CRAPETTE_TEST_FAILED"
"""The variable that names the file to write."""


@dataclass(frozen=True)
class FailedTest:
    """A test that failed: its name, the file and name that pytest runs it by, and what it said."""

    name: str
    address: str
    said: str


@dataclass(frozen=True)
class FailedTests:
    """All tests of a step that failed, and the seed of its random numbers."""

    tests: tuple[FailedTest, ...] = ()
    seed: int | None = None


def read(path: Path) -> FailedTests:
    """Return what a run of pytest wrote; nothing if it was ended before it could."""
    if not path.exists():
        return FailedTests()
    found = json.loads(path.read_text())
    return FailedTests(tuple(FailedTest(*one) for one in found["tests"]), found["seed"])


@dataclass(eq=False)
class _Recorder:
    """Collects the failures of this run, of its worker processes too.

    It equals itself alone, as pytest keeps plugins in sets once a folder has its own ``conftest.py``.
    """

    path: Path
    config: pytest.Config
    said: dict[str, str] = field(default_factory=dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the first failure of each test: of its fixtures or its own."""
        if report.failed:
            self.said.setdefault(report.nodeid, report.longreprtext)

    def pytest_sessionfinish(self) -> None:
        """Write them down."""
        tests = [(name, str(self.config.rootpath / name), said) for name, said in self.said.items()]
        seed = self.config.getoption("randomly_seed", None)
        self.path.write_text(json.dumps({"tests": tests, "seed": seed if isinstance(seed, int) else None}))


def pytest_configure(config: pytest.Config) -> None:
    """Listen, in the process that hears of every test."""
    if FILE in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(Path(os.environ[FILE]), config))
