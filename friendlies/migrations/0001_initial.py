import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    """People's games, in the table that they always had."""

    initial = True

    dependencies = [
        ("bots", "0004_looks_and_upload_attempts"),
        ("tournaments", "0015_friendlies_leave"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    # The table is there: it was made by the app "tournaments".
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Friendly",
                    fields=[
                        (
                            "id",
                            models.UUIDField(
                                default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                            ),
                        ),
                        ("guest", models.CharField(blank=True, max_length=32)),
                        ("address", models.CharField(blank=True, max_length=32)),
                        ("leg", models.PositiveSmallIntegerField(default=0)),
                        ("variant", models.CharField(max_length=32)),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("start", models.CharField(max_length=1200)),
                        ("rules", models.PositiveSmallIntegerField()),
                        ("events", models.BinaryField(default=bytes)),
                        ("revision", models.PositiveIntegerField(default=0)),
                        ("epoch", models.PositiveIntegerField(default=0)),
                        (
                            "awaits",
                            models.CharField(
                                choices=[
                                    ("person", "person"),
                                    ("window", "window"),
                                    ("bot", "bot"),
                                    ("poll", "poll"),
                                    ("nobody", "nobody"),
                                ],
                                max_length=8,
                            ),
                        ),
                        ("pending", models.JSONField(blank=True, default=list)),
                        ("offer", models.PositiveSmallIntegerField(blank=True, null=True)),
                        ("clocks", models.JSONField(default=list)),
                        ("bank_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("increment_ms", models.PositiveIntegerField(default=0)),
                        ("tick_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("clock_from", models.DateTimeField(blank=True, null=True)),
                        ("polls", models.BooleanField(blank=True, null=True)),
                        ("bot_cpu_ms", models.PositiveIntegerField(default=0)),
                        ("hints", models.PositiveIntegerField(default=0)),
                        ("trouble", models.CharField(blank=True, max_length=300)),
                        ("lease", models.CharField(blank=True, max_length=32)),
                        ("lease_until", models.DateTimeField(blank=True, null=True)),
                        (
                            "status",
                            models.CharField(
                                choices=[("running", "Running"), ("finished", "Finished")],
                                default="running",
                                max_length=12,
                            ),
                        ),
                        ("result", models.JSONField(blank=True, null=True)),
                        ("created_at", models.DateTimeField(auto_now_add=True)),
                        ("acted_at", models.DateTimeField()),
                        ("finished_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "owner",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="friendlies",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "pair",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="friendlies",
                                to="tournaments.pair",
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="friendlies",
                                to="bots.version",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "friendlies",
                        "db_table": "tournaments_friendly",
                        "ordering": ("-created_at",),
                        "indexes": [
                            models.Index(fields=["owner", "-created_at"], name="friendly_owner"),
                            models.Index(fields=["guest", "-created_at"], name="friendly_guest"),
                            models.Index(fields=["status", "awaits", "acted_at"], name="friendly_waiting"),
                        ],
                    },
                ),
            ]
        ),
    ]
