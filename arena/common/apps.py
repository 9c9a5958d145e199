"""The app of what every page shares."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from arena.celery import app as celery_app


class CommonConfig(AppConfig):
    """Headers, import map, heartbeat and stamps."""

    name = "arena.common"
    label = "common"
    # Loaded with the apps, so that tasks are sent through it by every process that uses the models.
    celery_app = celery_app

    def ready(self) -> None:
        """Let every migration end with its tables stamped."""
        # The one signal used here: Django offers no other place after all migrations of all apps.
        post_migrate.connect(_install_stamps, sender=self)


def _install_stamps(using: str, **_: Any) -> None:
    from arena.common import stamps  # noqa: PLC0415 (its model needs the apps loaded)

    stamps.install(using)
