from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("bots", "0013_followers"),
        ("friendlies", "0003_people_rated"),
        ("tournaments", "0033_closed_invitations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="friendly",
            name="level",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name="friendly",
            constraint=models.CheckConstraint(
                condition=models.Q(("rated", False), ("level", None), _connector="OR"),
                name="friendly_rated_full",
            ),
        ),
    ]
