"""Likenesses are called policy tallies, because likeness is what near-twins are measured by; and new positions
are drawn for those, at which reasonable bots differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_positions(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The next bot that is asked has others drawn; until then, the near-twins found stay."""
    apps.get_model("tournaments", "ProbeSet").objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0019_likeness")]

    operations = [
        migrations.RemoveConstraint(model_name="likeness", name="likeness_once"),
        migrations.RenameModel(old_name="Likeness", new_name="PolicyTally"),
        migrations.RenameIndex(
            model_name="policytally", old_name="likeness_of_version", new_name="policy_tally_of_version"
        ),
        migrations.AddConstraint(
            model_name="policytally",
            constraint=models.UniqueConstraint(fields=("game", "seat"), name="policy_tally_once"),
        ),
        migrations.AlterModelOptions(name="policytally", options={"verbose_name_plural": "policy tallies"}),
        migrations.RunPython(forget_positions, migrations.RunPython.noop),
    ]
