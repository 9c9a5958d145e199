"""The Django app of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Registers the models of :mod:`notices.models`."""

    name = "notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"
