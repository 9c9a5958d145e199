"""Series: which events count, who may change what, and what a closed season keeps."""

from datetime import datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament
from arena.accounts.models import User
from arena.notices.models import Notice
from bots.models import Version
from people.account_data import rows_of
from people.deletion import delete_account
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, operator
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files, shared
from tests.factories.results import play_all, play_one
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import created, draft, entrants, rivals, running
from tournaments.events.registration import join
from tournaments.models import Organiser, Pair, Tournament
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.pairing.reveal import reveal
from tournaments.series.closure import (
    close_season,
    open_season,
)
from tournaments.series.creation import (
    MOST_SERIES,
    RuleWish,
    change_rule,
    change_texts,
    create,
    delete,
)
from tournaments.series.errors import SeriesRefused
from tournaments.series.events import (
    add_event,
    move_event,
    put_new,
    remove_event,
)
from tournaments.series.models import EventSeries, FinalPlace, Season, SeasonEvent, SeriesDeed
from tournaments.series.pages.seasons import event_lines, lines, season_story
from tournaments.series.results import SeasonTable, season_table
from tournaments.series.seasons import could_be_added

pytestmark = pytest.mark.django_db


def draft_end() -> datetime:
    return timezone.now() + timedelta(hours=1)


def season_of(series: EventSeries) -> Season:
    return Season.objects.select_related("series").filter(series=series).order_by("-number")[0]


def table(series: EventSeries) -> SeasonTable:
    return season_table(season_of(series))


def points(series: EventSeries) -> dict[str, float]:
    found = table(series)
    return {line.bot: row.points for row, line in zip(found.rows, lines(found), strict=True)}


