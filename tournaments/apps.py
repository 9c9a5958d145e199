"""The Django app of tournaments, games and ratings."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, games, results and ratings."""

    default_auto_field = "django.db.models.BigAutoField"
    name = "tournaments"
    verbose_name = "Competition"

    def ready(self) -> None:
        """Have evidence forgotten with the owner of a bot."""
        from bots.services import also_forget  # noqa: PLC0415 (they need the apps loaded)
        from tournaments.services.departures import forget_evidence  # noqa: PLC0415

        also_forget(forget_evidence)
