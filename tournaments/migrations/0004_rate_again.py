"""Intervals of ratings count level pairs otherwise since then."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def rate_again(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Ask for every board to be rated again; the sweep sees to it."""
    states = apps.get_model("tournaments", "RatingState").objects.using(schema_editor.connection.alias)
    states.update(requested=F("requested") + 1)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_analysis_addresses")]

    operations = [migrations.RunPython(rate_again, migrations.RunPython.noop)]
