"""What came to the tables of games and events after the first ones: bots that leave, changes that are told,
ratings in the order of their boards, evidence that is compressed, remote bots, and fewer indexes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import django.db.models.deletion
from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

COLUMNS: Final = (
    *(("game", "tournament"), ("game", "pair"), ("seat", "game"), ("attempt", "game")),
    *(("eventbatch", "game"), ("eventbatch", "attempt"), ("laterluck", "game")),
    *(
        ("solvedending", "game"),
        ("solvedending", "version"),
        ("policytally", "game"),
        ("policytally", "version"),
    ),
)
"""Foreign keys that begin another index of their table, in tables that grow with every game."""


def rate_again(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Where a version stood below its rating, it was still being measured. Every board is rated again, for
    intervals count level pairs otherwise; the sweep sees to it."""
    link = editor.connection.alias
    # As the table was then: the name is that of a model of today.
    ratings: Any = apps.get_model("tournaments", "Rating").objects.using(link)
    ratings.exclude(standing=models.F("elo")).update(provisional=True)
    states = apps.get_model("tournaments", "RatingState").objects.using(link)
    states.update(requested=models.F("requested") + 1)


def drop_second_indexes(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop the indexes of these columns alone that older databases have. Django would write each table of
    SQLite anew for that."""
    link = editor.connection
    for name, key in COLUMNS:
        table = apps.get_model("tournaments", name)._meta.db_table
        with link.cursor() as cursor:
            found = link.introspection.get_constraints(cursor, table)
        for index, about in found.items():
            plain = about["index"] and not about["unique"] and not about["foreign_key"]
            if plain and about["columns"] == [f"{key}_id"] and index.startswith(f"{table}_{key}_id_"):
                editor.execute(f"DROP INDEX {editor.quote_name(index)}")


class Migration(migrations.Migration):
    """Add the columns, then put a number that nobody saw in its place."""

    replaces = [
        ("tournaments", "0002_forfeits"),
        ("tournaments", "0003_analysis_addresses"),
        ("tournaments", "0004_rate_again"),
        ("tournaments", "0005_provisional_ratings"),
        ("tournaments", "0006_edited_events"),
        ("tournaments", "0007_packed_evidence"),
        ("tournaments", "0008_fewer_indexes"),
        ("tournaments", "0009_admits_remote"),
        ("tournaments", "0010_bot_away"),
    ]

    dependencies = [("tournaments", "0001_tables")]

    operations = [
        migrations.AddField(
            "pairing",
            "forfeited_by",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.entry",
            ),
        ),
        migrations.AddField(
            "pairing", "pairs_forfeited", models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.AddField(
            "analysis", "address", models.CharField(blank=True, db_default="", max_length=32)
        ),
        migrations.AddField("deed", "changes", models.JSONField(blank=True, db_default={}, default=dict)),
        migrations.AddField("evidence", "packed", models.BinaryField(null=True)),
        migrations.AddField(
            "tournament", "admits_remote", models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddField("rating", "provisional", models.BooleanField(default=False)),
        migrations.RunPython(rate_again, migrations.RunPython.noop),
        migrations.RunPython(drop_second_indexes, migrations.RunPython.noop),
        migrations.RemoveIndex("rating", "rating_standing"),
        migrations.RemoveField("rating", "standing"),
        migrations.AddIndex(
            "rating", models.Index(fields=["variant", "provisional", "-elo"], name="rating_order")
        ),
        migrations.AlterModelOptions("rating", {"ordering": ("variant", "provisional", "-elo", "version")}),
    ]
