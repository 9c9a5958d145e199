"""``/health``: is everything there that a game needs? JSON; 200 when green, 503 when red.

Everybody reads whether each part is well, on ``/how-it-works/`` in words. Reasons quote errors, paths and
names of hosts, so they are for operators: staff who may open the administration, and programs with the token
for metrics.
"""

from __future__ import annotations

import hmac
import logging
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib import admin
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from arena import __version__
from arena.accounts import captcha as checks
from arena.web import worker_messages
from arena.web.cache.values import kept_for
from arena.web.models import Heartbeat, Worker
from arena.web.processes.capacity import SILENT, living_workers
from tournaments.operation.operator_figures import analysis, competition

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# A heartbeat travels beat → broker → worker → database; it may be late by a few periods under load.
LATE_SECONDS = 6 * settings.HEARTBEAT_SECONDS

log = logging.getLogger(__name__)

Part = dict[str, Any]
_migrated = threading.Event()
TROUBLES: Final = {
    "database": gettext_lazy("The database does not answer: pages may be missing."),
    "broker": gettext_lazy("Messages do not arrive: new games may start late."),
    "workers": gettext_lazy("A machine that plays games has gone silent."),
    "queues": gettext_lazy("Work waits longer than usual before it is taken."),
    "sandbox": gettext_lazy("The sandbox does not hold on every machine: games wait until it does."),
    "competition": gettext_lazy("An operator has to look at a game or a rating."),
    "analysis": gettext_lazy("Analysis of finished games is late."),
    "captcha": gettext_lazy("The service that tells people from programs is away: signing up may fail."),
}
"""What a part that is not well means to a visitor; the reasons are for operators."""


def database() -> Part:
    """Can the database be read, and how long does it take?"""
    begun = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return {"ok": True, "vendor": connection.vendor, "ms": round((time.perf_counter() - begun) * 1000, 1)}


def broker() -> Part:
    """Does the broker answer?"""
    if not settings.REDIS_URL:
        return {"ok": True, "transport": "memory"}  # of the process that plays, which `workers` is about
    with worker_messages.broker().connection_for_write() as link:
        link.ensure_connection(max_retries=1, timeout=2)
        return {"ok": True, "transport": link.transport_cls}


def workers() -> Part:
    """Does every worker live that was not ended in good order, and is any there at all?"""
    now = timezone.now()
    rows = list(Worker.objects.all())
    silent = [row for row in rows if row.beaten_at <= now - SILENT]
    part: Part = {
        "ok": bool(rows) and not silent,
        "games_at_once": sum(row.games_at_once for row in rows if row not in silent),
        "workers": {row.name: round((now - row.beaten_at).total_seconds(), 1) for row in rows},
    }
    if silent:
        names = ", ".join(row.name for row in silent)
        part["reason"] = f"not heard of for {SILENT.total_seconds():.0f} s: {names}"
    elif not rows:
        part["reason"] = "no worker is there"
    return part


def queues() -> Part:
    """Did a message go through each queue to a worker within the last minute?"""
    beats = dict(Heartbeat.objects.values_list("name", "beaten_at"))
    now = timezone.now()
    ages = {
        queue: round((now - beats[queue]).total_seconds(), 1) if queue in beats else None
        for queue in settings.QUEUES
    }
    late = [queue for queue, age in ages.items() if age is None or age > LATE_SECONDS]
    part: Part = {"ok": not late, "age_seconds": ages}
    if len(late) == len(ages):
        part["reason"] = f"no queue had a heartbeat within {LATE_SECONDS} s: is beat running?"
    elif late:
        part["reason"] = f"no heartbeat within {LATE_SECONDS} s came through {', '.join(late)}"
    return part


