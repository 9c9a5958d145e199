"""Backups, restoring them and moving to PostgreSQL, on a site that had played and plays on."""

import json
import shutil
import tarfile
from pathlib import Path

import psycopg
import pytest

from tests.integration.keeping.conftest import RESULTS, keep, new_database, rows, run
from tests.site import ROOT, RunningSite

# A game whose result is hidden stays in the database.
UNARCHIVED = (
    "SELECT count(*) FROM tournaments_record JOIN tournaments_game ON id = game_id"
    " WHERE length(data) > 0 AND NOT hidden"
)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory, restored: Path) -> Path:
    """A data folder of a site that had played, with its old games in the archive."""
    data = tmp_path_factory.mktemp("grown") / "data"
    shutil.copytree(restored, data)
    moved = run(data, "manage.py", "archive", "--now", "--days", "0")
    assert (moved.returncode, rows(data, UNARCHIVED)) == (0, [(0,)]), moved.stderr
    return data


@pytest.fixture(scope="module")
def backup(grown: Path) -> Path:
    """Its backup."""
    target = grown.parent / "backup.tar"
    made = keep(grown, "backup", str(target))
    assert made.returncode == 0, made.stderr
    assert target.stat().st_mode & 0o077 == 0
    return target


def test_a_restored_site_is_what_it_was_is_replaced_on_the_operators_word_alone_and_plays_on(
    grown: Path, backup: Path, tmp_path: Path
) -> None:
    new, small, again = tmp_path / "new", str(tmp_path / "small.tar"), str(tmp_path / "again.tar")

    def refused(why: str, *words: str) -> None:
        done = keep(new, *words)
        assert (done.returncode, why in done.stderr) == (1, True), done.stderr

    made = keep(grown, "backup", small, "--without-archives")
    assert (made.returncode, "are not in it" in made.stdout) == (0, True)
    with tarfile.open(small) as packed:
        assert [name for name in packed.getnames() if name.endswith(".zip")] == []
    refused("without the archive", "restore", small)
    assert keep(new, "restore", str(backup)).returncode == 0
    assert rows(new) == rows(grown)
    checked = run(new, "manage.py", "archive", "--check")
    assert checked.returncode == 0, checked.stderr
    # What is there is replaced on the operator's word alone, and a backup never is.
    refused("--replace", "restore", small)
    refused(small, "backup", small)
    done = keep(new, "restore", small, "--replace")
    assert (done.returncode, "without a difference" in done.stdout) == (0, True), done.stderr
    assert rows(new) == rows(grown)
    # A damaged file is seen before it is in a backup.
    (file,) = (path for path in (new / "archives").rglob("*.zip"))
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    refused("is damaged", "backup", again)
    assert not Path(again).exists()
    file.write_bytes(whole)
    site = RunningSite(new, {"GAMES_AT_ONCE": 1})
    try:
        site.wait_until_ready()
        before = len(rows(grown))
        site.until(lambda: len(rows(new)) > before, "a game after the restoration")
        assert keep(new, "backup", again).returncode == 0
        refused("already runs", "restore", str(backup), "--replace")
    finally:
        site.kill()


TRY_ALL = """import sys
from arena.operate.backups.__main__ import main
for file in sys.argv[1:]:
    assert main(["restore", file]) == 1, file
"""


def test_a_damaged_backup_changes_nothing(backup: Path, tmp_path: Path) -> None:
    whole = backup.read_bytes()
    middle = len(whole) // 2
    bad = {
        "cut-off": whole[:middle],
        "changed": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "no-backup": b"hello",
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    with tarfile.open(backup) as old:
        old.extractall(tmp_path / "unpacked")
    head = tmp_path / "unpacked/manifest.json"
    manifest = json.loads(head.read_text())
    manifest["migrations"].append("tournaments.9999_from_tomorrow")
    head.write_text(json.dumps(manifest))
    with tarfile.open(tmp_path / "newer", "w") as new:
        for path in sorted((tmp_path / "unpacked").iterdir()):
            new.add(path, path.name)
    files = [str(tmp_path / name) for name in (*bad, "newer", "missing")]
    refused = run(tmp_path / "new", "-c", TRY_ALL, *files)
    assert refused.returncode == 0, refused.stderr
    said = refused.stderr.splitlines()
    assert (len(said), {line.startswith("crapette restore: ") for line in said}) == (len(files), {True})
    file = tmp_path / "new/arena.sqlite3"
    assert not file.exists() or not file.stat().st_size


@pytest.mark.at_length
def test_a_move_to_postgresql_that_is_interrupted_goes_on_and_is_proved_equal(
    grown: Path, backup: Path, postgresql_url: str, tmp_path: Path
) -> None:
    url = new_database(postgresql_url, "moved")
    # A trap ends the first try in the middle: the second finds what is there.
    trap = tmp_path / "trap.py"
    trap.write_text(
        "import sys\nfrom arena.operate.backups import __main__, move_target\n"
        "note = move_target.Target.note\n"
        "def trapped(self, table, last, count):\n"
        "    if table == 'tournaments_record':\n        raise SystemExit(9)\n"
        "    note(self, table, last, count)\n"
        "move_target.Target.note = trapped\n"
        f"sys.exit(__main__.main(['move-to', {url!r}]))\n"
    )
    assert run(grown, str(trap), PYTHONPATH=str(ROOT)).returncode == 9
    done = keep(grown, "move-to", url)
    assert done.returncode == 0, done.stderr
    assert "Going on with a move that was interrupted." in done.stdout
    assert "The audits of both agree" in done.stdout
    with psycopg.connect(url) as link:
        there = link.execute(RESULTS.replace("game_id", "replace(game_id::text, '-', '')")).fetchall()
        keys = link.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchone()
    assert there == rows(grown)
    assert keys is not None
    assert keys[0] > 40
    again = keep(grown, "move-to", url)
    assert (again.returncode, "empty database" in again.stderr) == (1, True)
    # PostgreSQL's own backup, there and back.
    target = str(tmp_path / "moved.tar")
    assert keep(tmp_path / "d", "backup", target, DATABASE_URL=url).returncode == 1, (
        "the archive is elsewhere"
    )
    there_too = {"DATABASE_URL": url, "CRAPETTE_ARCHIVES": str(grown / "archives")}
    assert keep(tmp_path / "d", "backup", target, **there_too).returncode == 0
    restored = keep(tmp_path / "d", "restore", target, "--replace", DATABASE_URL=url)
    assert restored.returncode == 0, restored.stderr
    assert run(tmp_path / "d", "manage.py", "archive", "--check", DATABASE_URL=url).returncode == 0
    wrong = keep(tmp_path / "d", "restore", str(backup), "--replace", DATABASE_URL=url)
    assert (wrong.returncode, "move-to" in wrong.stderr) == (1, True)
    # New rows get new keys.
    code = "from arena.web.processes.alarms import raise_alarm; raise_alarm('audit', 'x', 'y')"
    made = run(tmp_path / "d", "manage.py", "shell", "--no-imports", "-c", code, DATABASE_URL=url)
    assert made.returncode == 0, made.stderr
