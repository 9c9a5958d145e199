"""The Django app of series."""

from django.apps import AppConfig


class SeriesConfig(AppConfig):
    """Registers the models of :mod:`tournaments.series.models`, and says which series an event can enter."""

    name = "tournaments.series"
    verbose_name = "Series"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say which series a new event can be put into, and to which one an event belongs; listen for
        organisers who leave."""
        from bots.services.listeners import listen  # noqa: PLC0415
        from tournaments.series.services.event_membership import SeriesCollection  # noqa: PLC0415 (it needs the apps loaded)
        from tournaments.series.services.leaving import SeriesListener  # noqa: PLC0415
        from tournaments.services.event_membership import collect_with  # noqa: PLC0415

        collect_with(SeriesCollection())
        listen(SeriesListener())
