"""The Django app of challenges."""

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Registers the models of :mod:`challenges.models`."""

    name = "challenges"
    verbose_name = "Challenges"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen to what happens to bots."""
        from bots.services import listen  # noqa: PLC0415
        from challenges.services.handing import ChallengeListener  # noqa: PLC0415

        listen(ChallengeListener())
