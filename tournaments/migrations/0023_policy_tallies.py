"""Likenesses are called policy tallies, because likeness is what near-twins are measured by; new positions are
drawn for those, at which reasonable bots differ; and every board is rated once more, with anchors that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models
from django.db.models import F

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def forget_positions(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The next bot that is asked has others drawn; until then, the near-twins found stay."""
    apps.get_model("tournaments", "ProbeSet").objects.using(schema_editor.connection.alias).all().delete()


def rate_anew(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Anchors stay where they stand one by one now. All but a board's first are frozen again once they are known
    as well as that takes."""
    anchors = apps.get_model("tournaments", "RatingAnchor").objects.using(schema_editor.connection.alias)
    seen = set()
    for anchor in anchors.order_by("pk"):
        if anchor.variant in seen:
            anchor.delete()
        seen.add(anchor.variant)
    states = apps.get_model("tournaments", "RatingState").objects.using(schema_editor.connection.alias)
    states.update(requested=F("requested") + 1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_leads")]

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
        migrations.RunPython(rate_anew, migrations.RunPython.noop),
    ]
