"""``/admin/overview/``: the operator's page. Hosts, queues, alarms with what to do, sizes and limits."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from arena.operate.health import examine
from arena.web import charts, limits
from arena.web.i18n.phrases import day_and_time, decimal
from arena.web.models import Host, Worker
from arena.web.processes import capacity, incidents
from tournaments.games import archive
from tournaments.games import archive as archived_events
from tournaments.models import Alarm
from tournaments.operation import operator_figures, retention
from tournaments.operation.queue import Span, last_hours_for_operators
from tournaments.pages.queue import LEAST, ROOM, hours_chart
from tournaments.pairing.embargo import waiting_hidden

WHAT_TO_DO = {
    Alarm.Kind.SANDBOX: "Read the reason, and “The sandbox” in the documentation. Games go on once it holds.",
    Alarm.Kind.PAIR: "Read the attempts of its games, fix the cause, then void the pair: it is played again.",
    Alarm.Kind.BOT: "Read the attempts. Clear the alarm if the host was at fault; leave it if the bot was.",
    Alarm.Kind.CHECK: "Read the detail, fix the cause, then check the version again from its page here.",
    Alarm.Kind.HOST: "Compare the host with the others: load, memory, clock. Then choose Let play again.",
    Alarm.Kind.ARCHIVE: "Restore the file from a backup, or reconnect the storage: manage.py archive.",
    Alarm.Kind.AUDIT: "Do not publish ratings. Make a backup, then compare the pairs that it names.",
}


@dataclass(frozen=True, slots=True)
class HostRow:
    """A host as the page shows it."""

    host: Host
    scale: float
    workers: list[Worker]

    @property
    def games_at_once(self) -> int:
        """What its live workers play at once."""
        return sum(worker.games_at_once for worker in self.workers)

    @property
    def state(self) -> str:
        """One word, and a reason if it is not playing."""
        if self.host.set_aside_at is not None:
            return f"set aside: {self.host.reason}"
        if not self.games_at_once:
            return "not playing"
        bad = [
            w.sandbox.get("reason", "not examined yet")
            for w in self.workers
            if w.games_at_once and not w.sandbox.get("ok")
        ]
        return f"sandbox: {bad[0]}" if bad else "playing"


def _waits(spans: Sequence[Span]) -> charts.Chart | None:
    """The mean wait of the games that were claimed in each hour."""
    known = [(one.at, one.wait) for one in spans if one.wait is not None]
    if len(known) < LEAST:
        return None
    first, last = known[0][0], known[-1][0]
    across = charts.Scale(0, (last - first).total_seconds())
    up = charts.Scale(0, ROOM * max(1.0, *(wait for _, wait in known)))
    points = [
        charts.Point((at - first).total_seconds(), wait, f"{day_and_time(at)}: {decimal(wait, 1)} s")
        for at, wait in known
    ]
    return charts.Chart(
        "Average wait of a game, in seconds",
        [charts.curve(charts.Series("second", "Average wait in seconds", points), across, up)],
        charts.time_marks(first, last),
        charts.marks_up(up),
        ["Hour (UTC)", "Seconds"],
        [[day_and_time(at), decimal(wait, 1)] for at, wait in known],
        "Across: hours (UTC), each with the games claimed in it",
    )


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """The operator's page."""
    field = capacity.field()
    state = examine()
    lately = last_hours_for_operators()
    living = list(capacity.living_workers())
    hosts = [
        HostRow(host, field.scale(host.name), [one for one in living if one.host == host.name])
        for host in Host.objects.all()
    ]
    context = {
        **admin.site.each_context(request),
        "title": "Overview",
        "state": state,
        "hosts": hosts,
        "queue": operator_figures.queue(),
        "hidden": waiting_hidden(),
        "wait": operator_figures.usual_wait(),
        "charts": [one for one in (hours_chart(lately), _waits(lately)) if one is not None],
        "oldest": operator_figures.oldest_waiting(),
        "capacity": capacity.games_at_once(),
        "remote": operator_figures.remote() if settings.REMOTE else None,
        "alarms": [
            (alarm, WHAT_TO_DO.get(Alarm.Kind(alarm.kind), "")) for alarm in operator_figures.open_alarms()
        ],
        "heartbeats": state["parts"]["queues"].get("age_seconds", {}),
        "incidents": incidents.lately(),
        "ended": operator_figures.ended_lately(),
        "given_back": operator_figures.given_back_lately(),
        "sizes": [size for size in operator_figures.sizes() if size.rows],
        "rules": [(rule, limits.value(rule.limit), retention.would_remove(rule)) for rule in retention.RULES],
        "limits": [(name, limits.value(name), declared) for name, declared in limits.DECLARED.items()],
        "archived": archived_events.by_month(),
        "to_archive": archive.waiting(),
        "now": timezone.now(),
    }
    return render(request, "admin/overview.html", context)
