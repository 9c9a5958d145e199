"""A game that goes on, told to those who watch it event by event."""

from arena.web.live.publisher import publisher
from bots.playing.game_process import DeliveredGame
from tests.factories.accounts import author
from tests.factories.results import delivery, lease
from tests.factories.tournaments import entrants, running
from tournaments.games.attempts import renew
from tournaments.games.claims import Lease
from tournaments.models import Tournament


def begun() -> tuple[Tournament, Lease, DeliveredGame]:
    """A running tournament, a claimed game and all that will be said about it (events 0 … 20)."""
    owner = author()
    tournament = running(owner, entrants(owner, 2))
    held = lease()
    return tournament, held, delivery(held.game, events=20)


def tell(held: Lease, whole: DeliveredGame, first: int, last: int) -> None:
    """Store and broadcast some events, and wait until they were sent."""
    renew(held, last, whole.events[first:last])
    publisher().flush()
