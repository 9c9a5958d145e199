"""The address that asks for an analysis, by which places in its queue are shared."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_forfeits"),
    ]

    operations = [
        migrations.AddField(
            model_name="analysis",
            name="address",
            field=models.CharField(blank=True, db_default="", max_length=32),
        ),
    ]
