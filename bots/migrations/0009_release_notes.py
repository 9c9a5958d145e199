from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0008_token_scopes"),
    ]

    operations = [
        migrations.AddField(
            model_name="version",
            name="release_notes",
            field=models.CharField(
                blank=True, db_default="", default="", help_text="What changed, for everyone.", max_length=500
            ),
        ),
        migrations.AlterField(
            model_name="version",
            name="note",
            field=models.CharField(blank=True, help_text="For its owner alone.", max_length=200),
        ),
    ]
