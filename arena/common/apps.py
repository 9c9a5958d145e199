"""The app of what every page shares."""

from django.apps import AppConfig

from arena.celery import app as celery_app


class CommonConfig(AppConfig):
    """Headers, import map and heartbeat."""

    name = "arena.common"
    label = "common"
    # Loaded with the apps, so that tasks are sent through it by every process that uses the models.
    celery_app = celery_app
