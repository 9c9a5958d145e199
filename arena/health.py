"""``/health``: is everything there that a game needs? JSON; 200 when green, 503 when red, with reasons."""

import time
from collections.abc import Callable
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena import __version__
from arena.common.models import Heartbeat
from tournaments.selectors.health import competition

# A heartbeat travels beat → broker → worker → database; it may be late by a few periods under load.
LATE_SECONDS = 6 * settings.HEARTBEAT_SECONDS

Part = dict[str, Any]


def database() -> Part:
    """Can the database be read, and how long does it take?"""
    begun = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {"ok": True, "vendor": connection.vendor, "ms": round((time.perf_counter() - begun) * 1000, 1)}


def broker() -> Part:
    """Does the broker answer?"""
    with current_app.connection_for_write() as link:
        link.ensure_connection(max_retries=1, timeout=2)
        return {"ok": True, "transport": link.transport_cls}


def worker() -> Part:
    """Was a worker alive within the last minute?"""
    beat = Heartbeat.objects.filter(name=settings.CELERY_TASK_DEFAULT_QUEUE).first()
    if beat is None:
        return {"ok": False, "reason": "no worker has beaten yet"}
    age = (timezone.now() - beat.beaten_at).total_seconds()
    part: Part = {"ok": age <= LATE_SECONDS, "age_seconds": round(age, 1)}
    if not part["ok"]:
        part["reason"] = f"the last heartbeat is {age:.0f} s old, expected at most {LATE_SECONDS} s"
    return part


PARTS: dict[str, Callable[[], Part]] = {
    "database": database,
    "broker": broker,
    "worker": worker,
    "competition": competition,
}


def examine() -> Part:
    """Every part's state; a part that raises is red with the error's words."""
    parts: Part = {}
    for name, look in PARTS.items():
        try:
            parts[name] = look()
        except Exception as error:  # whatever is wrong with a part is the answer
            parts[name] = {"ok": False, "reason": f"{type(error).__name__}: {error}"}
    return {"ok": all(part["ok"] for part in parts.values()), "version": __version__, "parts": parts}


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """The state of every part."""
    state = examine()
    return JsonResponse(state, status=200 if state["ok"] else 503)
