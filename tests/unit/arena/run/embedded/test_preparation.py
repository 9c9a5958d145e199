"""What is made ready before the first page."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from arena.run.embedded.preparation import migrate
from arena.run.embedded.tables import tables_are_current


@pytest.mark.django_db
@pytest.mark.each_database
def test_tables_are_current_until_a_migration_is_missing_or_unknown() -> None:
    assert tables_are_current()
    assert migrate() == f"{connection.vendor}, up to date"
    recorder = MigrationRecorder(connection)
    for app in ("accounts", "bots", "classes"):
        recorder.record_applied(app, "0099_later")
        assert not tables_are_current(), app
        with pytest.raises(ImproperlyConfigured, match=f"newer version of the arena, which knows {app}.0099"):
            migrate()
        recorder.record_unapplied(app, "0099_later")
    recorder.record_applied("left_out_long_ago", "0001_initial")
    assert tables_are_current(), "tables of a package that we no longer use"
    recorder.record_unapplied("tournaments", "0001_tables")
    assert not tables_are_current()
