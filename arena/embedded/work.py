"""What the embedded site's worker begins with: what waits in the database, or a first tournament."""

from django.conf import settings

from bots.house import QUICK
from friendlies.services import idle
from tournaments.models import Tournament
from tournaments.services.house import start_house_tournament
from tournaments.services.ladder import ensure_ladder
from tournaments.services.recovery import recover

LADDER = "crapaud"
"""The variant of the ladder that a new arena begins with."""


def describe_workers() -> str:
    """How much is done at once."""
    count = settings.GAMES_AT_ONCE
    return f"{count} game{'s' if count != 1 else ''} at once"


def take_up_work() -> str:
    """Enqueue what is waiting in the database. Start a tournament and a ladder if there never were any."""
    found = recover(alone=True)
    idle.take_up(alone=True)
    started = (
        [] if Tournament.objects.exists() else [start_house_tournament(slugs=QUICK), ensure_ladder(LADDER)]
    )
    said = (
        [f"{found['attempts']} interrupted and {found['games']} waiting games resumed"]
        if found["games"]
        else []
    )
    names = [repr(one.name) for one in started if one is not None]
    if names:
        said.append(f"{' and '.join(names)} started")
    running = Tournament.objects.filter(status=Tournament.Status.RUNNING).count()
    return "; ".join((*said, f"{running} tournament{'s' if running != 1 else ''} running"))
