from django.apps.registry import Apps as StateApps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def owners_uploaded(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now only its owner could upload a version of a bot."""
    bots, versions = apps.get_model("bots", "Bot").objects, apps.get_model("bots", "Version").objects
    owner = bots.filter(pk=OuterRef("bot")).values("owner")[:1]
    versions.filter(uploaded_by=None, bot__owner__isnull=False).update(uploaded_by=Subquery(owner))


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0011_co_owners"),
    ]

    operations = [
        migrations.RunPython(owners_uploaded, migrations.RunPython.noop),
    ]
