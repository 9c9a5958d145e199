"""The Django app of tournaments, games and ratings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, games, results and ratings."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "tournaments"
    verbose_name = "Competition"
