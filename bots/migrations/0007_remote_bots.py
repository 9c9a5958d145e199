"""Bots on their authors' own machines: what a bot is, and whether its program is connected."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Add the kind of a bot, and the connections of remote ones."""

    dependencies = [("bots", "0006_headline_board")]

    operations = [
        migrations.CreateModel(
            name="RemotePresence",
            fields=[
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
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("online_since__isnull", False)),
                        fields=["seen_at"],
                        name="bots_presence_online",
                    )
                ]
            },
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
        migrations.AlterField(
            "version",
            "language",
            models.CharField(
                choices=[
                    ("python", "Python"),
                    ("python-onnx", "Python with ONNX"),
                    ("javascript", "JavaScript"),
                    ("wasm", "WebAssembly"),
                    ("native", "Linux executable"),
                    ("remote", "Remote"),
                ],
                max_length=12,
            ),
        ),
        migrations.AddConstraint(
            "bot",
            models.CheckConstraint(
                condition=models.Q(("is_house", False), ("kind", "uploaded"), _connector="OR"),
                name="bots_bot_house_is_uploaded",
            ),
        ),
    ]
