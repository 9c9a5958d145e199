"""The Django app of bots and their versions."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """Registers the models of :mod:`bots.models`."""

    name = "bots"
    verbose_name = "Bots"
    default_auto_field = "django.db.models.BigAutoField"
