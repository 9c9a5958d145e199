"""How many bytes came from remote bots' connections, and went there."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """Add both."""

    dependencies = [("bots", "0007_remote_bots")]

    operations = [
        migrations.AddField("remotepresence", name, models.BigIntegerField(db_default=0, default=0))
        for name in ("bytes_in", "bytes_out")
    ]
