"""The Django app of tournaments, games and ratings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, games, results and ratings."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "tournaments"
    verbose_name = "Competition"

    def ready(self) -> None:
        """Hear of what happens to bots."""
        from bots.services import listen  # noqa: PLC0415 (they need the apps loaded)
        from tournaments.services.entrants import FieldListener  # noqa: PLC0415

        listen(FieldListener())
