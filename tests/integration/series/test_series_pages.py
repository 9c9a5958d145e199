"""The pages of series: what everybody sees, what its organiser does there, and downloads."""

import csv
import io
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.accounts.models import User
from arena.web.cache import values
from bots.models import Version
from people.moderation import decisions, reports
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.results import play_all
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import draft, form, rivals
from tests.shelves import clear_shelves
from tournaments.models import Tournament
from tournaments.series import results
from tournaments.series.closure import close_season
from tournaments.series.creation import change_texts
from tournaments.series.errors import SeriesRefused
from tournaments.series.models import EventSeries, FinalPlace, Season, SeasonEvent
from tournaments.series.pages import listing

pytestmark = pytest.mark.django_db

FORM = {"name": "Winter League", "description": "", "scheme": "grand-prix", "best": "", "planned": "2"}


@pytest.mark.any_database
def test_an_organiser_makes_a_series_and_its_events_by_forms(
    client: Client, ada: User, trio: list[Version]
) -> None:
    client.force_login(ada)
    made = client.post("/series/new/", FORM, follow=True)
    assert made.redirect_chain[-1][0] == "/series/winter-league/"
    page = made.content.decode()
    assert "/tournaments/new/?series=winter-league" in page
    shown = client.get("/tournaments/new/?series=winter-league").content.decode()
    assert '<option value="winter-league" selected' in shown
    client.post("/tournaments/new/", form(trio, name="League night 1", series="winter-league"))
    first = Tournament.objects.get(slug="league-night-1")
    assert SeasonEvent.objects.get().tournament == first
    play_all(first)
    detail = client.get(first.get_absolute_url()).content.decode()
    assert "/series/winter-league/seasons/1/" in detail
    again = client.get("/series/winter-league/").content.decode()
    found = re.search(r'href="(/tournaments/new/\?[^"]*like=league-night-1)"', again)
    assert found is not None
    like = client.get(found[1].replace("&amp;", "&")).content.decode()
    assert 'value="League night 2"' in like
    assert like.count("checked") >= 3


