"""The board whose rating speaks for a bot, if its owner chose one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add it."""

    dependencies = [("bots", "0005_homepage")]

    operations = [
        migrations.AddField(
            model_name="bot",
            name="headline_board",
            field=models.CharField(blank=True, db_default="", default="", max_length=32),
        ),
    ]
