"""Guests play the daily deal, once each, and on its board only the first of a network; and a game of a person
against a remote bot takes one of its places, for which each claim of a game with remote bots asks.
"""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    replaces = [
        ("friendlies", "0002_guests_daily"),
        ("friendlies", "0003_remote_places"),
        ("friendlies", "0004_place_index"),
    ]

    dependencies = [
        ("bots", "0001_tables"),
        ("friendlies", "0001_tables"),
        ("tournaments", "0001_tables"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("friendly", "unranked", models.BooleanField(db_default=False, default=False)),
        migrations.AddField("friendly", "place_until", models.DateTimeField(blank=True, null=True)),
        migrations.AddConstraint(
            "friendly",
            models.UniqueConstraint(
                condition=models.Q(("daily__isnull", False), ("owner", None)),
                fields=("daily", "guest"),
                name="friendly_daily_guest",
            ),
        ),
        migrations.AddIndex(
            "friendly",
            models.Index(
                fields=["place_until"], condition=models.Q(place_until__isnull=False), name="friendly_place"
            ),
        ),
    ]
