"""What stays of series when their organiser deletes their account, and who looks after that."""

import pytest
from django.test import Client

from arena.accounts.models import User
from people.deletion import delete_account
from people.moderation import decisions, reports
from people.moderation.decisions import Why
from people.moderation.errors import ModerationRefused
from people.moderation.models import AbuseReport, Act, Subject
from tests.factories.accounts import author, sign_in_operator
from tests.factories.series import event_of, league
from tests.factories.tournaments import rivals
from tournaments.series.creation import change_texts
from tournaments.series.models import EventSeries

pytestmark = pytest.mark.django_db


def chief() -> User:
    return author("boss", is_staff=True, is_superuser=True)


@pytest.mark.any_database
def test_series_that_never_held_an_event_go_and_the_others_lose_their_description(
    ada: User, bob: User
) -> None:
    series, others = league(ada), league(bob, "Other League")
    league(ada, "Empty League")
    event_of(series, rivals(2))
    delete_account(ada)
    left = EventSeries.objects.order_by("pk").values_list("name", "owner", "description")
    assert list(left) == [("Winter League", None, ""), ("Other League", bob.pk, others.description)]


def test_staff_change_the_texts_of_what_is_left_also_where_moderators_chose_them(ada: User) -> None:
    series, staff = league(ada), chief()
    event_of(series, rivals(2))
    decisions.hide(staff, Subject.SERIES, series.pk, ["name", "description"], Why("offensive", ""))
    delete_account(ada)
    change_texts(series, staff, "Kind League", "")
    assert EventSeries.objects.get().name == "Kind League"


def test_a_series_without_an_organiser_is_reported_and_moderators_hide_its_texts(
    client: Client, ada: User, bob: User
) -> None:
    series, staff = league(ada, "Rude League"), chief()
    event_of(series, rivals(2))
    with pytest.raises(ModerationRefused):
        decisions.tidy(staff, Subject.SERIES, series.pk, ["name"])
    delete_account(ada)
    assert f"/report/series/{series.pk}" in client.get(series.get_absolute_url()).content.decode()
    reports.report(bob, Subject.SERIES, series.pk, "offensive", "")

    sign_in_operator(client)
    desk = f"/admin/moderation/desk/series/{series.pk}/"
    assert 'name="do"' in client.get(desk).content.decode()
    form = {"reason": "offensive", "words": ""}
    assert client.post(desk, {**form, "do": "rename", "name": " "}).status_code == 422
    assert client.post(desk, {**form, "do": "hide"}).status_code == 422
    assert client.post(desk, {**form, "do": "hide", "parts": ["name"]}).status_code == 302
    assert AbuseReport.objects.get().status == AbuseReport.Status.UPHELD
    assert not Act.objects.exists(), "nobody is concerned"
    series.refresh_from_db()
    assert (series.slug, series.name_held) == (f"hidden-series-{series.pk}", False)
    assert client.post(desk, {**form, "do": "rename", "name": "Kind League"}).status_code == 302
    assert EventSeries.objects.get().name == "Kind League"
