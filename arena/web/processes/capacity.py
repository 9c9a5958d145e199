"""How many games all hosts together play at once, which of them play, and how their clocks compare."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Min, QuerySet, Sum

from arena.web.cache.values import kept_for
from arena.web.database import database_clock
from arena.web.models import Host, Worker

SILENT = timedelta(seconds=30)
"""A worker that has been silent for this long is considered dead: its lease on being here has run out."""
LOOK_SECONDS: Final = 5.0
"""Who plays is looked up this often by whoever claims games."""

UNTOUCHED: Final = 0.1
"""A host this close to the reference plays with clocks as they are: a benchmark is no more exact."""
LEAST_SCALE: Final = 0.25
MOST_SCALE: Final = 4.0


@dataclass(frozen=True, slots=True)
class PlayingHosts:
    """The hosts that play at present, those set aside, and what each multiplies clocks by."""

    playing: frozenset[str]
    set_aside: frozenset[str]
    scales: dict[str, float]

    def scale(self, host: str) -> float:
        """What clocks are multiplied by on this host."""
        return self.scales.get(host, 1.0)


def living_workers() -> QuerySet[Worker]:
    """Return the workers that have been active lately."""
    return Worker.objects.filter(beaten_at__gt=database_clock.now() - SILENT)


def games_at_once() -> int:
    """Return the sum that live workers announced; without any, what a worker of this site would play.

    A host that was set aside plays nothing, so it does not count.
    """
    aside = Host.objects.filter(set_aside_at__isnull=False).values("name")
    announced: int | None = (
        living_workers().exclude(host__in=aside).aggregate(sum=Sum("games_at_once"))["sum"]
    )
    return announced or settings.GAMES_AT_ONCE


@kept_for(LOOK_SECONDS)
def up_since() -> datetime | None:
    """Return when the oldest of the live workers started, at most five seconds old; None without any."""
    found: datetime | None = living_workers().aggregate(first=Min("started_at"))["first"]
    return found


@kept_for(LOOK_SECONDS)
def games_at_once_lately() -> int:
    """Return `games_at_once`, at most five seconds old."""
    return games_at_once()


@kept_for(LOOK_SECONDS)
def field() -> PlayingHosts:
    """Return who plays, at most five seconds old."""
    hosts = list(Host.objects.all())
    aside = frozenset(host.name for host in hosts if host.set_aside_at is not None)
    living = living_workers().filter(games_at_once__gt=0).values_list("host", flat=True)
    reference = next((host.speed for host in hosts if host.speed > 0), 0.0)
    return PlayingHosts(
        frozenset(living) - aside, aside, {host.name: clock_scale(host.speed, reference) for host in hosts}
    )


def clock_scale(speed: float, reference: float) -> float:
    """Return what CPU time is multiplied by on a host of this speed, so that it buys as much everywhere."""
    if speed <= 0 or reference <= 0:
        return 1.0
    scale = reference / speed
    if abs(scale - 1) <= UNTOUCHED:
        return 1.0
    return round(min(MOST_SCALE, max(LEAST_SCALE, scale)), 2)
