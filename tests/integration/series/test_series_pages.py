"""The pages of series and of seasons of ladders: what everybody sees, what organisers do, and downloads."""

import csv
import io
import re
from dataclasses import replace

import pytest
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.accounts.models import User
from arena.web.cache import values
from bots.models import Version
from people.moderation import decisions, reports
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import draft, form, rivals, running
from tests.shelves import clear_shelves
from tournaments.events.edits import EventDetails, edit_event
from tournaments.models import Rating, Tournament
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.ladder import ensure_ladder
from tournaments.series import results
from tournaments.series.closure import close_season
from tournaments.series.creation import change_texts
from tournaments.series.errors import SeriesRefused
from tournaments.series.ladder_seasons import close_ladder_season, ladder_winners
from tournaments.series.models import EventSeries, FinalPlace, LadderPlace, LadderSeason, Season, SeasonEvent
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


def test_the_form_and_programs_put_an_event_into_no_series_of_others(
    client: Client, ada: User, bob: User, trio: list[Version]
) -> None:
    league(bob, "Bobs League")
    league(ada)
    client.force_login(ada)
    assert "bobs-league" not in client.get("/tournaments/new/?series=bobs-league").content.decode()
    refused = client.post("/tournaments/new/", form(trio, series="bobs-league"))
    assert refused.status_code == 422
    program = Client(headers={"authorization": f"Bearer {token(ada)}"})
    wish = {"name": "Night", "pairs": 1, "entrants": [{"bot": one.bot.slug} for one in trio]}

    def ask(series: str) -> int:
        asked = {**wish, "series": series}
        return program.post("/api/v1/tournaments/", asked, content_type="application/json").status_code

    assert ask("bobs-league") == 422
    assert not Tournament.objects.exists()
    assert ask("winter-league") == 201
    assert SeasonEvent.objects.get().tournament.status == "running"


