"""What organisers did with a series is called its audit log. The table keeps its name, as old programs run on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Replace

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

OLD, NEW = "_seriesdeed", "_seriesauditentry"


def rename_rights(old: str, new: str, apps: Any, schema: BaseDatabaseSchemaEditor) -> None:
    """Name the rights of staff on the table after its model, so that whoever has one keeps it."""
    rights = apps.get_model("auth", "Permission").objects.using(schema.connection.alias)
    rights.filter(content_type__app_label="series", codename__endswith=old).update(
        codename=Replace("codename", models.Value(old), models.Value(new))
    )


class Migration(migrations.Migration):
    """Only the names of rights change in the database."""

    dependencies = (("series", "0001_tables"), ("auth", "0012_alter_user_first_name_max_length"))

    operations = (
        migrations.AlterModelTable(name="SeriesDeed", table="series_seriesdeed"),
        migrations.RenameModel(old_name="SeriesDeed", new_name="SeriesAuditEntry"),
        migrations.AlterModelOptions(
            name="SeriesAuditEntry",
            options={
                "ordering": ("-at", "-pk"),
                "verbose_name": "audit entry",
                "verbose_name_plural": "audit log",
            },
        ),
        migrations.AlterField(
            model_name="SeriesAuditEntry",
            name="series",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="audit_log",
                to="series.eventseries",
            ),
        ),
        migrations.RunPython(partial(rename_rights, OLD, NEW), partial(rename_rights, NEW, OLD)),
    )
