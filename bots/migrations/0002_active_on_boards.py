"""Versions are active by board. Those that are active keep playing exactly where they passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import django.db.models.deletion
from django.db import migrations, models

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
    """One row for each bot and board, and a status for versions that failed on some board."""

    dependencies = [("bots", "0001_tables")]

    operations = [
        migrations.AddField(
            model_name="version",
            name="activated_at",
            field=models.DateTimeField(
                blank=True,
                null=True,
                help_text="When its owners made it play, or uploaded it to play. The latest plays where it"
                " passed.",
            ),
        ),
        migrations.AlterField(
            model_name="version",
            name="status",
            field=models.CharField(
                choices=[
                    ("uploaded", "waiting for its check"),
                    ("checking", "being checked"),
                    ("accepted", "accepted"),
                    ("partly", "partly accepted"),
                    ("rejected", "rejected"),
                ],
                db_index=True,
                default="uploaded",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="botdeed",
            name="what",
            field=models.CharField(
                choices=[
                    ("created", "created the bot"),
                    ("uploaded", "uploaded a version"),
                    ("activated", "made a version the active one"),
                    ("retired", "deactivated a version"),
                    ("rechecked", "asked for a new check"),
                    ("edited", "changed the bot’s settings"),
                    ("terms", "changed how the bot takes challenges"),
                    ("withdrew", "withdrew the bot"),
                    ("restored", "restored the bot"),
                    ("invited", "invited a co-owner"),
                    ("uninvited", "took an invitation back"),
                    ("joined", "is now a co-owner"),
                    ("declined", "declined to be a co-owner"),
                    ("left", "is no longer a co-owner"),
                    ("removed", "removed a co-owner"),
                    ("offered", "offered the bot to a co-owner"),
                    ("kept", "took the offer of the bot back"),
                    ("refused", "declined to take the bot over"),
                    ("took-over", "took the bot over"),
                    ("inherited", "took the bot over from its owner, whose account is gone"),
                ],
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="ActiveVersion",
            fields=[
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
            options={
                "indexes": [models.Index(fields=["board", "version"], name="bots_active_board")],
                "constraints": [models.UniqueConstraint(fields=("bot", "board"), name="bots_active_once")],
            },
        ),
        migrations.RunPython(place, forget),
    ]
