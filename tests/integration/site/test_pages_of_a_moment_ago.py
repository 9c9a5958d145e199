"""Strangers may get a page that was made a moment ago; whoever would notice does not."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from bots.models import Bot
from tests.factories.accounts import author
from tests.integration.site.test_shared_pages import a_tournament, page

pytestmark = pytest.mark.django_db


@pytest.fixture
def a_second(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Pages may be a second old; called, it sets the clock forward."""
    settings.SHARED_PAGES_SECONDS = 1.0
    clock = [100.0]
    monkeypatch.setattr("arena.web.cache.pages.time.monotonic", lambda: clock[0])

    def forward(seconds: float) -> None:
        clock[0] += seconds

    return forward


def test_a_stranger_gets_a_page_of_a_moment_ago_without_a_query(a_second: Callable[[float], None]) -> None:
    address = a_tournament().get_absolute_url()
    first = page(address)
    Bot.objects.filter(name="ada bot 1").update(name="Renamed")
    a_second(0.9)
    with CaptureQueriesContext(connection) as queries:
        assert page(address) == first
    assert not queries
    a_second(0.1)
    assert "Renamed" in page(address)


def test_a_page_that_was_still_valid_counts_as_new(a_second: Callable[[float], None]) -> None:
    assert page("/rules/") == page("/rules/")
    a_second(5)
    page("/rules/")
    a_second(0.9)
    with CaptureQueriesContext(connection) as queries:
        page("/rules/")
    assert not queries


@pytest.mark.parametrize(
    "headers", [{"HX-Request": "true"}, {"Sec-Fetch-Dest": "empty"}], ids=["htmx", "script"]
)
def test_what_open_pages_ask_for_is_never_old(
    a_second: Callable[[float], None], headers: dict[str, str]
) -> None:
    address = a_tournament().get_absolute_url()
    Client().get(address, headers=headers)
    page(address)
    Bot.objects.filter(name="ada bot 1").update(name="Renamed")
    assert "Renamed" in Client().get(address, headers=headers).content.decode()


def test_whoever_has_a_session_sees_at_once_what_they_changed(a_second: Callable[[float], None]) -> None:
    address = a_tournament().get_absolute_url()
    client = Client()
    client.force_login(author("bob"))
    for reader in (client, Client()):
        reader.get(address)
    Bot.objects.filter(name="ada bot 1").update(name="Renamed")
    assert "Renamed" in client.get(address).content.decode()
