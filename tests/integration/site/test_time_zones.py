"""Times are shown and read in the reader's time zone, with its name; programs get UTC."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.web.i18n.readers import ZONE_COOKIE
from tests.factories.tournaments import draft, rivals
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(ada: User) -> Tournament:
    """An event that starts on a day in January, when no clock has summer time in the north."""
    year = timezone.now().year + 1
    starts = datetime(year, 1, 15, 18, 30, tzinfo=UTC)
    cup = draft(ada, rivals(2))
    cup.starts_at, cup.registration_until = starts, starts - timedelta(hours=1)
    cup.save()
    return cup


def test_a_page_has_the_zone_of_the_cookie_then_of_the_account_and_is_kept_for_each(
    client: Client, ada: User, cup: Tournament
) -> None:
    page = cup.get_absolute_url()
    for name, words in (
        ("", "18:30 UTC"),
        ("Asia/Tokyo", "03:30 JST"),
        ("Europe/Rome", "19:30 CET"),
        ("America/Sao_Paulo", "15:30 UTC-03"),
        ("../../etc/passwd", "18:30 UTC"),
    ):
        client.cookies[ZONE_COOKIE] = name
        assert words in client.get(page).content.decode()
        assert words in client.get(page).content.decode()  # from the cache of pages
    client.force_login(ada)
    said = client.post("/accounts/time-zone/", {"time_zone": "Asia/Kolkata"})
    assert said.status_code == 302
    assert "00:00 IST" in client.get(page).content.decode()
    assert client.post("/accounts/time-zone/", {"time_zone": "Mars/Olympus"}).status_code == 400
    client.post("/accounts/time-zone/", {"time_zone": ""})
    client.cookies[ZONE_COOKIE] = "Asia/Tokyo"
    assert "03:30 JST" in client.get(page).content.decode()


def test_a_form_takes_its_zone_and_programs_read_utc(client: Client, ada: User, cup: Tournament) -> None:
    client.force_login(ada)
    client.cookies[ZONE_COOKIE] = "Asia/Tokyo"
    edit = f"{cup.get_absolute_url()}edit/"
    shown = client.get(edit)
    assert "T03:30" in shown.content.decode()
    assert "Your time zone: Asia/Tokyo, JST." in shown.content.decode()
    form = shown.context["form"]
    sent = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    year = timezone.now().year + 1
    sent |= {"closes": f"{year}-01-16T02:30", "starts": f"{year}-01-16T04:30"}
    assert client.post(edit, sent).status_code == 302
    cup.refresh_from_db()
    assert cup.starts_at == datetime(year, 1, 15, 19, 30, tzinfo=UTC)
    told = client.get(f"/api/v1/tournaments/{cup.slug}/").json()
    assert told["starts_at"] == f"{year}-01-15T19:30:00Z"
    calendar = client.get(f"{cup.get_absolute_url()}calendar.ics").content.decode()
    assert f"DTSTART:{year}0115T193000Z" in calendar
