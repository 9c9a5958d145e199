"""Boards in the order of the ratings that they print; ratings of versions still being measured below them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_provisional(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Where a version stood below its rating, it was still being measured."""
    ratings = apps.get_model("tournaments", "Rating").objects.using(schema_editor.connection.alias)
    ratings.exclude(**{"standing": models.F("elo")}).update(provisional=True)


class Migration(migrations.Migration):
    """Replace a number that nobody saw."""

    dependencies = (("tournaments", "0004_rate_again"),)

    operations = (
        migrations.AddField("rating", "provisional", models.BooleanField(default=False)),
        migrations.RunPython(mark_provisional, migrations.RunPython.noop),
        migrations.RemoveIndex("rating", "rating_standing"),
        migrations.RemoveField("rating", "standing"),
        migrations.AddIndex(
            "rating", models.Index(fields=["variant", "provisional", "-elo"], name="rating_order")
        ),
        migrations.AlterModelOptions("rating", {"ordering": ("variant", "provisional", "-elo", "version")}),
    )
