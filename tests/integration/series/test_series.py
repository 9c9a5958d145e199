"""Series and seasons of ladders: which events count, who may change what, what a closed season keeps."""

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Bot, Version
from people.deletion import delete_account
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot, let_play_everywhere, same_files
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import created, draft, entrants, form, rivals
from tests.racing import at_once, waiting
from tests.shelves import clear_shelves
from tests.thorough import THOROUGH
from tournaments.models import Organiser, Pair, Rating, Tournament
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.progress import cancel_tournament, start_tournament
from tournaments.ratings.ladder import ensure_ladder
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
from tournaments.series.ladder_seasons import close_ladder_season
from tournaments.series.models import EventSeries, FinalPlace, LadderSeason, Season, SeasonEvent
from tournaments.series.pages.seasons import event_lines, lines, season_story
from tournaments.series.results import SeasonTable, season_table

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
    empty_event(series, "Event One")
    move_event(series, ada, "event-one")
    assert [one.tournament.slug for one in event_lines(table(series))] == ["event-one", "late"]


def test_nobody_adds_the_events_of_others(ada: User, bob: User) -> None:
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


def test_the_table_marks_what_is_dropped_and_a_closed_season_keeps_it(
    client: Client, ada: User, trio: list[Version]
) -> None:
    series = league(ada, best=1, planned=2)
    refused(lambda: close_season(series, ada, 1, goes_on=True), "nothing to keep")
    event, other = played_event(series, trio), played_event(series, trio)
    trio[0].bot.name = "=1+1"
    trio[0].bot.save()
    clear_shelves()
    assert client.get(series.get_absolute_url()).content.decode().count("<s>") == 3
    answer = client.get("/series/winter-league/seasons/1/standings.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["place", "bot", "owner", "points", event.slug, other.slug]
    assert "'=1+1" in [row[1] for row in rows], "no name is a formula"
    assert sum("(dropped)" in cell for row in rows for cell in row) == 3

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
    assert not re.search(r"\bada\b", page, re.IGNORECASE)
    assert FinalPlace.objects.count() == 3


FORM = {"name": "Winter League", "description": "", "scheme": "grand-prix", "best": "", "planned": "2"}


@pytest.mark.any_database
def test_forms_make_a_series_and_its_events(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    league(bob, "Bobs League")
    client.force_login(ada)
    made = client.post("/series/new/", FORM, follow=True)
    assert made.redirect_chain[-1][0] == "/series/winter-league/"
    refused = client.post("/tournaments/new/", form(trio, series="bobs-league"))
    assert refused.status_code == 422
    client.post("/tournaments/new/", form(trio, name="League night 1", series="winter-league"))
    first = Tournament.objects.get()
    assert SeasonEvent.objects.get().tournament == first
    assert "/series/winter-league/seasons/1/" in client.get(first.get_absolute_url()).content.decode()
    program = Client(headers={"authorization": f"Bearer {token(ada)}"})
    wish = {"name": "Night", "pairs": 1, "entrants": [{"bot": one.bot.slug} for one in trio]}
    for series, status in (("bobs-league", 422), ("winter-league", 201)):
        asked = {**wish, "series": series}
        answer = program.post("/api/v1/tournaments/", asked, content_type="application/json")
        assert answer.status_code == status
    assert SeasonEvent.objects.filter(season__series__owner=ada).count() == Tournament.objects.count() == 2


def test_only_organiser_and_staff_change_it(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    series = league(ada)
    event = draft(ada, trio)
    where = series.get_absolute_url()
    changes = ("add", "remove", "up", "close", "end", "open", "delete")
    for visitor, status in ((None, 302), (bob, 403)):
        if visitor:
            client.force_login(visitor)
        assert "/change/" not in client.get(where).content.decode()
        refused = {client.post(f"{where}change/{one}/", {"event": event.slug}).status_code for one in changes}
        assert refused == {status}
        assert client.post(f"{where}edit/", FORM).status_code == status
    client.force_login(author("chief", is_staff=True))
    assert "/change/" in client.get(where).content.decode()
    client.force_login(ada)
    client.post(f"{where}change/add/", {"event": event.slug})
    assert SeasonEvent.objects.get().tournament == event
    # Whoever founded an event in the series of another takes it out.
    Tournament.objects.filter(pk=event.pk).update(owner=bob)
    client.force_login(bob)
    assert client.post(f"{where}change/remove/", {"event": event.slug}, follow=True).status_code == 200
    assert not SeasonEvent.objects.exists()


def test_an_organiser_cannot_put_hidden_texts_back(client: Client, ada: User) -> None:
    series = league(ada, "Rude League")
    chief = author("chief", is_staff=True, is_superuser=True)
    act = decisions.hide(chief, Subject.SERIES, series.pk, ["name", "description"], Why("offensive", ""))
    series.refresh_from_db()
    page = client.get(series.get_absolute_url()).content.decode()
    assert ("Rude" in page, "second Sunday" in page) == (False, False)
    with pytest.raises(SeriesRefused, match="Moderators chose"):
        change_texts(series, ada, "Rude League", "")
    decisions.lift(chief, act)
    again = EventSeries.objects.get()
    assert (again.name, again.slug, again.name_held) == ("Rude League", "rude-league", False)


@pytest.fixture
def chief(db: None) -> User:
    return author("chief", is_staff=True)


@pytest.fixture
def ladder(db: None) -> Tournament:
    """A ladder with four rated versions: one withdrew, and one compares with nobody."""
    ensure_ladder("crapaud")
    versions = rivals(4)
    for number, version in enumerate(versions):
        rating(version, 1500 + 10 * number, low=1450.0, high=None, anchored=number != 2)
    versions[3].bot.withdrawn_at = timezone.now()
    versions[3].bot.save()
    return Tournament.objects.get(slug="ladder-crapaud")


@pytest.mark.any_database
def test_a_closed_season_keeps_the_ranking(client: Client, ladder: Tournament, chief: User) -> None:
    first = close_ladder_season(ladder, chief, 1)
    kept = list(first.places.values_list("place", "version__bot__name", "elo", "low", "high"))
    assert kept == [(1, "Rival 2", 1510, 1450, None), (2, "Rival 1", 1500, 1450, None)]
    Rating.objects.filter(version__bot__name="Rival 1").update(elo=1600)
    assert list(first.places.values_list("elo", flat=True)) == [1510, 1500]
    with pytest.raises(SeriesRefused, match="already closed"):
        close_ladder_season(ladder, chief, 1)
    second = close_ladder_season(ladder, chief, 2)
    assert second.opened_at == first.closed_at
    rows = client.get("/series/ladders/ladder-crapaud/2/").context["rows"]
    assert [(one.bot, one.before, one.risen) for one in rows] == [("Rival 1", 2, 1), ("Rival 2", 1, -1)]
    assert not client.get("/series/ladders/ladder-crapaud/1/").context["compared"]


def test_everybody_reads_closed_seasons(client: Client, ladder: Tournament, chief: User, ada: User) -> None:
    where = "/series/ladders/ladder-crapaud/"
    assert client.post(f"{where}close/", {"season": "1"}).status_code == 302
    client.force_login(ada)
    assert client.post(f"{where}close/", {"season": "1"}).status_code == 403
    client.force_login(chief)
    for odd in ("x", "9" * 40, "2"):
        client.post(f"{where}close/", {"season": odd})
    assert not LadderSeason.objects.exists()
    client.post(f"{where}close/", {"season": "1"})
    everybody = Client()
    for address in (f"{where}1/", where, "/series/", f"{where}1/ranking.csv"):
        assert "Rival 2" in everybody.get(address).content.decode()
    assert everybody.get(f"{where}2/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_an_event_that_two_series_want_belongs_to_one_and_a_season_that_three_close_is_closed_once() -> None:
    ada = author("ada")
    one, other = league(ada, "One league"), league(ada, "Other league")
    versions = entrants(ada, 2)
    event = draft(ada, versions)
    refused = at_once(lambda: add_event(one, ada, event.slug), lambda: add_event(other, ada, event.slug))
    assert refused.count("") == SeasonEvent.objects.count() == 1
    series = league(ada)
    played_event(series, versions)
    refused = at_once(*[lambda: close_season(series, ada, 1, goes_on=True)] * 3)
    assert refused.count("") == 1
    assert (Season.objects.filter(series=series).count(), FinalPlace.objects.count()) == (2, 2)


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
def test_closing_a_season_waits_for_an_author_who_deletes_their_account_before_it_holds_anything() -> None:
    ada, bob = author("ada"), author("bob")
    series = league(ada)
    played_event(series, [accepted_bot(ada), accepted_bot(bob, "his")])
    account = type(bob).objects.select_for_update().filter(pk=bob.pk)
    with waiting(lambda: close_season(series, ada, 1, goes_on=True), account.get):
        for model in (EventSeries, Tournament, Bot):
            list(model._default_manager.select_for_update(nowait=True, of=("self",)))


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
@pytest.mark.parametrize("attempt", range(3 if THOROUGH else 2))
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
        tries=1,
    )
    assert not [said for said in refused if "deadlock" in said]
