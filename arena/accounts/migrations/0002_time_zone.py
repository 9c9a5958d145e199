"""The time zone in which somebody reads the site, if they chose one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add it."""

    dependencies = (("accounts", "0001_tables"),)

    operations = (
        migrations.AddField(
            model_name="user",
            name="time_zone",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
    )
