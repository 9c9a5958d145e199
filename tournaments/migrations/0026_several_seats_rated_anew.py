"""Boards of several seats follow the rules of the rated pool, and a near-twin's first pairs no longer count."""

from django.apps.registry import Apps as StateApps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def rate_anew(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Ask for every board; the sweep sees to it."""
    apps.get_model("tournaments", "RatingState").objects.update(requested=F("requested") + 1)


class Migration(migrations.Migration):
    """Have every board rated once more."""

    dependencies = [("tournaments", "0025_datasets")]

    operations = [migrations.RunPython(rate_anew, migrations.RunPython.noop)]
