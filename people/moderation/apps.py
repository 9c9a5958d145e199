"""The Django app of moderation."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """Registers the models of :mod:`people.moderation.models`, and what keeps hidden names as they are."""

    name = "people.moderation"
    verbose_name = "Moderation"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Be asked before a bot gets another name or description."""
        # Models can be loaded only now.
        from bots import port as listeners  # noqa: PLC0415
        from people.moderation.listening import ModerationListener  # noqa: PLC0415

        listeners.listen(ModerationListener())
