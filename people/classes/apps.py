"""The Django app of classes."""

from django.apps import AppConfig


class ClassesConfig(AppConfig):
    """Registers the models of :mod:`people.classes.models`, and keeps others out of the events of a class,
    also when its teacher deletes their account."""

    name = "people.classes"
    verbose_name = "Classes"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say who may enter an event of a class, and listen for teachers who leave."""
        from bots.port import listen  # noqa: PLC0415
        from people.classes.services.events import kept_out  # noqa: PLC0415 (it needs the apps loaded)
        from people.classes.services.leaving import ClassListener  # noqa: PLC0415
        from tournaments.services.entry_rules import guard_with  # noqa: PLC0415

        guard_with(kept_out)
        listen(ClassListener())
