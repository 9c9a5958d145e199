"""``up`` as its user meets it: starting, starting again, and ending."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import StartSite
from tests.processes import descendants, ignored_and_blocked
from tests.site import ROOT, RunningSite


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.at_length)])
def test_a_stopped_site_leaves_no_process_and_no_half_played_game(
    start_site: StartSite, number: signal.Signals
) -> None:
    site = start_site(GAMES_AT_ONCE=2)

    def forked() -> list[int]:
        """Two zygotes, and a keeper and a bot for everyone who plays."""
        below = descendants(site.process.pid)
        return [one.pid for one in below if "/arena/stub.pyc" in one.command and "bwrap" not in one.command]

    site.until(lambda: len(forked()) >= 6, "bots at play")
    below = descendants(site.process.pid)
    bots = forked()
    # Whatever started the site ignored and blocked (`started_badly`).
    for pid in (site.process.pid, *bots):
        ignored, blocked = ignored_and_blocked(pid)
        assert not ignored & (1 << signal.SIGQUIT - 1 | 1 << signal.SIGCHLD - 1)
        assert not blocked & (1 << signal.SIGTERM - 1)
    assert site.stop(number) == 0
    deadline = time.monotonic() + 60
    while any(one.alive for one in below) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [one.command for one in below if one.alive] == []
    # On a busy machine it may add that some work did not end in time.
    assert "Stopping. Games in progress continue at the next start." in site.lines
    assert "Traceback" not in site.output


def test_a_second_start_is_quick_and_resumes_interrupted_work(start_site: StartSite, tmp_path: Path) -> None:
    first = start_site(tmp_path / "new", GAMES_AT_ONCE=1)
    first.until(lambda: first.health()["parts"]["competition"]["running"], "a game")
    secret = (first.data / "secret-key").read_text()
    assert "sqlite, tables created" in first.output
    assert "sqlite, tables created" in (ROOT / "docs/operate/install.md").read_text()
    first.kill()
    second = start_site(first.data, GAMES_AT_ONCE=1)
    assert re.search(
        r"^  games +1 interrupted and \d+ waiting games resumed; 2 tournaments running", second.output, re.M
    )
    assert "up to date" in second.output
    assert (first.data / "secret-key").read_text() == secret
    assert second.stop() == 0


def test_a_file_that_is_not_our_database_is_left_alone_and_reported_in_one_sentence(
    tmp_path: Path,
) -> None:
    file = tmp_path / "arena.sqlite3"
    file.write_bytes(b"no database " * 400)
    site = RunningSite(tmp_path)
    assert site.process.wait(120) == 1
    site.kill()
    assert site.lines[-1].startswith("CRAPETTE_DATA: ")
    assert site.lines[-1].endswith(f"{str(file)!r}: file is not a database.")

    file.unlink()
    with closing(sqlite3.connect(file)) as newer, newer:
        newer.execute("CREATE TABLE django_migrations (id integer, app text, name text, applied datetime)")
        newer.execute("INSERT INTO django_migrations VALUES (1, 'bots', '0099_later', '2027-01-01')")
    site = RunningSite(tmp_path)
    assert site.process.wait(120) == 1
    site.kill()
    assert site.lines[-1] == (
        f"{str(file)!r} was written by a newer version of the arena, which knows bots.0099_later:"
        " start that version, or choose another folder with CRAPETTE_DATA."
    )


def test_a_killed_site_leaves_no_build_of_the_kit_behind(tmp_path: Path) -> None:
    package = tmp_path / "kit" / "package"
    package.mkdir(parents=True)
    (tmp_path / "kit" / "__init__.py").touch()
    (package / "__main__.py").write_text("import time; print('begun', flush=True); time.sleep(600)")
    site = "import sys, pathlib; from arena.run.embedded import kit; kit._build(pathlib.Path(sys.argv[1]))"
    words = [sys.executable, "-c", site, str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
        deadline, log = time.monotonic() + 60, tmp_path / "build" / "kit.log"
        while not (log.exists() and log.read_text() == "begun\n") and time.monotonic() < deadline:
            time.sleep(0.05)
        (builder,) = descendants(process.pid)
        process.kill()
    while builder.alive and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not builder.alive
