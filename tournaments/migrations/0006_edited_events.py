"""What organisers changed of an event before it started."""

from django.db import migrations, models

DEEDS = [
    ("edited", "changed the event"),
    ("started", "started the event"),
    ("paused", "paused the event"),
    ("resumed", "resumed the event"),
    ("cancelled", "cancelled the event"),
    ("announced", "posted an announcement"),
    ("took-back", "took an announcement back"),
    ("new-key", "replaced the join key"),
    ("revealed", "revealed results"),
    ("voided", "voided a pair"),
    ("took-out", "took a bot out of the event"),
    ("invited", "invited another organiser"),
    ("uninvited", "took an invitation back"),
    ("joined", "now organises the event, too"),
    ("declined", "declined to organise the event"),
    ("left", "no longer organises the event"),
    ("removed", "removed an organiser"),
    ("inherited", "took over the event from its founder, whose account is gone"),
]
STATUSES = [
    ("draft", "Not started"),
    ("running", "Running"),
    ("paused", "Paused"),
    ("finished", "Finished"),
    ("cancelled", "Cancelled"),
]


class Migration(migrations.Migration):
    """Let deeds say what was changed."""

    dependencies = (("tournaments", "0005_provisional_ratings"),)

    operations = (
        migrations.AddField(
            model_name="deed",
            name="changes",
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AlterField(
            model_name="deed",
            name="what",
            field=models.CharField(choices=DEEDS, max_length=10),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="status",
            field=models.CharField(choices=STATUSES, default="draft", max_length=16),
        ),
    )
