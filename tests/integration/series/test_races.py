"""Two at once: an event is put into one series, and a season is closed once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError, connections

from analysis.errors import CompetitionError
from series.models import FinalPlace, Season, SeasonEvent
from series.services import add_event, close_season
from tests.factories.accounts import author
from tests.factories.series import league, played_event
from tests.factories.tournaments import draft, entrants

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[BaseException]:
    """Do all of it at the same time; what was refused."""
    start, refused = threading.Barrier(len(acts)), list[BaseException]()

    def do(act: Callable[[], object]) -> None:
        start.wait()
        try:
            act()
        except (CompetitionError, OperationalError) as error:
            refused.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=do, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def test_an_event_that_two_series_want_belongs_to_one() -> None:
    ada = author("ada")
    one, other = league(ada, "One league"), league(ada, "Other league")
    event = draft(ada, entrants(ada, 2))
    refused = at_once(lambda: add_event(one, ada, event.slug), lambda: add_event(other, ada, event.slug))
    assert len(refused) == 1
    assert SeasonEvent.objects.count() == 1


def test_a_season_that_two_close_is_closed_once() -> None:
    ada = author("ada")
    series = league(ada)
    played_event(series, entrants(ada, 2))
    refused = at_once(*[lambda: close_season(series, ada, 1, goes_on=True)] * 3)
    assert len(refused) == 2
    assert (Season.objects.count(), FinalPlace.objects.count()) == (2, 2)
