"""The site that all faults befall, which of them this machine allows, and how long each recovery took."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from tests import servers
from tests.faults import machine
from tests.faults.arena import RECOVERIES, Arena
from tests.faults.places import small_disk
from tests.production import production_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAIRS, TOURNAMENTS = 200, 6
"""14,400 games, more than a quick machine plays in a quarter of an hour: there is always a game to play."""


def pytest_configure(config: pytest.Config) -> None:
    """Let tests say what they need of the machine."""
    config.addinivalue_line(
        "markers", "needs(name): runs only where the machine allows it (tests.faults.machine)"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what this machine makes impossible; `./crapette test` says so in its closing table."""
    gone = [
        one
        for one in items
        if {mark.args[0] for mark in one.iter_markers("needs")} & machine.lacking().keys()
    ]
    config.hook.pytest_deselected(items=gone)
    items[:] = [one for one in items if one not in gone]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was left out, and the seconds to recover."""
    for sentence in machine.sentences():
        terminalreporter.write_line(sentence)
    terminalreporter.section("seconds to recover")
    for fault, seconds in RECOVERIES:
        terminalreporter.write_line(f"{fault:<48}{seconds:7.1f}")


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A site with two workers that play, until the end of all cases."""
    folder: Path = tmp_path_factory.mktemp("faults")
    mounts = "disk" not in machine.lacking()
    with (
        small_disk(folder / "disk") if mounts else nullcontext(folder) as disk,
        servers.PostgreSQL(disk) as database,
        servers.Redis() as redis,
        production_site(folder, database.url, redis.url) as site,
    ):
        found = Arena(site, database, redis, disk)
        site.release()
        site.start("web", "games", "games 2", "control", "analysis", "beat")
        found.sign_in()
        for _ in range(TOURNAMENTS):
            bots = ("greedy", "random", "random-c", "random-js")
            said = site.manage("start_house_tournament", "--again", "--pairs", str(PAIRS), *bots)
            assert said.startswith("Started"), said
        site.until(found.green, "a green /health", 240)
        site.until(lambda: found.results() > 4, "the first games", 90)
        yield found
        assert found.audit() == {"crapaud": []}
