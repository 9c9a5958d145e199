"""Which queues there are, and which of them a worker process serves."""

from dataclasses import dataclass

from django.conf import settings

from sandbox import inspections

PLAY_NICE = 5
"""Pages go first; what supervises games comes before the games themselves."""
OTHER_TASKS_AT_ONCE = 4
ANSWERS_AT_ONCE = 4
CHECKS_AT_ONCE = min(4, inspections.AT_ONCE)
"""As many as find a place to inspect their file in."""


@dataclass(frozen=True, slots=True)
class Role:
    """What one worker process does: the queues it serves with so many tasks at once each, whether it plays
    games, and how far its threads yield to others."""

    name: str
    queues: dict[str, int]
    plays: bool
    nice: int = 0

    @property
    def sweeps(self) -> bool:
        """Whether it may ask for all work that waits: it does the tasks that this takes."""
        return settings.CELERY_TASK_DEFAULT_QUEUE in self.queues


def games() -> Role:
    """Play games, and nothing else: all that a host needs that joins with a worker's secret."""
    return Role("games", {settings.GAMES_QUEUE: 1}, plays=True, nice=PLAY_NICE)


def control() -> Role:
    """Ask bots for people, check uploads, and do everything short; play no games of tournaments."""
    queues = {
        settings.CELERY_TASK_DEFAULT_QUEUE: OTHER_TASKS_AT_ONCE,
        settings.FRIENDLY_QUEUE: ANSWERS_AT_ONCE,
        settings.CHECKS_QUEUE: CHECKS_AT_ONCE,
    }
    return Role("control", queues, plays=False, nice=PLAY_NICE)


def play() -> Role:
    """What `games` and `control` do, in one process.

    Each queue has a consumer of its own, so that a long queue of one kind never delays a person at a table,
    a sweep or the check of an upload. A message about games only wakes the threads that play.
    """
    queues = {
        settings.CELERY_TASK_DEFAULT_QUEUE: OTHER_TASKS_AT_ONCE,
        settings.GAMES_QUEUE: 1,
        settings.FRIENDLY_QUEUE: ANSWERS_AT_ONCE,
        settings.CHECKS_QUEUE: CHECKS_AT_ONCE,
    }
    return Role("play", queues, plays=True, nice=PLAY_NICE)


def analysis() -> Role:
    """Do the sums that nothing waits for, one at a time."""
    return Role("analysis", {settings.ANALYSIS_QUEUE: 1}, plays=False, nice=15)


def everything() -> Role:
    """All of it in one process: the embedded site."""
    return Role("site", {**play().queues, **analysis().queues}, plays=True)


ROLES = {"play": play, "games": games, "control": control, "analysis": analysis}
"""The worker processes of production, by the word that starts them."""
