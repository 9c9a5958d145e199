"""Versions are active by board: those that are active keep playing exactly where they passed. And bots run on
their authors' own machines, have a page of their own elsewhere, and name the board that speaks for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.db import migrations, models

import bots.models.bot

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def place(apps: Any, _: BaseDatabaseSchemaEditor) -> None:
    """Give each bot's active version the boards on which it passed.

    Earlier versions play nowhere and stay so: they were not activated. A benched version keeps its boards,
    too, until another takes them.
    """
    bots, versions, trials, rows = (
        apps.get_model("bots", name) for name in ("Bot", "Version", "Trial", "ActiveVersion")
    )
    active = bots.objects.exclude(active_version=None).values("active_version")
    versions.objects.filter(pk__in=active).update(activated_at=models.F("created_at"))
    passed = trials.objects.filter(version__in=active, version__status="accepted", verdict="passed")
    rows.objects.bulk_create(
        (
            rows(bot_id=bot, board=board, version_id=version)
            for bot, board, version in passed.values_list("version__bot", "board", "version").iterator()
        ),
        batch_size=500,
    )
    failed = trials.objects.filter(verdict="failed").values("version")
    versions.objects.filter(status="accepted", pk__in=failed).update(status="partly")


def forget(apps: Any, _: BaseDatabaseSchemaEditor) -> None:
    """Call versions accepted again that were before."""
    apps.get_model("bots", "Version").objects.filter(status="partly").update(status="accepted")


class Migration(migrations.Migration):
    """Add tables and columns, then fill the rows of active versions."""

    replaces = [
        ("bots", "0002_active_on_boards"),
        ("bots", "0003_pending_files"),
        ("bots", "0004_check_deaths"),
        ("bots", "0005_homepage"),
        ("bots", "0006_headline_board"),
        ("bots", "0007_remote_bots"),
        ("bots", "0008_remote_bytes"),
    ]

    dependencies = [("bots", "0001_tables")]

    operations = [
        migrations.AddField(
            "version",
            "activated_at",
            models.DateTimeField(
                blank=True,
                null=True,
                help_text="When its owners made it play, or uploaded it to play. The latest plays where it"
                " passed.",
            ),
        ),
        migrations.AddField(
            "version", "sent_sha256", models.CharField(blank=True, db_default="", default="", max_length=64)
        ),
        migrations.AddField(
            "version",
            "check_deaths",
            models.PositiveSmallIntegerField(
                db_default=0, default=0, help_text="Checks whose process died without a word."
            ),
        ),
        migrations.RemoveField("uploadattempt", "inspecting_until"),
        migrations.AddField(
            "bot",
            "homepage",
            models.URLField(
                blank=True, db_default="", default="", validators=[bots.models.bot.validate_homepage]
            ),
        ),
        migrations.AddField(
            "bot", "headline_board", models.CharField(blank=True, db_default="", default="", max_length=32)
        ),
        migrations.AddField(
            "bot",
            "kind",
            models.CharField(
                choices=[("uploaded", "uploaded"), ("remote", "remote")],
                db_default="uploaded",
                default="uploaded",
                editable=False,
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            "bot",
            models.CheckConstraint(
                condition=models.Q(("is_house", False), ("kind", "uploaded"), _connector="OR"),
                name="bots_bot_house_is_uploaded",
            ),
        ),
        migrations.CreateModel(
            "ActiveVersion",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("board", models.CharField(max_length=32)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="active_versions",
                        to="bots.bot",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="active_on",
                        to="bots.version",
                    ),
                ),
            ],
            {
                "indexes": [models.Index(fields=["board", "version"], name="bots_active_board")],
                "constraints": [models.UniqueConstraint(fields=("bot", "board"), name="bots_active_once")],
            },
        ),
        migrations.CreateModel(
            "PendingFile",
            [
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pending_file",
                        serialize=False,
                        to="bots.version",
                    ),
                ),
                ("data", models.BinaryField()),
                ("size", models.PositiveIntegerField(help_text="Bytes as they were sent.")),
            ],
        ),
        migrations.CreateModel(
            "RemotePresence",
            [
                (
                    "bot",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="presence",
                        serialize=False,
                        to="bots.bot",
                    ),
                ),
                ("connection", models.CharField(blank=True, max_length=40)),
                ("online_since", models.DateTimeField(blank=True, null=True)),
                ("seen_at", models.DateTimeField(blank=True, null=True)),
                ("games", models.PositiveSmallIntegerField(default=1)),
                ("people", models.BooleanField(default=False)),
                ("leaving", models.BooleanField(default=False)),
                ("bytes_in", models.BigIntegerField(db_default=0, default=0)),
                ("bytes_out", models.BigIntegerField(db_default=0, default=0)),
            ],
            {
                "indexes": [
                    models.Index(
                        condition=models.Q(("online_since__isnull", False)),
                        fields=["seen_at"],
                        name="bots_presence_online",
                    )
                ]
            },
        ),
        migrations.RunPython(place, forget),
    ]
