"""Seasons of ladders: staff close them, the ranking is kept, and ratings go on."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.ratings import rating
from tests.factories.tournaments import rivals, running
from tournaments.models import Rating, Tournament
from tournaments.ratings.ladder import ensure_ladder
from tournaments.series.errors import SeriesRefused
from tournaments.series.ladder_seasons import close_ladder_season, ladder_winners
from tournaments.series.models import LadderPlace, LadderSeason

pytestmark = pytest.mark.django_db


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
def test_a_closed_season_keeps_the_ranking_and_the_ratings_go_on(ladder: Tournament, chief: User) -> None:
    ratings = list(Rating.objects.values_list("pk", "elo", "games"))
    first = close_ladder_season(ladder, chief, 1)
    kept = list(first.places.values_list("place", "version__bot__name", "elo", "low", "high"))
    assert kept == [(1, "Rival 2", 1510, 1450, None), (2, "Rival 1", 1500, 1450, None)]
    assert list(Rating.objects.values_list("pk", "elo", "games")) == ratings
    Rating.objects.update(elo=900)
    assert list(first.places.values_list("elo", flat=True)) == [1510, 1500]
    with pytest.raises(SeriesRefused, match="already closed"):
        close_ladder_season(ladder, chief, 1)
    second = close_ladder_season(ladder, chief, 2)
    assert second.opened_at == first.closed_at
    assert LogEntry.objects.filter(user=chief).count() == 2


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


def test_the_ranking_is_compared_with_the_season_before(
    client: Client, ladder: Tournament, chief: User
) -> None:
    close_ladder_season(ladder, chief, 1)
    Rating.objects.filter(version__bot__name="Rival 1").update(elo=1600)
    close_ladder_season(ladder, chief, 2)
    rows = client.get("/series/ladders/ladder-crapaud/2/").context["rows"]
    assert [(one.bot, one.before, one.risen) for one in rows] == [("Rival 1", 2, 1), ("Rival 2", 1, -1)]
    assert not client.get("/series/ladders/ladder-crapaud/1/").context["compared"]


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
