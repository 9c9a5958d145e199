"""The Django app of challenges."""

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Registers the models of :mod:`tournaments.challenges.models`."""

    name = "tournaments.challenges"
    verbose_name = "Challenges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen to what happens to bots."""
        from bots.services import listen  # noqa: PLC0415
        from tournaments.challenges.services.handover import ChallengeListener  # noqa: PLC0415

        listen(ChallengeListener())
