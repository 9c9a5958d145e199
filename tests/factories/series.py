"""Series, with events that were played."""

from collections.abc import Sequence
from typing import Any

from arena.accounts.models import User
from bots.models import Version
from tests.factories.results import play_all
from tests.factories.tournaments import created
from tournaments.models import Tournament
from tournaments.pairing.progress import start_tournament
from tournaments.series.creation import RuleWish, create
from tournaments.series.events import put_new
from tournaments.series.models import EventSeries


def league(owner: User, name: str = "Winter League", **rule: Any) -> EventSeries:
    """A series with an open season."""
    return create(owner, name, "Every second Sunday.", RuleWish(**rule))


def event_of(series: EventSeries, versions: Sequence[Version], **wish: Any) -> Tournament:
    """An event of the open season that has not started; the organiser of the series founded it."""
    assert series.owner is not None
    tournament = created(series.owner, versions, **{"pairs_per_pairing": 1, **wish})
    put_new(series, series.owner, tournament)
    return tournament


def played_event(series: EventSeries, versions: Sequence[Version], **wish: Any) -> Tournament:
    """An event of the open season, played to its end with invented games."""
    tournament = event_of(series, versions, **wish)
    start_tournament(tournament)
    play_all(tournament)
    return tournament
