"""The Django app of challenges."""

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Registers the models of :mod:`tournaments.challenges.models`."""

    name = "tournaments.challenges"
    verbose_name = "Challenges"
    default_auto_field = "django.db.models.BigAutoField"
