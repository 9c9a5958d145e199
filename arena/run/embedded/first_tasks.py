"""What the embedded site's worker begins with: what waits in the database, or a first tournament."""

from django.conf import settings

from bots.house import QUICK
from friendlies.tables import idle
from tournaments.events.house_tournaments import start_house_tournament
from tournaments.models import Tournament
from tournaments.operation.recovery import recover
from tournaments.ratings.ladder import ensure_ladder, ensure_ladders
from tournaments.ratings.leaderboards import asleep

LADDER = "crapaud"
"""The board whose ladder measures the house bots of a new arena."""


def describe_workers() -> str:
    """How much is done at once."""
    count = settings.GAMES_AT_ONCE
    return f"{count} game{'s' if count != 1 else ''} at once"


def take_up_work() -> str:
    """Enqueue what is waiting in the database. Start a tournament if there never was one, and make the
    missing ladders."""
    found = recover(alone=True)
    idle.take_up(alone=True)
    first, ladders = None, 0
    if not Tournament.objects.exists():
        first = start_house_tournament(slugs=QUICK)
        ensure_ladder(LADDER, measures_house=True)
        ladders = 1
    ladders += ensure_ladders()
    said = (
        [f"{found['attempts']} interrupted and {found['games']} waiting games resumed"]
        if found["games"]
        else []
    )
    started = [repr(first.name)] if first is not None else []
    started += [f"{ladders} ladder{'s' if ladders != 1 else ''}"] if ladders else []
    if started:
        said.append(f"{' and '.join(started)} started")
    running = Tournament.objects.filter(status=Tournament.Status.RUNNING).exclude(asleep()).count()
    return "; ".join((*said, f"{running} tournament{'s' if running != 1 else ''} running"))
