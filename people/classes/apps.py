"""The Django app of classes."""

from django.apps import AppConfig


class ClassesConfig(AppConfig):
    """Registers the models of :mod:`people.classes.models`."""

    name = "people.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"
