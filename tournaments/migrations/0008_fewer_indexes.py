"""Tables that grow with every game have no index twice: these columns begin another index of their table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import django.db.models.deletion
from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COLUMNS: Final = (
    ("game", "tournament", "tournaments.tournament", "games"),
    ("game", "pair", "tournaments.pair", "games"),
    ("seat", "game", "tournaments.game", "seats"),
    ("attempt", "game", "tournaments.game", "attempts"),
    ("eventbatch", "game", "tournaments.game", "batches"),
    ("eventbatch", "attempt", "tournaments.attempt", "batches"),
    ("laterluck", "game", "tournaments.game", "later_luck"),
    ("solvedending", "game", "tournaments.game", "+"),
    ("solvedending", "version", "bots.version", "+"),
    ("policytally", "game", "tournaments.game", "+"),
    ("policytally", "version", "bots.version", "+"),
)
"""Model, foreign key, what it refers to, and the name of the way back."""


def drop(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the indexes of these columns alone. Django would write each table of SQLite anew for that."""
    link = editor.connection
    for name, key, *_ in COLUMNS:
        table = apps.get_model("tournaments", name)._meta.db_table
        with link.cursor() as cursor:
            found = link.introspection.get_constraints(cursor, table)
        for index, about in found.items():
            plain = about["index"] and not about["unique"] and not about["foreign_key"]
            if plain and about["columns"] == [f"{key}_id"] and index.startswith(f"{table}_{key}_id_"):
                editor.execute(f"DROP INDEX {editor.quote_name(index)}")


class Migration(migrations.Migration):
    """Drop them, and say so of the models."""

    dependencies = (("tournaments", "0007_packed_evidence"),)

    operations = (
        migrations.SeparateDatabaseAndState(
            [migrations.RunPython(drop, migrations.RunPython.noop)],
            [
                migrations.AlterField(
                    model,
                    key,
                    models.ForeignKey(
                        to, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name=back
                    ),
                )
                for model, key, to, back in COLUMNS
            ],
        ),
    )