def test_the_form_of_an_event_offers_no_series_of_others(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    league(bob, "Bobs League")
    client.force_login(ada)
    assert "bobs-league" not in client.get("/tournaments/new/?series=bobs-league").content.decode()
    league(ada)
    refused = client.post("/tournaments/new/", form(trio, series="bobs-league"))
    assert refused.status_code == 422
    assert not Tournament.objects.exists()
    league(author("carol"))


def test_a_program_puts_its_new_event_into_its_series_or_gets_none(
    ada: User, bob: User, trio: list[Version]
) -> None:
    league(ada)
    league(bob, "Bobs League")
    program = Client(headers={"authorization": f"Bearer {token(ada)}"})
    wish = {"name": "Night", "pairs": 1, "entrants": [{"bot": one.bot.slug} for one in trio]}

    def ask(series: str) -> int:
        asked = {**wish, "series": series}
        return program.post("/api/v1/tournaments/", asked, content_type="application/json").status_code

    assert ask("bobs-league") == 422
    assert not Tournament.objects.exists()
    assert ask("winter-league") == 201
    assert SeasonEvent.objects.get().tournament.status == "running"


def test_the_page_begins_with_its_point_and_marks_what_is_dropped(
    client: Client, ada: User, trio: list[Version]
) -> None:
    series = league(ada, best=1, planned=2)
    played_event(series, trio)
    second = played_event(series, trio)
    page = client.get(series.get_absolute_url()).content.decode()
    assert page.index("story__headline") < page.index("crosstable")
    assert page.count("<s>") == 3
    assert f'href="{second.get_absolute_url()}"' in page
    close_season(series, ada, 1, goes_on=False)
    closed = client.get(series.get_absolute_url()).content.decode()
    assert "story--over" in closed
    won = FinalPlace.objects.filter(place=1).count()
    assert client.get("/series/winter-league/seasons/").content.decode().count("event__won") == won
    assert client.get("/series/winter-league/seasons/2/").status_code == 404
    assert client.get("/series/").content.decode().count("event__won") == 1


def test_only_the_organiser_and_staff_see_and_use_what_changes_a_series(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    series = league(ada)
    event = draft(ada, trio)
    where = series.get_absolute_url()
    changes = ("add", "remove", "up", "close", "end", "open", "delete")
    for visitor in (None, bob):
        if visitor:
            client.force_login(visitor)
        assert "/change/" not in client.get(where).content.decode()
        refused = {client.post(f"{where}change/{one}/", {"event": event.slug}).status_code for one in changes}
        assert refused == ({403} if visitor else {302})
        assert client.post(f"{where}edit/", FORM).status_code == (403 if visitor else 302)
    assert not SeasonEvent.objects.exists()
    for manager in (ada, author("chief")):
        manager.is_staff = manager != ada
        manager.save()
        client.force_login(manager)
        assert "/change/" in client.get(where).content.decode()
    client.force_login(ada)
    client.post(f"{where}change/add/", {"event": event.slug})
    assert SeasonEvent.objects.get().tournament == event
    assert client.post(f"{where}change/odd/").status_code == 404
    changed = {**FORM, "name": "Summer League", "scheme": "listed", "listed": "5, 3; 1"}
    assert client.post(f"{where}edit/", changed).status_code == 302
    assert Season.objects.get().listed == [5, 3, 1]
    for odd in ("5, three", "1, 5", "", "-5", "9" * 30):
        assert client.post(f"{where}edit/", {**changed, "listed": odd}).status_code == 422


def test_a_table_is_downloaded_and_no_name_is_a_formula(
    client: Client, ada: User, trio: list[Version]
) -> None:
    series = league(ada, best=1)
    first = played_event(series, trio)
    second = played_event(series, trio)
    trio[0].bot.name = "=1+1"
    trio[0].bot.save()
    answer = client.get("/series/winter-league/seasons/1/standings.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["place", "bot", "owner", "points", first.slug, second.slug]
    assert {len(row) for row in rows} == {6}
    assert "'=1+1" in [row[1] for row in rows]
    assert sum("(dropped)" in cell for row in rows for cell in row) == 3
    dates = client.get("/series/winter-league/calendar.ics").content.decode()
    assert dates.count("BEGIN:VEVENT") == 2
    asked = Client(headers={"authorization": f"Bearer {token(ada)}"})
    table = asked.get("/api/v1/series/winter-league/standings/").json()
    assert [str(one["place"]) for one in table["items"]] == [row[0] for row in rows[1:]]
    assert table["closed_at"] is None


def test_pages_take_the_same_few_queries_however_many_events_and_series_there_are(
    client: Client, ada: User, bob: User
) -> None:
    versions = rivals(2)
    series = league(ada)
    played_event(series, versions)
    paths = (series.get_absolute_url(), "/series/", "/series/winter-league/seasons/1/standings.csv")

    def queries() -> list[int]:
        counted = []
        for path in paths:
            for _ in range(2):  # the places of an event are worked out once
                clear_shelves()
                cache.clear()
                with CaptureQueriesContext(
                    connection,
                ) as captured:
                    assert client.get(path).status_code == 200
            counted.append(len(captured))
        return counted

    before = queries()
    for _ in range(3):
        played_event(series, versions)
    other = league(bob, "Other League")
    played_event(other, versions)
    close_season(other, bob, 1, goes_on=False)
    after = queries()
    assert after[0] == before[0]
    assert after[2] == before[2]
    assert after[1] <= before[1] + 1, "who won closed seasons takes one query for all"
    assert max(after) < 20


def test_moderators_hide_the_texts_of_a_series_and_its_organiser_cannot_put_them_back(
    client: Client, ada: User, bob: User
) -> None:
    series = league(ada, "Rude League")
    chief = author("chief", is_staff=True, is_superuser=True)
    reports.report(bob, Subject.SERIES, series.pk, "offensive", "")
    act = decisions.hide(chief, Subject.SERIES, series.pk, ["name", "description"], Why("offensive", ""))
    series.refresh_from_db()
    assert series.slug == f"hidden-series-{series.pk}"
    page = client.get(series.get_absolute_url()).content.decode()
    assert "Rude" not in page
    assert "second Sunday" not in page
    with pytest.raises(SeriesRefused, match="Moderators chose"):
        change_texts(series, ada, "Rude League", "")
    decisions.lift(chief, act)
    again = EventSeries.objects.get()
    assert (again.name, again.slug, again.name_held) == ("Rude League", "rude-league", False)
    change_texts(series, ada, "Kind League", "")


def test_whoever_founded_an_event_in_the_series_of_another_takes_it_out_on_its_page(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    series = league(ada)
    event = event_of(series, trio)
    where = series.get_absolute_url()
    client.force_login(bob)
    assert "change/remove/" not in client.get(where).content.decode()
    assert client.post(f"{where}change/remove/", {"event": event.slug}).status_code == 403
    Tournament.objects.filter(pk=event.pk).update(owner=bob)
    page = client.get(where).content.decode()
    assert (page.count("change/remove/"), page.count("change/add/")) == (1, 0)
    left = client.post(f"{where}change/remove/", {"event": event.slug}, follow=True)
    assert left.status_code == 200
    assert "change/remove/" not in left.content.decode()
    assert not SeasonEvent.objects.exists()


def test_a_page_of_the_list_works_out_so_many_events_and_leaves_the_others_to_later_readers(
    client: Client, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_WORKED_OUT", 2)
    versions = rivals(2)
    for name in ("First League", "Second League", "Third League"):
        played_event(league(ada, name), versions)
    values.forget_all()

    def tables() -> int:
        return sum(one.table is not None for one in listing.series_list(None)[1])

    assert client.get("/series/").status_code == 200
    values.forget_all()
    assert [tables(), tables()] == [2, 3]


def test_of_too_many_known_events_the_oldest_is_forgotten(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST", 2)
    series, versions = league(ada), rivals(2)
    events = [played_event(series, versions) for _ in range(3)]
    values.forget_all()
    for event in events:
        event.refresh_from_db()
        results.finishes(event)
    rows = list(SeasonEvent.objects.select_related("tournament__hidden_results").order_by("number"))
    assert [results.unknown([one]) for one in rows] == [1, 0, 0]


def test_the_address_of_an_unknown_series_or_season_is_not_found(client: Client, ada: User) -> None:
    league(ada)
    for path in ("/series/none/", "/series/winter-league/seasons/7/", "/series/ladders/winter-league/"):
        assert client.get(path).status_code == 404
    event_of(league(ada, "Second"), rivals(2))
    assert client.get("/series/?page=9").status_code == 200
