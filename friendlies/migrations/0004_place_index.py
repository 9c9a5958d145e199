"""Each claim of a game with remote bots asks which places people take."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("friendlies", "0003_remote_places")]

    operations = [
        migrations.AddIndex(
            "friendly",
            models.Index(
                fields=["place_until"], condition=models.Q(place_until__isnull=False), name="friendly_place"
            ),
        ),
    ]
