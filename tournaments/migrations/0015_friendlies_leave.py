from django.db import migrations


class Migration(migrations.Migration):
    """People's games have an app of their own. The table stays as it is."""

    dependencies = [
        ("tournaments", "0014_rated_pools"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Friendly")]),
    ]
