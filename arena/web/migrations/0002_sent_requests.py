"""Requests that change something, each of which is carried out once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0001_tables"),
    ]

    operations = [
        migrations.CreateModel(
            name="SentRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64, unique=True)),
                ("content", models.CharField(blank=True, max_length=64)),
                ("at", models.DateTimeField(db_index=True)),
                ("status", models.PositiveSmallIntegerField(null=True)),
                ("answer_type", models.CharField(blank=True, max_length=100)),
                ("location", models.TextField(blank=True)),
                ("answer", models.BinaryField(default=b"")),
            ],
        ),
    ]
