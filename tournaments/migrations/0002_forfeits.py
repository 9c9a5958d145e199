"""Pairs that are not played because an entrant left its event."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0001_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="pairing",
            name="forfeited_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="tournaments.entry",
            ),
        ),
        migrations.AddField(
            model_name="pairing",
            name="pairs_forfeited",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
    ]
