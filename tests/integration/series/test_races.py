"""Two at once: an event is put into one series, and a season is closed once."""

import threading
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection, connections

from analysis.errors import CompetitionError
from bots.errors import BotsError
from bots.models import Bot
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import draft, entrants
from tests.racing import waiting
from tournaments.models import Tournament
from tournaments.series.closure import close_season
from tournaments.series.events import add_event, move_event, remove_event
from tournaments.series.models import EventSeries, FinalPlace, Season, SeasonEvent

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[BaseException]:
    """Do all of it at the same time; what was refused."""
    start, refused = threading.Barrier(len(acts)), list[BaseException]()

    def do(act: Callable[[], object]) -> None:
        start.wait()
        try:
            act()
        except (BotsError, CompetitionError, OperationalError, PermissionDenied) as error:
            refused.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=do, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refused


def test_an_event_that_two_series_want_belongs_to_one_and_a_season_that_three_close_is_closed_once() -> None:
    ada = author("ada")
    one, other = league(ada, "One league"), league(ada, "Other league")
    versions = entrants(ada, 2)
    event = draft(ada, versions)
    refused = at_once(lambda: add_event(one, ada, event.slug), lambda: add_event(other, ada, event.slug))
    assert len(refused) == 1
    assert SeasonEvent.objects.count() == 1
    series = league(ada)
    played_event(series, versions)
    refused = at_once(*[lambda: close_season(series, ada, 1, goes_on=True)] * 3)
    assert len(refused) == 2
    assert (Season.objects.filter(series=series).count(), FinalPlace.objects.count()) == (2, 2)


@pytest.mark.on_postgresql
def test_closing_a_season_waits_for_an_author_who_deletes_their_account_before_it_holds_anything() -> None:
    ada, bob = author("ada"), author("bob")
    series = league(ada)
    played_event(series, [accepted_bot(ada), accepted_bot(bob, "his")])
    if not connection.features.has_select_for_update:  # one writes at a time
        close_season(series, ada, 1, goes_on=True)
        return
    account = type(bob).objects.select_for_update().filter(pk=bob.pk)
    with waiting(lambda: close_season(series, ada, 1, goes_on=True), account.get):
        for model in (EventSeries, Tournament, Bot):
            list(model._default_manager.select_for_update(nowait=True, of=("self",)))


@pytest.mark.on_postgresql
@pytest.mark.parametrize("attempt", range(3))
def test_an_account_can_be_deleted_while_its_series_changes(attempt: int) -> None:
    ada, staff = author("ada"), author("staff", is_staff=True)
    series, versions = league(ada), entrants(ada, 2)
    played_event(series, versions)
    event = event_of(series, versions, name="Last")
    refused = at_once(
        lambda: delete_account(ada),
        lambda: move_event(series, ada, event.slug),
        lambda: remove_event(series, ada, event.slug),
        lambda: close_season(series, staff, 1, goes_on=True),
    )
    assert not [one for one in refused if "deadlock" in str(one)]
