"""What owners did with a bot is called its audit log. The table keeps its name, as old programs run on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Replace

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

OLD, NEW = "_botdeed", "_botauditentry"


def rename_rights(old: str, new: str, apps: Any, schema: BaseDatabaseSchemaEditor) -> None:
    """Name the rights of staff on the table after its model, so that whoever has one keeps it."""
    rights = apps.get_model("auth", "Permission").objects.using(schema.connection.alias)
    rights.filter(content_type__app_label="bots", codename__endswith=old).update(
        codename=Replace("codename", models.Value(old), models.Value(new))
    )


class Migration(migrations.Migration):
    """Only the names of rights change in the database."""

    dependencies = (
        ("bots", "0002_boards_and_remote_bots"),
        ("auth", "0012_alter_user_first_name_max_length"),
    )

    operations = (
        migrations.AlterModelTable(name="BotDeed", table="bots_botdeed"),
        migrations.RenameModel(old_name="BotDeed", new_name="BotAuditEntry"),
        migrations.AlterModelOptions(
            name="BotAuditEntry",
            options={
                "ordering": ("-at", "-pk"),
                "verbose_name": "audit entry",
                "verbose_name_plural": "audit log",
            },
        ),
        migrations.AlterField(
            model_name="BotAuditEntry",
            name="bot",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="audit_log", to="bots.bot"
            ),
        ),
        migrations.RunPython(partial(rename_rights, OLD, NEW), partial(rename_rights, NEW, OLD)),
    )
