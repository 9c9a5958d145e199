"""Guests play the daily deal: once each, and on its board only the first of a network."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0001_tables"),
        ("friendlies", "0001_tables"),
        ("tournaments", "0001_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="friendly",
            name="unranked",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="friendly",
            constraint=models.UniqueConstraint(
                condition=models.Q(("daily__isnull", False), ("owner", None)),
                fields=("daily", "guest"),
                name="friendly_daily_guest",
            ),
        ),
    ]