@pytest.mark.any_database
def test_the_table_adds_up_the_points_for_places_in_finished_events(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    assert points(series) == {}
    played_event(series, trio)
    assert sorted(points(series).values()) == [8, 10, 12]
    played_event(series, trio)
    assert sum(points(series).values()) == 60
    waiting = event_of(series, trio)
    start_tournament(waiting)
    play_one()
    play_one()
    assert sum(points(series).values()) == 60, "an event that is played counts once it is over"
    cancel_tournament(waiting, by=ada)
    assert sum(points(series).values()) == 60, "one that was cancelled never counts"


def test_versions_of_a_bot_count_as_the_bot(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    newer = same_files(trio[0], 2)
    let_play_everywhere([newer])
    played_event(series, [*trio, newer])
    assert len(points(series)) == 3
    played_event(series, [newer, trio[1]])
    assert len(points(series)) == 3


def test_a_voided_pair_takes_the_event_out_until_it_is_played_again(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    event = played_event(series, trio)
    before = points(series)
    pair = Pair.objects.filter(pairing__tournament=event).order_by("pk")[0]
    void_pair(pair, "The machine stopped.", by=ada)
    assert points(series) == {}
    play_all(event)
    assert points(series) == before, "the same deals, played again"


@pytest.mark.any_database
def test_an_event_that_hides_results_tells_the_series_nothing(ada: User, trio: list[Version]) -> None:
    series = league(ada, planned=1)
    event = event_of(series, trio, hiding=Hiding(last_rounds=1))
    start_tournament(event)
    play_all(event)
    assert points(series) == {}
    story = season_story(table(series), {})
    assert (story.decided, len(story.open)) == ([], 1)
    with pytest.raises(SeriesRefused, match="is not over"):
        close_season(series, ada, 1, goes_on=False)
    reveal(event)
    assert sum(points(series).values()) == 30


def test_only_what_has_not_started_is_added_or_taken_out(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    early, late = created(ada, trio, name="Early"), created(ada, trio, name="Late")
    start_tournament(early)
    with pytest.raises(SeriesRefused, match="has not started"):
        add_event(series, ada, early.slug)
    add_event(series, ada, late.slug)
    with pytest.raises(SeriesRefused, match="has not started"):
        add_event(series, ada, late.slug)
    remove_event(series, ada, late.slug)
    add_event(series, ada, late.slug)
    start_tournament(late)
    with pytest.raises(SeriesRefused, match="has started"):
        remove_event(series, ada, late.slug)
    assert list(SeasonEvent.objects.values_list("tournament__slug", flat=True)) == ["late"]
    said = list(SeriesDeed.objects.values_list("what", flat=True))
    assert said == ["added", "removed", "added", "founded"]


def test_nobody_adds_the_events_of_others_or_to_the_series_of_others(
    ada: User, bob: User, trio: list[Version]
) -> None:
    series = league(ada)
    theirs = draft(bob, [])
    with pytest.raises(SeriesRefused, match="your own events"):
        add_event(series, ada, theirs.slug)
    with pytest.raises(PermissionDenied):
        add_event(series, bob, theirs.slug)
    Organiser.objects.create(tournament=theirs, user=ada, status=Organiser.Status.ACCEPTED)
    with pytest.raises(SeriesRefused, match="your own events"):
        add_event(series, ada, theirs.slug)
    own = event_of(series, [], name="Ada's event", registration_until=draft_end())
    other = league(bob, "Other")
    with pytest.raises(SeriesRefused, match="belongs to no series"):
        add_event(other, bob, own.slug)
    for act in (
        lambda: remove_event(series, bob, own.slug),
        lambda: remove_event(series, bob, "no-such-event"),
        lambda: remove_event(series, bob, theirs.slug),
        lambda: move_event(series, bob, own.slug),
        lambda: close_season(series, bob, 1, goes_on=True),
        lambda: open_season(series, bob),
        lambda: change_texts(series, bob, "Mine now", ""),
        lambda: change_rule(series, bob, RuleWish(best=1)),
        lambda: delete(series, bob),
    ):
        with pytest.raises(PermissionDenied):
            act()


def test_whose_account_was_suspended_meanwhile_changes_nothing(ada: User, trio: list[Version]) -> None:
    series, event = league(ada), created(ada, trio)
    type(ada).objects.update(is_active=False)
    for act in (
        lambda: put_new(series, ada, event),
        lambda: add_event(series, ada, event.slug),
        lambda: change_texts(series, ada, "Other League", ""),
        lambda: delete(series, ada),
    ):
        with pytest.raises(SeriesRefused, match="suspended"):
            act()


def test_ladders_and_tests_cannot_belong_to_a_series(ada: User, trio: list[Version]) -> None:
    test = created(ada, trio[:2])
    Tournament.objects.update(format=Tournament.Format.SPRT)
    assert not could_be_added(ada).exists()
    with pytest.raises(SeriesRefused):
        add_event(league(ada), ada, test.slug)


def test_the_events_are_put_in_order(ada: User) -> None:
    series = league(ada)
    for name in ("One", "Two", "Three"):
        event_of(series, [], name=f"Event {name}", registration_until=draft_end())
    move_event(series, ada, "event-three")
    move_event(series, ada, "event-one")
    move_event(series, ada, "event-one")
    names = [(one.number, one.tournament.slug) for one in event_lines(table(series))]
    assert names == [(1, "event-one"), (2, "event-three"), (3, "event-two")]
    with pytest.raises(SeriesRefused):
        move_event(series, ada, "no-such-event")


def test_the_rule_is_fixed_once_an_event_has_started(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    event = event_of(series, trio)
    change_rule(series, ada, RuleWish("listed", (3, 1), 1, 2))
    start_tournament(event)
    with pytest.raises(SeriesRefused, match="rule is fixed"):
        change_rule(series, ada, RuleWish("share", (), 1, 2))
    change_rule(series, ada, RuleWish("listed", (3, 1), 1, 3))
    season = season_of(series)
    assert (season.scheme, season.listed, season.best, season.planned) == ("listed", [3, 1], 1, 3)
    event_of(series, [], name="Second", registration_until=draft_end())
    with pytest.raises(SeriesRefused, match="already has"):
        change_rule(series, ada, RuleWish("listed", (3, 1), 1, 1))


@pytest.mark.parametrize(
    "rule",
    [
        RuleWish("odd"),
        RuleWish("listed"),
        RuleWish("listed", (0,)),
        RuleWish("listed", (1, 2)),
        RuleWish("listed", (-1,)),
        RuleWish("listed", (1001,)),
        RuleWish("listed", tuple([1] * 31)),
        RuleWish(best=41),
        RuleWish(planned=-1),
    ],
)
def test_an_odd_rule_is_refused(ada: User, rule: RuleWish) -> None:
    with pytest.raises(SeriesRefused):
        create(ada, "Winter League", "", rule)
    assert not EventSeries.objects.exists()


def test_a_season_has_no_more_events_than_are_planned(ada: User) -> None:
    series = league(ada, planned=1)
    first = event_of(series, [], name="First", registration_until=draft_end())
    with pytest.raises(SeriesRefused, match="planned event"):
        event_of(series, [], name="Second", registration_until=draft_end())
    cancel_tournament(first)
    event_of(series, [], name="Third", registration_until=draft_end())


def test_accounts_have_a_bounded_number_of_series_with_names_that_people_can_read(ada: User) -> None:
    for number in range(MOST_SERIES):
        league(ada, f"League {number}")
    with pytest.raises(SeriesRefused, match="the most one account can have"):
        league(ada, "One more")
    for name in ("ab", "x" * 61, "zero\u200bwidth"):
        with pytest.raises(SeriesRefused):
            create(author(f"user{len(name)}"), name, "", RuleWish())


def test_a_series_gets_an_address_of_its_own(ada: User) -> None:
    assert [league(ada, name).slug for name in ("New", "Ladders", "Cup", "Cup", "名前名")] == [
        "new-series",
        "ladders-series",
        "cup",
        "cup-2",
        "series",
    ]


@pytest.mark.any_database
def test_the_owners_of_the_bots_in_a_closed_season_are_told_once(ada: User, bob: User) -> None:
    carol, dora = author("carol"), author("dora")
    his, hers = accepted_bot(bob, "his"), accepted_bot(dora, "hers")
    shared(his.bot, carol)
    series = league(ada)
    played_event(series, [his, accepted_bot(ada, "own")])
    cancelled = event_of(series, [hers, his])
    start_tournament(cancelled)
    cancel_tournament(cancelled, by=ada)
    season = close_season(series, ada, 1, goes_on=True)
    told = Notice.objects.filter(key=f"series {series.pk} season 1")
    assert set(told.values_list("user__username", "kind")) == {("bob", "over"), ("carol", "over")}
    assert told[0].url == season.get_absolute_url()
    decisions.hide(operator(), Subject.SERIES, series.pk, ["name"], Why("hate", ""))
    series.refresh_from_db()
    assert told[0].text == f"Season 1 of Hidden series {series.pk} is over."
    assert told[0].url == Season.objects.get(pk=season.pk).get_absolute_url()


def test_a_closed_season_keeps_its_table_whatever_happens_to_its_events(
    ada: User, trio: list[Version]
) -> None:
    series = league(ada, best=1)
    with pytest.raises(SeriesRefused, match="nothing to keep"):
        close_season(series, ada, 1, goes_on=True)
    event = played_event(series, trio)
    played_event(series, trio)
    before = table(series)
    close_season(series, ada, 1, goes_on=True)
    with pytest.raises(SeriesRefused, match="already closed"):
        close_season(series, ada, 1, goes_on=True)
    first, second = Season.objects.order_by("number")
    assert (second.number, second.best, second.is_open) == (2, 1, True)
    after = season_table(Season.objects.select_related("series").get(pk=first.pk))
    assert after.rows == before.rows
    assert season_story(after, {before.first[0]: "Bot", **dict.fromkeys(before.first, "Bot")}).decided == []
    void_pair(Pair.objects.filter(pairing__tournament=event).order_by("pk")[0], "Late.", by=ada)
    changed = season_table(Season.objects.select_related("series").get(pk=first.pk))
    assert changed.rows == before.rows
    assert len(season_story(changed, dict.fromkeys(before.first, "Bot")).decided) == 1
    assert points(series) == {}, "the next season begins with nothing"


def test_a_series_can_end_and_go_on_later(ada: User, trio: list[Version]) -> None:
    series = league(ada)
    played_event(series, trio)
    close_season(series, ada, 1, goes_on=False)
    with pytest.raises(SeriesRefused, match="no open season"):
        event_of(series, trio)
    assert Tournament.objects.count() == 2
    assert open_season(series, ada).number == 2
    with pytest.raises(SeriesRefused, match="already"):
        open_season(series, ada)
    with pytest.raises(SeriesRefused, match="without events"):
        delete(series, ada)


def test_the_leader_cannot_be_caught_when_too_few_events_are_left(ada: User, trio: list[Version]) -> None:
    series = league(ada, planned=2, scheme="listed", listed=(3,))
    played_event(series, trio[:2])
    known = dict.fromkeys(table(series).first, "Bot")
    assert season_story(table(series), known).decided == []
    change_rule(series, ada, RuleWish("listed", (3,), 0, 1))
    assert len(season_story(table(series), known).decided) == 1


def test_an_event_of_a_series_is_entered_by_others_as_before(ada: User, bob: User) -> None:
    series = league(ada)
    event = event_of(series, entrants(ada, 2), registration_until=draft_end(), invited=True)
    with pytest.raises(InvalidTournament):
        join(event, accepted_bot(bob, "Bob's").pk, bob)
    page = Client().get(series.get_absolute_url()).content.decode()
    assert event.name in page
    assert event.join_key not in page


def test_whoever_leaves_takes_their_name_along_and_the_series_stays(
    ada: User, bob: User, trio: list[Version]
) -> None:
    series = league(ada)
    own, others = accepted_bot(ada, "Ada's own"), rivals(2)
    played_event(series, [own, *others])
    close_season(series, ada, 1, goes_on=False)
    league(bob, "Other")
    labels = ("series.EventSeries", "series.SeriesDeed", "series.FinalPlace")
    assert [rows_of(label, ada).count() for label in labels] == [1, 3, 1]
    delete_account(ada)
    series.refresh_from_db()
    assert series.owner is None
    page = Client().get(series.get_absolute_url()).content.decode()
    assert "Departed bot" in page
    assert "ada" not in page.lower().replace("canada", "")
    assert FinalPlace.objects.count() == 3


def test_only_staff_manage_a_series_without_an_organiser(ada: User, bob: User, trio: list[Version]) -> None:
    series = league(ada)
    played_event(series, trio)
    EventSeries.objects.update(owner=None)
    with pytest.raises(PermissionDenied):
        close_season(series, bob, 1, goes_on=False)
    bob.is_staff = True
    bob.save()
    close_season(series, bob, 1, goes_on=False)


def test_a_house_event_joins_a_series_of_staff_alone(ada: User) -> None:
    house = running(None, rivals(3))
    Tournament.objects.filter(pk=house.pk).update(status=Tournament.Status.DRAFT)
    assert not could_be_added(ada).exists()
    ada.is_staff = True
    assert could_be_added(ada).exists()
