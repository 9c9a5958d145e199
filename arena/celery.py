"""The Celery applications. The database is the truth about work; a message only says "look there"."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")


def _application(name: str, *, current: bool) -> Celery:
    application = Celery(name, set_as_current=current)
    application.config_from_object("django.conf:settings", namespace="CELERY")
    application.autodiscover_tasks()
    return application


app = _application("arena", current=True)


def application_of(queue: str) -> Celery:
    """A new application for the consumer of one queue.

    Celery stores the choice of queues in the application and reads it again after every reconnection.
    Consumers that share an application would all return to the queue that was chosen last.
    """
    return _application(f"arena-{queue}", current=False)
