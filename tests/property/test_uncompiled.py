"""The same tests with the core as plain Python, as it runs where there is no C compiler."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from engine import core
from tests.oracle.rulesets import TABLES

CHUNKS = (
    ("tests/conformance",),
    ("tests/property/test_oracle_comparison.py",),
    ("tests/property/test_command_line.py", "tests/property/test_vitesse.py"),
    ("tests/property/test_games.py", "tests/property/test_notation.py", "tests/property/test_hashes.py"),
    (
        "tests/property/test_events.py",
        "tests/property/test_observations.py",
        "tests/property/test_relabelling.py",
        "tests/property/test_searching.py",
    ),
)


def _without_workers() -> dict[str, str]:
    """The environment without what pytest-xdist tells its workers."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}


def test_the_uncompiled_core_is_its_source() -> None:
    show = "import tests.uncompiled, engine.core; print(engine.core.__file__)"
    done = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("core.py\n")


@pytest.mark.skipif(str(core.__file__).endswith(".py"), reason="these tests run uncompiled anyway")
@pytest.mark.timeout(1500)  # each is many tests; a busy machine takes its time
@pytest.mark.parametrize("paths", CHUNKS, ids=lambda paths: paths[0].rpartition("/")[2])
def test_uncompiled_all_is_the_same(paths: tuple[str, ...]) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.uncompiled",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        *paths,
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=_without_workers(), check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


SHOW = """
import engine
from tests.oracle.rulesets import TABLES
for variant, players in TABLES:
    for number in range(4):
        core = engine.Game.deal(variant, f"{number:064x}", players).core.clone()
        plies = core.playout(number, 100 * number)
        print(variant, players, plies, core.hash(), core.canonical_hash(), core.state(), core.legal())
"""


def test_hashes_and_playouts_are_the_same_compiled_or_not() -> None:
    shown = [
        subprocess.run(
            [sys.executable, "-c", before + SHOW], capture_output=True, text=True, check=True
        ).stdout
        for before in ("", "import tests.uncompiled")
    ]
    assert shown[0].count("\n") == 4 * len(TABLES)
    assert shown[0] == shown[1]


def test_every_property_is_among_the_chunks(request: pytest.FixtureRequest) -> None:
    here = request.path.parent
    named = {path.rpartition("/")[2] for paths in CHUNKS for path in paths if "/test_" in path}
    assert named | {request.path.name} == {path.name for path in here.glob("test_*.py")}
