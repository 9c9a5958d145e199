"""Celery tasks of notices."""

from __future__ import annotations

import threading

from arena.celery import shared_task
from arena.notices import address_deadlines, delivery
from arena.web.tasks import RESENT

_SENDING = threading.Semaphore(1)
"""One of the few threads that do short tasks may wait for strangers' servers at a time."""


@shared_task(name="notices.deliver", **RESENT)
def deliver() -> None:
    """Send what is due. The sweep comes back for whatever is left."""
    if not _SENDING.acquire(blocking=False):
        return
    try:
        delivery.deliver_due()
    finally:
        _SENDING.release()


@shared_task(name="notices.ask_for_addresses")
def ask_for_addresses() -> None:
    """Tell accounts of a site that now has a mail server that they need a confirmed address."""
    address_deadlines.ask_for_addresses()


@shared_task(name="notices.forget_old")
def forget_old() -> None:
    """Delete old notices."""
    delivery.forget_old()
