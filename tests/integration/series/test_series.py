"""Series: which events count, who may change what, and what a closed season keeps."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.notices.models import Notice
from bots.models import Version
from people.deletion import delete_account
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files, shared
from tests.factories.results import play_all
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import created, draft, rivals
from tournaments.models import Organiser, Pair, Tournament
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.hidden_results_reveal import reveal
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.series.closure import (
    close_season,
    open_season,
)
from tournaments.series.creation import (
    RuleWish,
    change_rule,
    change_texts,
    delete,
)
from tournaments.series.errors import SeriesRefused
from tournaments.series.events import (
    add_event,
    move_event,
    remove_event,
)
from tournaments.series.models import EventSeries, FinalPlace, Season, SeriesAuditEntry
from tournaments.series.pages.seasons import event_lines, lines, season_story
from tournaments.series.results import SeasonTable, season_table
from tournaments.series.seasons import could_be_added

pytestmark = pytest.mark.django_db


def season_of(series: EventSeries) -> Season:
    return Season.objects.select_related("series").filter(series=series).order_by("-number")[0]


def table(series: EventSeries) -> SeasonTable:
    return season_table(season_of(series))


def points(series: EventSeries) -> dict[str, float]:
    found = table(series)
    return {line.bot: row.points for row, line in zip(found.rows, lines(found), strict=True)}


def empty_event(series: EventSeries, name: str) -> Tournament:
    """An event without bots, open for registration."""
    return event_of(series, [], name=name, registration_until=timezone.now() + timedelta(hours=1))


def refused(act: Callable[[], object], said: str) -> None:
    with pytest.raises(SeriesRefused, match=said):
        act()


@pytest.mark.any_database
def test_the_table_adds_up_the_points_for_places_in_finished_events(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    event = played_event(series, trio)
    before = points(series)
    assert sorted(before.values()) == [8, 10, 12]
    # A voided pair takes the event out until it is played again, on the same deals.
    void_pair(Pair.objects.order_by("pk")[0], "The machine stopped.", by=ada)
    assert points(series) == {}
    play_all(event)
    assert points(series) == before
    newer = same_files(trio[0], 2)
    let_play_everywhere([newer])
    played_event(series, [*trio, newer])
    before = points(series)
    assert len(before) == 3, "versions of a bot count as the bot"


@pytest.mark.any_database
def test_an_event_that_hides_results_tells_the_series_nothing(ada: User, trio: list[Version]) -> None:
    series = league(ada, planned=1)
    event = event_of(series, trio, hiding=Hiding(last_rounds=1))
    start_tournament(event)
    play_all(event)
    assert points(series) == {}
    refused(lambda: close_season(series, ada, 1, goes_on=False), "is not over")
    reveal(event)
    assert sum(points(series).values()) == 30


def test_only_what_has_not_started_is_added_or_taken_out(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    early, late = created(ada, trio, name="Early"), created(ada, trio, name="Late")
    start_tournament(early)
    refused(lambda: add_event(series, ada, early.slug), "has not started")
    cancel_tournament(early)
    add_event(series, ada, late.slug)
    refused(lambda: add_event(series, ada, late.slug), "has not started")
    remove_event(series, ada, late.slug)
    add_event(series, ada, late.slug)
    start_tournament(late)
    refused(lambda: remove_event(series, ada, late.slug), "has started")
    said = list(SeriesAuditEntry.objects.values_list("what", flat=True))
    assert said == ["added", "removed", "added", "founded"]
    empty_event(series, "Event One")
    move_event(series, ada, "event-one")
    assert [one.tournament.slug for one in event_lines(table(series))] == ["event-one", "late"]


def test_nobody_adds_the_events_of_others(ada: User, bob: User, trio: list[Version]) -> None:
    series = league(ada)
    theirs = draft(bob, [])
    refused(lambda: add_event(series, ada, theirs.slug), "your own events")
    Organiser.objects.create(tournament=theirs, user=ada, status=Organiser.Status.ACCEPTED)
    refused(lambda: add_event(series, ada, theirs.slug), "your own events")
    own = empty_event(series, "Ada's event")
    refused(lambda: add_event(league(bob, "Other"), bob, own.slug), "belongs to no series")
    for act in (
        lambda: add_event(series, bob, theirs.slug),
        lambda: remove_event(series, bob, own.slug),
        lambda: move_event(series, bob, own.slug),
        lambda: close_season(series, bob, 1, goes_on=True),
        lambda: open_season(series, bob),
        lambda: change_texts(series, bob, "Mine now", ""),
        lambda: change_rule(series, bob, RuleWish(best=1)),
        lambda: delete(series, bob),
    ):
        with pytest.raises(PermissionDenied):
            act()
    # Ladders, tests and events of the house cannot belong to it, but the house's to one of staff.
    test = created(ada, trio[:2])
    Tournament.objects.filter(pk=test.pk).update(format=Tournament.Format.SPRT)
    with pytest.raises(SeriesRefused):
        add_event(series, ada, test.slug)
    Tournament.objects.filter(pk=test.pk).update(format=Tournament.Format.ROUND_ROBIN, owner=None)
    assert not could_be_added(ada).exists()
    ada.is_staff = True
    assert could_be_added(ada).get() == test


def test_the_rule_is_fixed_once_an_event_has_started(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    event = event_of(series, trio)
    change_rule(series, ada, RuleWish("listed", (3, 1), 1, 2))
    start_tournament(event)
    refused(lambda: change_rule(series, ada, RuleWish("share", (), 1, 2)), "rule is fixed")
    second = empty_event(series, "Second")
    refused(lambda: change_rule(series, ada, RuleWish("listed", (3, 1), 1, 1)), "already has")
    refused(lambda: empty_event(series, "Third"), "planned event")
    cancel_tournament(second)
    empty_event(series, "Fourth")
    change_rule(series, ada, RuleWish("listed", (3, 1), 1, 3))


@pytest.mark.any_database
def test_the_owners_of_the_bots_in_a_closed_season_are_told_once(ada: User, bob: User) -> None:
    his, hers = accepted_bot(bob, "his"), accepted_bot(author("dora"), "hers")
    shared(his.bot, author("carol"))
    series = league(ada)
    played_event(series, [his, accepted_bot(ada, "own")])
    cancelled = event_of(series, [hers, his])
    start_tournament(cancelled)
    cancel_tournament(cancelled, by=ada)
    close_season(series, ada, 1, goes_on=True)
    told = Notice.objects.filter(key=f"series {series.pk} season 1")
    assert set(told.values_list("user__username", "kind")) == {("bob", "over"), ("carol", "over")}


def test_a_closed_season_keeps_its_table(ada: User, trio: list[Version]) -> None:
    series = league(ada, best=1)
    refused(lambda: close_season(series, ada, 1, goes_on=True), "nothing to keep")
    event = played_event(series, trio)
    played_event(series, trio)
    before = table(series)
    close_season(series, ada, 1, goes_on=True)
    refused(lambda: close_season(series, ada, 1, goes_on=True), "already closed")
    first, second = Season.objects.order_by("number")
    assert (second.number, second.best, second.is_open) == (2, 1, True)
    known = dict.fromkeys(before.first, "Bot")

    def kept() -> list[str]:
        found = season_table(Season.objects.select_related("series").get(pk=first.pk))
        assert found.rows == before.rows
        return season_story(found, known).decided

    assert kept() == []
    void_pair(Pair.objects.filter(pairing__tournament=event).order_by("pk")[0], "Late.", by=ada)
    assert len(kept()) == 1
    assert points(series) == {}, "the next season begins with nothing"

    played_event(series, trio)
    close_season(series, ada, 2, goes_on=False)
    refused(lambda: event_of(series, trio), "no open season")
    assert open_season(series, ada).number == 3
    refused(lambda: delete(series, ada), "without events")


def test_whoever_leaves_takes_their_name_along_and_the_series_with_events_stay(ada: User, bob: User) -> None:
    series, others = league(ada), league(bob, "Other League")
    league(ada, "Empty League")
    played_event(series, [accepted_bot(ada, "Ada's own"), *rivals(2)])
    close_season(series, ada, 1, goes_on=False)
    delete_account(ada)
    left = EventSeries.objects.order_by("pk").values_list("name", "owner", "description")
    assert list(left) == [("Winter League", None, ""), ("Other League", bob.pk, others.description)]
    page = Client().get(series.get_absolute_url()).content.decode()
    assert "Departed bot" in page
    assert "ada" not in page.lower().replace("canada", "")
    assert FinalPlace.objects.count() == 3
