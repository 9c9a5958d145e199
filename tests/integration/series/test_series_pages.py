"""The pages of series and of seasons of ladders: what everybody sees, what organisers do, and downloads."""

import csv
import io

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Version
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.series import event_of, league, played_event
from tests.factories.tournaments import draft, form, rivals
from tests.shelves import clear_shelves
from tournaments.models import Rating, Tournament
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.ladder import ensure_ladder
from tournaments.series.creation import change_texts
from tournaments.series.errors import SeriesRefused
from tournaments.series.ladder_seasons import close_ladder_season
from tournaments.series.models import EventSeries, LadderSeason, SeasonEvent

pytestmark = pytest.mark.django_db

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


def test_the_table_marks_what_is_dropped(client: Client, ada: User, trio: list[Version]) -> None:
    series = league(ada, best=1, planned=2)
    first = played_event(series, trio)
    second = event_of(series, trio)
    start_tournament(second)
    play_all(second)
    trio[0].bot.name = "=1+1"
    trio[0].bot.save()
    clear_shelves()
    assert client.get(series.get_absolute_url()).content.decode().count("<s>") == 3
    answer = client.get("/series/winter-league/seasons/1/standings.csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert rows[0] == ["place", "bot", "owner", "points", first.slug, second.slug]
    assert "'=1+1" in [row[1] for row in rows], "no name is a formula"
    assert sum("(dropped)" in cell for row in rows for cell in row) == 3
    asked = Client(headers={"authorization": f"Bearer {token(ada)}"})
    table = asked.get("/api/v1/series/winter-league/standings/").json()
    assert [str(one["place"]) for one in table["items"]] == [row[0] for row in rows[1:]]


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
