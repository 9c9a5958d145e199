"""Near-twins of one owner share a record now, and only the house's own games rate its bots: every board is rated
once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import migrations
from django.db.models import F

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def rate_anew(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Ask for every board; the sweep sees to it."""
    states = apps.get_model("tournaments", "RatingState").objects.using(schema_editor.connection.alias)
    states.update(requested=F("requested") + 1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0023_policy_tallies")]

    operations = [migrations.RunPython(rate_anew, migrations.RunPython.noop)]
