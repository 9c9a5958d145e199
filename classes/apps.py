"""The Django app of classes."""

from django.apps import AppConfig


class ClassesConfig(AppConfig):
    """Registers the models of :mod:`classes.models`, and keeps others out of the events of a class."""

    name = "classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who may enter an event of a class."""
        from classes.services.events import kept_out  # noqa: PLC0415 (it needs the apps loaded)
        from tournaments.services.admission import guard_with  # noqa: PLC0415

        guard_with(kept_out)
