"""Hosts and workers that were heard of."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from arena.web.cache import values
from arena.web.models import Host, Worker

CONTAINED = {"ok": True, "level": "full", "languages": {"python": True}}
"""What a worker says of a sandbox that holds."""


def worker(
    name: str,
    host: str = "here",
    *,
    seconds_ago: float = 1,
    games_at_once: int = 2,
    sandbox: Mapping[str, Any] = CONTAINED,
) -> Worker:
    """A worker of a host that was last heard of so long ago."""
    return Worker.objects.create(
        name=name,
        host=host,
        pid=1,
        games_at_once=games_at_once,
        sandbox=dict(sandbox),
        beaten_at=timezone.now() - timedelta(seconds=seconds_ago),
    )


def host(name: str, speed: float = 1.0, *, cores: int = 1, **how: Any) -> Host:
    """A host with one worker, which was heard of just now unless told otherwise."""
    now = timezone.now()
    made = Host.objects.create(name=name, cores=cores, speed=speed, announced_at=now, spell_from=now)
    worker(f"play@{name}", name, **{"seconds_ago": 0, **how})
    values.forget_all()
    return made
