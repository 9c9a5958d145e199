"""What waits to be played, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.web.cache.pages import everybody, shared_page
from arena.web.processes.capacity import games_at_once
from tournaments.operation import queue as waiting
from tournaments.pages.games import rows as games
from tournaments.pages.throughput import hours_chart

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

GAMES_SHOWN = 20


@shared_page(seconds=1, among=everybody)
@gzip_page
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Checks and tournaments that wait, in the order they will be done, with reasons and times."""
    at_once = games_at_once()
    context = {
        "checks": waiting.waiting_checks(),
        "waiting": waiting.waiting_tournaments(at_once),
        "running": games.running(GAMES_SHOWN),
        "at_once": at_once,
        "chart": hours_chart(),
    }
    return render(request, "tournaments/queue.html", context)
