from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0029_solved_endings")]

    operations = [
        migrations.RemoveIndex(model_name="game", name="game_queue"),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("status", "queued")), fields=["tournament", "order"], name="game_waiting"
            ),
        ),
    ]
