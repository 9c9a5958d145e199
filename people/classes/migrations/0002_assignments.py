"""What a class is to do until a date."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classes", "0001_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="Assignment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("bot", "Upload a bot that passes its check"),
                            ("games", "Finish games against a bot"),
                            ("wins", "Win games against a bot"),
                        ],
                        max_length=8,
                    ),
                ),
                ("variant", models.CharField(max_length=32)),
                ("count", models.PositiveSmallIntegerField(default=1)),
                ("due_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "classroom",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assignments",
                        to="classes.classroom",
                    ),
                ),
            ],
            options={
                "ordering": ("due_at", "pk"),
            },
        ),
    ]
