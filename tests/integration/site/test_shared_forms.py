"""Pages with forms are made once for all visitors without a session, and each gets a token of their own."""

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arena.web.cache import values
from arena.web.cache.pages import TOKEN
from arena.web.models import Limit
from bots.models import Bot, Version
from tests.factories.accounts import PASSWORD, author
from tests.factories.bots import accepted_bot
from tests.factories.friendlies import sit_down

pytestmark = pytest.mark.django_db
PLAY, LOGIN, SIGN_UP = "/play/", "/accounts/login/", "/accounts/signup/"
FIELD = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture
def opponent() -> Version:
    """A bot of the house, against which anybody may play."""
    version = accepted_bot(author("owner"), "Planner")
    Bot.objects.filter(pk=version.bot_id).update(owner=None, is_house=True)
    return version


def page(path: str) -> str:
    return Client().get(path).content.decode()


@pytest.mark.parametrize(("path", "queries"), [(PLAY, 1), (LOGIN, 2), (SIGN_UP, 2)])
def test_strangers_share_a_page_but_not_its_tokens(opponent: Version, path: str, queries: int) -> None:
    first = page(path)
    with CaptureQueriesContext(connection) as asked:
        answer = Client().get(path)
    # The stamps, and whether the site takes new accounts.
    assert len(asked) == queries
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    second = answer.content.decode()
    assert FIELD.sub("", first) == FIELD.sub("", second)
    assert FIELD.findall(first)
    assert not set(FIELD.findall(first)) & set(FIELD.findall(second))
    assert TOKEN not in first + second


def test_a_token_holds_for_whom_it_was_given_to_alone() -> None:
    author("ada")
    page(LOGIN)
    ada, eve = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    (token,) = FIELD.findall(ada.get(LOGIN).content.decode())
    eve.get(LOGIN)
    secret = ada.cookies[settings.CSRF_COOKIE_NAME].value
    ada.get(SIGN_UP)
    assert ada.cookies[settings.CSRF_COOKIE_NAME].value == secret, "a visitor keeps the secret in the cookie"
    form = {"login": "ada", "password": PASSWORD, "csrfmiddlewaretoken": token}
    assert eve.post(LOGIN, form).status_code == 403
    assert ada.post(LOGIN, form).status_code == 302


def test_what_is_of_one_visitor_stands_in_their_page_alone(opponent: Version) -> None:
    assert 'value="/bots/new/"' in page(f"{LOGIN}?next=/bots/new/")
    assert 'value="/bots/new/"' not in page(LOGIN)
    answer = Client().get(LOGIN, headers={"Accept": "application/json"})
    assert answer["Content-Type"] == "application/json"
    assert "<html" in page(LOGIN)
    page(PLAY)
    guest, ada = Client(), Client()
    address = sit_down(guest, opponent).get_absolute_url()
    assert address in guest.get(PLAY).content.decode()
    assert address not in page(PLAY)
    ada.force_login(author("ada"))
    assert "ada" in ada.get(PLAY).content.decode()
    assert ada.get(LOGIN).status_code == 302


def test_what_is_written_shows_at_once(opponent: Version) -> None:
    assert "Planner" in page(PLAY)
    Bot.objects.filter(name="Planner").update(name="Renamed")
    assert "Renamed" in page(PLAY)
    page(SIGN_UP)
    Limit.objects.create(name="sign_ups_per_hour", value=0)
    values.forget_all()
    assert not FIELD.findall(page(SIGN_UP))
