"""The list of tournaments: what matters now comes first, and ladders push nothing down."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Version
from tests.factories.results import play_all
from tests.factories.tournaments import draft, rivals, running
from tournaments.models import Entry, Tournament
from tournaments.pages.events import listing
from tournaments.pages.events.listing import tournament_list
from tournaments.pages.events.standings import Rest, going_on
from tournaments.pairing.progress import cancel_tournament, pause_tournament
from tournaments.ratings.ladder import ensure_ladders

pytestmark = pytest.mark.django_db


def test_events_come_by_what_they_mean_now_and_ladders_beside_them(
    client: Client, ada: User, trio: list[Version]
) -> None:
    ensure_ladders()
    over = running(None, trio, pairs=1, name="Over")
    play_all(over)
    later, sooner = draft(None, trio, name="Later", hours=9), draft(None, trio, name="Sooner", hours=2)
    paused = running(None, trio, pairs=1, name="Paused")
    pause_tournament(paused)
    now = running(None, trio, pairs=1, name="Now")
    gone = running(None, trio, pairs=1, name="Gone")
    cancel_tournament(gone, by=ada)

    found = tournament_list(None)

    assert [one.tournament for one in found.now] == [now, paused]
    assert [one.tournament for one in found.coming] == [sooner, later]
    assert [one.row.tournament for one in found.over] == [gone, over]
    assert found.idle == len(found.ladders) > 5
    page = client.get("/tournaments/").content.decode()
    names = ["Now", "Paused", "Sooner", "Later", "Gone", "Over", 'id="ladders"']
    places = [page.index(f">{name}<" if name.isalpha() else name) for name in names]
    assert places == sorted(places)


def won_by(cup: Tournament, entry: Entry) -> None:
    """Let an entrant have won everything, as if pairs had been voided and played again."""
    zero = {"wins": 0, "losses": 0, "draws": 0}
    cup.pairings.update(**zero)
    cup.pairings.filter(first=entry).update(**{**zero, "wins": 9})
    cup.pairings.filter(second=entry).update(**{**zero, "losses": 9})
    Tournament.objects.filter(pk=cup.pk).update(finished_at=timezone.now())


def test_a_finished_event_names_its_winner_again_after_pairs_were_played_again(ada: User) -> None:
    cup = running(ada, rivals(3), pairs=2)
    play_all(cup)
    for entry in cup.entries.all():
        won_by(cup, entry)
        assert tournament_list(None).over[0].winners == [entry]


def test_a_long_list_costs_the_same_queries_once_winners_are_known(
    ada: User,
    trio: list[Version],
    django_assert_max_num_queries: Callable[[int], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listing, "PER_PAGE", 4)
    for _ in range(5):
        play_all(running(ada, trio[:2], pairs=1))
    assert len(tournament_list(None).over) == 4
    assert len(tournament_list("2").over) == 1
    with django_assert_max_num_queries(8):  # type: ignore[attr-defined]
        tournament_list(None)


def test_busy_ladders_do_not_push_events_off_the_home_page(trio: list[Version]) -> None:
    ensure_ladders()
    events = [running(None, trio, pairs=1, name=f"Event {number}") for number in range(4)]
    # Events whose games are all played for now stand before ladders, too.
    rows, rest = going_on(4)
    assert [one.tournament for one in rows] == events[::-1]
    assert rest == Rest(0, 0, Tournament.objects.filter(format="ladder").count())
