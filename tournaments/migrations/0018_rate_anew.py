"""Ratings follow another rule: have every board rated once more."""

from django.apps.registry import Apps as StateApps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F


def rate_anew(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Ask for every board; the sweep sees to it."""
    apps.get_model("tournaments", "RatingState").objects.update(requested=F("requested") + 1)


class Migration(migrations.Migration):
    """What other authors tell of a bot is bounded, and errors among several seats go by deals."""

    dependencies = [("tournaments", "0017_near_twins")]

    operations = [migrations.RunPython(rate_anew, migrations.RunPython.noop)]
