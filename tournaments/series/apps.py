"""The Django app of series."""

from django.apps import AppConfig


class SeriesConfig(AppConfig):
    """Registers the models of :mod:`tournaments.series.models`, and listens for organisers who leave."""

    name = "tournaments.series"
    verbose_name = "Series"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Listen for organisers who leave."""
        from bots.port import listen  # noqa: PLC0415 (it needs the apps loaded)
        from tournaments.series.services.leaving import SeriesListener  # noqa: PLC0415

        listen(SeriesListener())
