"""The app of what every page shares."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class CommonConfig(AppConfig):
    """Headers, import map, heartbeat and stamps."""

    name = "arena.common"
    label = "common"

    def ready(self) -> None:
        """Let every migration end with its tables stamped."""
        # The one signal used here: Django offers no other place after all migrations of all apps.
        post_migrate.connect(_install_stamps, sender=self)


def _install_stamps(using: str, **_: Any) -> None:
    from arena.common import stamps  # noqa: PLC0415 (its model needs the apps loaded)

    stamps.install(using)