def test_the_page_begins_with_its_point_and_marks_what_is_dropped_and_a_table_is_downloaded(
    client: Client, ada: User, trio: list[Version]
) -> None:
    series = league(ada, best=1, planned=2)
    first = played_event(series, trio)
    second = event_of(series, trio)
    edit_event(second, replace(EventDetails.of(second), name="Second Sunday"), by=ada)
    assert "Second Sunday" in client.get(series.get_absolute_url()).content.decode()
    start_tournament(second)
    play_all(second)
    trio[0].bot.name = "=1+1"
    trio[0].bot.save()
    clear_shelves()
    page = client.get(series.get_absolute_url()).content.decode()
    assert page.index("story__headline") < page.index("crosstable")
    assert page.count("<s>") == 3
    assert f'href="{second.get_absolute_url()}"' in page
    answer = client.get("/series/winter-league/seasons/1/standings.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["place", "bot", "owner", "points", first.slug, second.slug]
    assert {len(row) for row in rows} == {6}
    assert "'=1+1" in [row[1] for row in rows], "no name is a formula"
    assert sum("(dropped)" in cell for row in rows for cell in row) == 3
    dates = client.get("/series/winter-league/calendar.ics").content.decode()
    assert dates.count("BEGIN:VEVENT") == 2
    asked = Client(headers={"authorization": f"Bearer {token(ada)}"})
    table = asked.get("/api/v1/series/winter-league/standings/").json()
    assert [str(one["place"]) for one in table["items"]] == [row[0] for row in rows[1:]]
    assert table["closed_at"] is None

    close_season(series, ada, 1, goes_on=False)
    closed = client.get(series.get_absolute_url()).content.decode()
    assert "story--over" in closed
    won = FinalPlace.objects.filter(place=1).count()
    assert client.get("/series/winter-league/seasons/").content.decode().count("event__won") == won
    assert client.get("/series/").content.decode().count("event__won") == 1
    assert client.get("/series/?page=9").status_code == 200
    for path in ("none/", "winter-league/seasons/2/", "ladders/winter-league/"):
        assert client.get(f"/series/{path}").status_code == 404


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
def test_a_closed_season_keeps_the_ranking_and_the_ratings_go_on(
    client: Client, ladder: Tournament, chief: User
) -> None:
    ratings = list(Rating.objects.values_list("pk", "elo", "games"))
    first = close_ladder_season(ladder, chief, 1)
    kept = list(first.places.values_list("place", "version__bot__name", "elo", "low", "high"))
    assert kept == [(1, "Rival 2", 1510, 1450, None), (2, "Rival 1", 1500, 1450, None)]
    assert list(Rating.objects.values_list("pk", "elo", "games")) == ratings
    Rating.objects.filter(version__bot__name="Rival 1").update(elo=1600)
    assert list(first.places.values_list("elo", flat=True)) == [1510, 1500]
    with pytest.raises(SeriesRefused, match="already closed"):
        close_ladder_season(ladder, chief, 1)
    second = close_ladder_season(ladder, chief, 2)
    assert second.opened_at == first.closed_at
    assert LogEntry.objects.filter(user=chief).count() == 2
    rows = client.get("/series/ladders/ladder-crapaud/2/").context["rows"]
    assert [(one.bot, one.before, one.risen) for one in rows] == [("Rival 1", 2, 1), ("Rival 2", 1, -1)]
    assert not client.get("/series/ladders/ladder-crapaud/1/").context["compared"]


def test_the_anchor_wins_no_season_while_others_are_rated_above_it(
    client: Client, ladder: Tournament, chief: User
) -> None:
    anchor = Rating.objects.get(version__bot__name="Rival 1")
    others = Rating.objects.exclude(pk=anchor.pk)
    others.update(provisional=True)
    Rating.objects.filter(pk=anchor.pk).update(error=0, low=1500, high=1500)
    assert not ladder_winners([close_ladder_season(ladder, chief, 1)])
    page = client.get("/series/ladders/ladder-crapaud/1/").content.decode()
    assert "Rival 1 won" not in page
    assert "Nobody was measured well enough to win" in page
    others.update(elo=1400)
    second = close_ladder_season(ladder, chief, 2)
    assert ladder_winners([second])[second.pk].version == anchor.version


def test_only_staff_close_a_season_and_only_of_a_ladder_with_a_ranking(
    ladder: Tournament, chief: User, ada: User
) -> None:
    with pytest.raises(PermissionDenied):
        close_ladder_season(ladder, ada, 1)
    with pytest.raises(SeriesRefused, match="Only ladders"):
        close_ladder_season(running(None, list(Version.objects.all()[:2])), chief, 1)
    Rating.objects.all().delete()
    with pytest.raises(SeriesRefused, match="Nobody is ranked"):
        close_ladder_season(ladder, chief, 1)
    assert not LadderPlace.objects.exists()


def test_the_archive_of_a_ladder_is_for_everybody_and_closing_for_staff(
    client: Client, ladder: Tournament, chief: User, ada: User
) -> None:
    where = "/series/ladders/ladder-crapaud/"
    assert client.post(f"{where}close/", {"season": "1"}).status_code == 302
    client.force_login(ada)
    assert "close/" not in client.get(where).content.decode()
    assert client.post(f"{where}close/", {"season": "1"}).status_code == 403
    assert not LadderSeason.objects.exists()
    client.force_login(chief)
    assert f"{where}close/" in client.get(where).content.decode()
    for odd in ("", "x", "9" * 40, "2"):
        client.post(f"{where}close/", {"season": odd})
    assert not LadderSeason.objects.exists()
    done = client.post(f"{where}close/", {"season": "1"}, follow=True)
    assert done.redirect_chain[-1][0] == f"{where}1/"
    everybody = Client()
    page = everybody.get(f"{where}1/").content.decode()
    assert "Rival 2" in page
    assert "Rival 2" in everybody.get(where).content.decode()
    assert "Rival 2" in everybody.get("/series/").content.decode()
    assert everybody.get(f"{where}1/ranking.csv").content.decode().count("\r\n") == 3
    assert everybody.get(f"{where}2/").status_code == 404
    seasons = everybody.get("/api/v1/ladders/ladder-crapaud/seasons/").json()["items"]
    assert [one["winner"] for one in seasons] == ["rival-2"]
