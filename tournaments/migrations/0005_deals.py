"""Pairs know which deal of which batch they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations, models

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def number_deals(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Until now the batch was the round, or the table of a ladder, and the deal the pair's number."""
    pairs = apps.get_model("tournaments", "Pair").objects.using(editor.connection.alias)
    pairing = apps.get_model("tournaments", "Pairing").objects.filter(pk=models.OuterRef("pairing"))
    ladder = models.Q(pairing__tournament__format="ladder")
    for of, source in ((pairs.filter(ladder), "table"), (pairs.exclude(ladder), "round")):
        of.update(batch=models.Subquery(pairing.values(source)), deal=models.F("number"))


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0004_turns"),
    ]

    operations = [
        migrations.AddField(
            model_name="pair",
            name="batch",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="pair",
            name="deal",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.RunPython(number_deals, migrations.RunPython.noop),
    ]