def sandbox() -> Part:
    """Can bots be contained on every host that plays? Each worker examines its own every minute."""
    found = {row.name: row.sandbox for row in living_workers() if row.games_at_once}
    bad = {name: report for name, report in found.items() if not report.get("ok")}
    part: Part = {
        "ok": bool(found) and not bad,
        "level": ", ".join(sorted({report["level"] for report in found.values() if report})),
        "workers": found,
    }
    if bad:
        part["reason"] = "; ".join(
            f"{name}: {report.get('reason', 'not examined yet')}" for name, report in bad.items()
        )
    elif not found:
        part["reason"] = "no worker that plays is there to examine it"
    return part


def captcha() -> Part:
    """Does the service answer that tells people from programs when they sign up?"""
    found = checks.trouble()
    if found is None:
        return {"ok": True}
    return {
        "ok": False,
        "reason": f"{found.title} has let nobody sign up since {found.since:%Y-%m-%d %H:%M} UTC."
        f" {found.reason} Fix that, or set the limit {checks.LIMIT} to 0 to do without",
    }


PARTS: dict[str, Callable[[], Part]] = {
    "database": database,
    "broker": broker,
    "workers": workers,
    "queues": queues,
    "sandbox": sandbox,
    "competition": competition,
    "analysis": analysis,
    "captcha": captcha,
}


def examine(looks: Mapping[str, Callable[[], Part]] = PARTS) -> Part:
    """Every part's state; a part that raises is red with the error's words."""
    parts: Part = {}
    for name, look in looks.items():
        try:
            parts[name] = look()
        except Exception as error:
            # Whatever is wrong with a part is the answer; the details are the operator's.
            log.exception("the %s could not be examined", name)
            parts[name] = {"ok": False, "reason": f"it could not be examined: {type(error).__name__}"}
    return {"ok": all(part["ok"] for part in parts.values()), "version": __version__, "parts": parts}


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Whether this process can answer requests now: 200, or 503 with a reason. A balancer asks this.

    It says nothing about workers or alarms (`/health` does): pages are worth serving without them.
    """
    try:
        database()
        if not _migrated.is_set():
            # Once is enough: a process that knows more migrations than the database is a new one.
            executor = MigrationExecutor(connection)
            waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
            if waiting:
                reason = f"{len(waiting)} migrations have not been applied yet"
                return JsonResponse({"ok": False, "reason": reason}, status=503)
            _migrated.set()
    except DatabaseError as error:
        log.warning("not ready: %s", error)
        return JsonResponse({"ok": False, "reason": "the database does not answer"}, status=503)
    return JsonResponse({"ok": True, "version": __version__})


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """The state of every part, for operators with the reasons."""
    state = examine()
    if not _asked_by_operator(request):
        state["parts"] = {name: {"ok": part["ok"]} for name, part in state["parts"].items()}
    return JsonResponse(state, status=200 if state["ok"] else 503)


def knows_token(request: HttpRequest) -> bool:
    """Whether a program sends ``CRAPETTE_METRICS_TOKEN`` as ``Authorization: Bearer``."""
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    wanted = settings.METRICS_TOKEN
    return bool(wanted) and hmac.compare_digest(given.encode(), wanted.encode())


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics, to whoever sends that token; to others there is no page."""
    if not knows_token(request):
        raise Http404
    # Every process that knows our addresses would read Prometheus' library for this one page.
    from arena.operate.metrics import all_metrics  # noqa: PLC0415

    return all_metrics()


def _asked_by_operator(request: HttpRequest) -> bool:
    try:
        return knows_token(request) or admin.site.has_permission(request)
    except DatabaseError:  # nobody can be recognised while it is away
        return False


@kept_for(5.0)
def _lately_examined() -> Part:
    """`examine` for a page that everybody may ask for as often as they like: it takes ten queries."""
    return examine()


@never_cache
@require_safe
def show_how_it_works(request: HttpRequest) -> HttpResponse:
    """How the arena works, with what does not work at the moment."""
    parts = _lately_examined()["parts"]
    troubles = [words for name, words in TROUBLES.items() if not parts[name]["ok"]]
    return render(request, "how_it_works.html", {"troubles": troubles, "queue": parts["competition"]})
