"""The Celery applications, and what beat triggers when. The database is the truth about work; a message only
says "look there".

The process that serves the embedded site has no queue, so it never imports this.
"""

import os
from typing import Any

from celery import Celery, shared_task
from celery.schedules import crontab
from django.conf import settings

__all__ = ["app", "application_of", "shared_task"]

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
# Without this, each worker and beat would read the code of every page when they start, for Django's checks.
# `manage.py migrate` makes those anyway.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")


def timetable() -> dict[str, dict[str, Any]]:
    """What beat sends, and when."""
    return {
        **{
            f"heartbeat of {queue}": {
                "task": "common.heartbeat",
                "schedule": settings.HEARTBEAT_SECONDS,
                "args": [queue],
                "options": {"queue": queue, "expires": 60, "priority": settings.HEARTBEAT_PRIORITY},
            }
            for queue in settings.QUEUES
        },
        # Expired leases are taken back, lost messages sent again.
        "sweep": {"task": "tournaments.sweep", "schedule": 10, "options": {"expires": 30}},
        "friendlies": {"task": "friendlies.sweep", "schedule": 10, "options": {"expires": 30}},
        "people": {"task": "friendlies.want_ratings", "schedule": 300, "options": {"expires": 200}},
        "challenges": {"task": "challenges.expire", "schedule": 600, "options": {"expires": 300}},
        "moderation": {"task": "moderation.sweep", "schedule": 300, "options": {"expires": 200}},
        # Mails and messages that did not arrive are tried again.
        "notices": {"task": "notices.deliver", "schedule": 30, "options": {"expires": 30}},
        # Followers whose message was lost.
        "followers": {"task": "bots.spread_news", "schedule": 60, "options": {"expires": 60}},
        "addresses": {"task": "notices.ask_for_addresses", "schedule": 600, "options": {"expires": 300}},
        "old notices": _at("notices.forget_old", hour="4", minute="5"),
        "analyses": {"task": "tournaments.forget_analyses", "schedule": 600, "options": {"expires": 300}},
        "forgotten": _at("bots.remove_forgotten", hour="*", minute="17"),
        "hosts": {"task": "tournaments.look_at_hosts", "schedule": 120, "options": {"expires": 100}},
        "retention": _at("tournaments.remove_old", hour="4", minute="45"),
        "archive": _at("tournaments.archive_records", hour="5", minute="5"),
        # An analysis process reads the games that ended since.
        "puzzles": {"task": "puzzles.want", "schedule": 300, "options": {"expires": 200}},
        "public data": _at("tournaments.want_datasets", hour="*", minute="25"),
        "audit": _at("tournaments.audit", hour="3", minute="30"),
    }


def _at(task: str, **at: str) -> dict[str, Any]:
    """A task of the clock, which a worker that comes more than an hour late leaves to the next time."""
    return {"task": task, "schedule": crontab(**at), "options": {"expires": 3600}}


def _application(name: str, *, current: bool) -> Celery:
    application = Celery(name, set_as_current=current)
    application.config_from_object("django.conf:settings", namespace="CELERY")
    application.conf.update(beat_schedule=timetable())
    application.autodiscover_tasks()
    return application


app = _application("arena", current=True)


def application_of(queue: str) -> Celery:
    """A new application for the consumer of one queue.

    Celery stores the choice of queues in the application and reads it again after every reconnection.
    Consumers that share an application would all return to the queue that was chosen last.
    """
    return _application(f"arena-{queue}", current=False)
