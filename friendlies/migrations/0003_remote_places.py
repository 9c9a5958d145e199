"""A game of a person against a remote bot takes one of its places."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("friendlies", "0002_guests_daily")]

    operations = [
        migrations.AddField("friendly", "place_until", models.DateTimeField(blank=True, null=True)),
    ]
