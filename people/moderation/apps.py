"""The Django app of moderation."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """Registers the models of :mod:`people.moderation.models`."""

    name = "people.moderation"
    verbose_name = "Moderation"
    default_auto_field = "django.db.models.BigAutoField"
