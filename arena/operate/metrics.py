"""What ``/metrics`` says to Prometheus: what waits, plays and ends, on which hosts, and how large tables are.

Every figure is of the whole site, read from the database: whichever process answers says the same. An
autoscaler can go by `crapette_games_waiting`, `crapette_oldest_waiting_seconds` and
`crapette_capacity_games`.
"""

from collections.abc import Iterator

from django.http import HttpResponse
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from arena import __version__
from arena.web.cache.values import kept_for
from arena.web.models import Heartbeat, Host
from arena.web.processes.capacity import games_at_once, living_workers
from tournaments.models import Alarm
from tournaments.operation import operator_figures

SECONDS = 5.0
SIZES_SECONDS = 60.0


class SiteCollector(Collector):
    """Everything that is measured, in one look."""

    def collect(self) -> Iterator[Metric]:
        """Every metric with its present values."""
        yield _one("crapette_info", "The version that answers", 1, version=__version__)
        queue = operator_figures.queue()
        yield _one("crapette_games_waiting", "Games that wait to be played", queue["queued"])
        yield _one("crapette_games_running", "Games being played", queue["running"])
        yield _one("crapette_oldest_running_seconds", "Age of the longest game", queue["oldest_seconds"])
        yield _one(
            "crapette_oldest_waiting_seconds",
            "Age of the oldest waiting game",
            operator_figures.oldest_waiting(),
        )
        yield _one(
            "crapette_wait_seconds",
            "Mean wait of games claimed in the last hour",
            operator_figures.usual_wait(),
        )
        yield _one("crapette_capacity_games", "Games all hosts play at once", games_at_once())
        remote = operator_figures.remote()
        yield _one("crapette_remote_bots_online", "Remote bots whose program is connected", remote.online)
        yield _one("crapette_remote_games_waiting", "Games with remote bots that wait", remote.waiting)
        yield _one("crapette_remote_games_running", "Games with remote bots being played", remote.running)
        carried = CounterMetricFamily(
            "crapette_remote_bytes", "Bytes from and to remote bots' connections", labels=("direction",)
        )
        carried.add_metric(("in",), remote.bytes_in)
        carried.add_metric(("out",), remote.bytes_out)
        yield carried
        ended = GaugeMetricFamily(
            "crapette_games_ended_last_hour",
            "Games by how they ended and on which host",
            labels=("host", "termination"),
        )
        for one in operator_figures.ended_lately():
            ended.add_metric((one.host, one.termination), one.count)
        yield ended
        yield from _hosts()
        alarms = GaugeMetricFamily("crapette_alarms", "Open alarms", labels=("kind",))
        for kind in Alarm.Kind.values:
            alarms.add_metric((kind,), Alarm.objects.filter(kind=kind, cleared_at=None).count())
        yield alarms
        now = timezone.now()
        beats = GaugeMetricFamily(
            "crapette_heartbeat_age_seconds", "Age of a queue's heartbeat", labels=("queue",)
        )
        for beat in Heartbeat.objects.all():
            beats.add_metric((beat.name,), (now - beat.beaten_at).total_seconds())
        yield beats
        yield _one(
            "crapette_analyses_waiting",
            "Questions that wait for analysis",
            operator_figures.analysis()["waiting"],
        )
        yield from _sizes()


def _hosts() -> Iterator[Metric]:
    """What each host announced."""
    labels = ("host",)
    at_once = GaugeMetricFamily(
        "crapette_host_games_at_once", "Games a live host plays at once", labels=labels
    )
    sound = GaugeMetricFamily("crapette_host_sandbox_ok", "1 if the sandbox of a host holds", labels=labels)
    speed = GaugeMetricFamily("crapette_host_speed", "Benchmark of a host", labels=labels)
    clock = GaugeMetricFamily(
        "crapette_host_clock_seconds", "How far a host's clock runs ahead", labels=labels
    )
    aside = GaugeMetricFamily("crapette_host_set_aside", "1 if a host gets no games", labels=labels)
    for worker in living_workers().filter(games_at_once__gt=0):
        at_once.add_metric((worker.host,), worker.games_at_once)
        sound.add_metric((worker.host,), int(bool(worker.sandbox.get("ok"))))
    for host in Host.objects.all():
        speed.add_metric((host.name,), host.speed)
        clock.add_metric((host.name,), host.clock_ms / 1000)
        aside.add_metric((host.name,), int(host.set_aside_at is not None))
    yield from (at_once, sound, speed, clock, aside)


@kept_for(SIZES_SECONDS)
def _tables() -> list[operator_figures.TableSize]:
    return list(operator_figures.sizes())


def _sizes() -> Iterator[Metric]:
    """Rows and bytes of every table that has any."""
    rows = GaugeMetricFamily("crapette_table_rows", "Rows of a table, about", labels=("table",))
    large = GaugeMetricFamily("crapette_table_bytes", "Bytes of a table with its indexes", labels=("table",))
    for size in _tables():
        if size.rows:
            rows.add_metric((size.table,), size.rows)
        if size.bytes:
            large.add_metric((size.table,), size.bytes)
    yield from (rows, large)


def _one(name: str, words: str, value: float, **labels: str) -> Metric:
    metric = GaugeMetricFamily(name, words, labels=tuple(labels))
    metric.add_metric(tuple(labels.values()), value)
    return metric


@kept_for(SECONDS)
def _text() -> bytes:
    registry = CollectorRegistry()
    registry.register(SiteCollector())
    return generate_latest(registry)


def all_metrics() -> HttpResponse:
    """All metrics as Prometheus reads them."""
    return HttpResponse(_text(), content_type=CONTENT_TYPE_LATEST)
