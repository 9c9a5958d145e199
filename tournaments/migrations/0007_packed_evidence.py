"""What bots left behind, compressed. Rows that are there stay as they are: they are removed after some time."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add a column that rows of today do not have."""

    dependencies = (("tournaments", "0006_edited_events"),)

    operations = (
        migrations.AddField("evidence", "packed", models.BinaryField(null=True)),
        migrations.AlterField("evidence", "seats", models.JSONField(default=list)),
    )
