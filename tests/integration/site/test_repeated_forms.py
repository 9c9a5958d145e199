"""A form that is sent twice is carried out once."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from arena.accounts.models import User
from arena.notices.models import Notice, Webhook
from arena.web.cache import versions
from arena.web.models import SentRequest
from tests.api import filled
from tests.factories.accounts import author
from tests.factories.bots import house_bots, python_bot
from tests.racing import at_once
from tournaments.series.models import EventSeries

pytestmark = pytest.mark.django_db
NEW = {"scheme": "grand-prix", "listed": "", "best": "", "planned": ""}
FORMS: Mapping[str, Mapping[str, Any]] = {
    "/bots/new/": {"name": "Brand new", "file": "new"},
    "/bots/adas-first/upload/": {"file": "third"},
    "/bots/adas-first/edit/": {"name": "Ada's first", "description": "New words."},
    "/bots/adas-first/withdraw/": {},
    "/bots/adas-first/owners/invite/": {"user": "bob"},
    "/bots/adas-first/versions/2/activate/": {},
    "/bots/bobs-first/follow/": {},
    "/bots/account/tokens/": {"name": "laptop", "scopes": ["upload"], "days": "30"},
    "/challenges/blocked/add/": {"user": "bob"},
    "/challenges/{challenge}/accept/": {},
    "/challenges/terms/adas-first/": {"takes": "automatic", "per_day": "3"},
    "/classes/new/": {"name": "Games 102"},
    "/classes/{classroom}/change/key/": {},
    "/moderation/report/bot/{bob}/": {"reason": "spam", "words": "It is always there."},
    "/notices/settings/feed/": {},
    "/notices/settings/webhooks/": {"url": "https://example.org/more", "kinds": ["checked"]},
    "/play/": {"variant": "crapaud", "version": "{version}", "seat": "0", "clock": "none", "pace": "wait"},
    "/series/new/": {"name": "Summer League", **NEW},
    "/series/winter-league/change/open/": {},
    "/tournaments/cup/announce/": {"text": "Round 1 begins at noon."},
    "/tournaments/cup/clone/": {},
    "/tournaments/cup/action/": {"action": "pause"},
    "/tournaments/cup/organisers/invite/": {"user": "bob"},
    "/tournaments/spring-cup/action/": {"action": "start"},
}
"""What Ada sends where. A file is told by the words in it."""
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def token_of(client: Client, path: str = "/accounts/logout/") -> str:
    found = TOKEN.search(client.get(path).content.decode())
    assert found is not None
    return found[1]


def sent(fields: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields as a browser sends them, files new each time."""
    return {
        name: SimpleUploadedFile("bot.py", python_bot(value))
        if name == "file"
        else value.format_map(values)
        if isinstance(value, str)
        else value
        for name, value in fields.items()
    }


def test_every_form_is_carried_out_once_and_leads_where_it_led() -> None:
    site = filled()
    ada, bob = User.objects.get(username="ada"), User.objects.get(username="bob")
    bot = bob.bots.get()
    values = {**site.values, "bob": bot.pk, "version": house_bots("random")[0].pk}
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    wrong = []
    for pattern, fields in FORMS.items():
        path = pattern.format_map(values)
        with transaction.atomic():
            token, answers, counts = token_of(client), [], []
            for _ in range(2):
                data = {"csrfmiddlewaretoken": token, **sent(fields, values)}
                answers.append(client.post(path, data))
                counts.append((versions.read(), Notice.objects.count(), Webhook.objects.count()))
            transaction.set_rollback(True)
        first, second = answers
        if first.status_code == 302:
            again = (second.status_code, second["Location"]) == (302, first["Location"])
        else:
            again = (first.status_code, second.status_code) == (200, 409)
        if not again or counts[0] != counts[1]:
            errors = getattr(first.context and first.context.get("form"), "errors", "")
            wrong.append((path, first.status_code, second.status_code, counts[0] == counts[1], errors))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.each_database
def test_a_page_tells_whoever_sent_a_form_twice_unless_it_was_refused(client: Client) -> None:
    ada = author("ada")
    client.force_login(ada)
    token = {"csrfmiddlewaretoken": token_of(client)}
    form = {**token, "name": "Games 101"}
    for _ in range(2):
        answer = client.post("/classes/new/", form, follow=True)
    assert "It was not carried out again." in answer.content.decode()
    SentRequest.objects.update(status=None, location="")
    busy = client.post("/classes/new/", form)
    assert (busy.status_code, "being carried out" in busy.content.decode()) == (409, True)
    other = Client()
    other.force_login(author("bob"))
    assert other.post("/classes/new/", form).status_code == 302, "another's form is another"
    # What was refused, or asks for the password first, may be sent again.
    for _ in range(2):
        refused = client.post("/challenges/blocked/add/", {**token, "user": "nobody-at-all"}, follow=True)
        asked = client.post("/bots/account/delete/", {**token, "username": "ada"}, follow=True)
        assert asked.redirect_chain[-1][0].startswith("/accounts/reauthenticate/")
        for answer in (refused, asked):
            assert "It was not carried out again." not in answer.content.decode()
    assert User.objects.filter(pk=ada.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_double_click_makes_one() -> None:
    client = Client()
    client.force_login(author("ada"))
    form = {"csrfmiddlewaretoken": token_of(client, "/series/new/"), "name": "Winter League", **NEW}
    statuses = []

    def click() -> None:
        one = Client()
        one.cookies = client.cookies
        statuses.append(one.post("/series/new/", form).status_code)

    at_once(click, click)
    assert EventSeries.objects.count() == 1
    assert set(statuses) <= {302, 409}
    assert 302 in statuses
