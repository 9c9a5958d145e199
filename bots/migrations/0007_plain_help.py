from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0006_trials_and_the_bench"),
    ]

    operations = [
        migrations.AlterField(
            model_name="version",
            name="crashes_since",
            field=models.DateTimeField(
                blank=True, help_text="Crashes before this time no longer count towards the bench.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="version",
            name="trial_asked_at",
            field=models.DateTimeField(
                blank=True, help_text="When another check of this accepted version was requested.", null=True
            ),
        ),
    ]
