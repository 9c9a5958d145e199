"""The Django app of series."""

from django.apps import AppConfig


class SeriesConfig(AppConfig):
    """Registers the models of :mod:`tournaments.series.models`."""

    name = "tournaments.series"
    verbose_name = "Series"
    default_auto_field = "django.db.models.BigAutoField"
