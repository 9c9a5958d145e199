"""What all attacks need: the stage of the code under test, and a sandbox that stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sandbox import Level, Stage, probe
from tests.security.arena import close_helpers

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def stage() -> Stage:
    """The stage of this checkout."""
    return Stage.ensure()


@pytest.fixture(scope="session", autouse=True)
def helpers() -> Iterator[None]:
    """The processes that tests share end with the last test."""
    yield
    close_helpers()


@pytest.fixture(scope="session", params=list(Level), ids=str)
def level(request: pytest.FixtureRequest, stage: Stage) -> Level:
    """Both levels; where one cannot stand the tests fail and say why, they are never skipped."""
    chosen = Level(request.param)
    report = probe(chosen, stage)
    assert report.ok, f"level {chosen}: {report.problem} ({report.hint})"
    return chosen
