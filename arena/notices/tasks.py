"""Celery tasks of notices."""

from __future__ import annotations

import threading

from arena.accounts import confirmation
from arena.celery import shared_task
from arena.notices import delivery
from arena.notices.sending import DELIVER
from arena.web.tasks import RESENT
from arena.web.worker_messages import send

_SENDING = threading.Semaphore(1)
"""One of the few threads that do short tasks may wait for strangers' servers at a time."""


@shared_task(name="notices.deliver", **RESENT)
def deliver() -> None:
    """Send what is due; another task goes on with the rest."""
    if not _SENDING.acquire(blocking=False):
        return
    try:
        tried = delivery.deliver_due()
    finally:
        _SENDING.release()
    if tried:
        send(DELIVER)


@shared_task(name="notices.ask_for_addresses")
def ask_for_addresses() -> None:
    """Tell accounts of a site that now has a mail server that they need a confirmed address."""
    confirmation.ask_for_addresses()


@shared_task(name="notices.forget_old")
def forget_old() -> None:
    """Delete old notices."""
    delivery.forget_old()
