"""What is made ready before the first page."""

from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from arena.run.embedded.preparation import collect_static, migrate
from arena.run.embedded.tables import tables_are_current

HASHED = "arena.web.storage.static_files.Collected"
PLAIN = "django.contrib.staticfiles.storage.StaticFilesStorage"


def test_files_collected_for_debugging_are_collected_again_for_use(
    tmp_path: Path, settings: Settings
) -> None:
    """Else the first page would miss the names of files that are new since."""
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_DIRS = []
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    said = []
    for backend in (PLAIN, PLAIN, HASHED):
        settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": backend}}
        said.append(collect_static())
    assert said == ["collected", "up to date", "collected"]
    assert (tmp_path / "staticfiles.json").exists()


@pytest.mark.django_db
@pytest.mark.each_database
def test_tables_are_current_until_a_migration_is_missing_or_unknown() -> None:
    assert tables_are_current()
    assert migrate() == f"{connection.vendor}, up to date"
    recorder = MigrationRecorder(connection)
    for app in ("accounts", "bots", "classes"):
        recorder.record_applied(app, "0099_later")
        assert not tables_are_current(), app
        recorder.record_unapplied(app, "0099_later")
    recorder.record_applied("left_out_long_ago", "0001_initial")
    assert tables_are_current(), "tables of a package that we no longer use"
    recorder.record_unapplied("tournaments", "0001_tables")
    assert not tables_are_current()
