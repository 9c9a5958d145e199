"""The Django app of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Registers the models of :mod:`arena.notices.models`."""

    name = "arena.notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"
