"""Site notices: on every page for as long as they last, until their reader dismisses them."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arena.accounts.models import User
from arena.notices.models import SiteNotice
from arena.web.cache import values
from tests.factories.accounts import author

pytestmark = pytest.mark.django_db

ORIGIN = "http://testserver"
SHARED, UNSHARED = "/rules/", "/accounts/login/"


def notice(text: str = "A pause on Sunday", **fields: Any) -> SiteNotice:
    made = SiteNotice.objects.create(**{"text": text, "ends": timezone.now() + timedelta(hours=1), **fields})
    values.forget_all()
    return made


def body(client: Client, path: str = SHARED) -> str:
    return client.get(path).content.decode()


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def dismiss(client: Client, one: SiteNotice, **headers: str) -> int:
    return client.post(f"/notices/site/{one.pk}/dismiss/", headers={"Origin": ORIGIN, **headers}).status_code


def test_a_notice_is_on_pages_of_all_kinds_with_its_language_and_without_its_markup() -> None:
    notice("Dimanche <b>pause</b>", language="fr", link="/queue/", severity="warning")
    for client in (Client(), signed_in(author("ada"))):
        for path in (SHARED, UNSHARED if client.session.get("_auth_user_id") is None else "/notices/"):
            text = body(client, path)
            assert '<span lang="fr" dir="auto">Dimanche &lt;b&gt;pause&lt;/b&gt;</span>' in text
            assert 'href="/queue/"' in text.partition("Dimanche")[2].partition("</p>")[0]


def test_a_cached_page_shows_a_notice_from_its_beginning_to_its_end_and_costs_one_query() -> None:
    client = Client()
    assert "A pause" not in body(client)
    one = notice()
    assert "A pause on Sunday" in body(client)
    with CaptureQueriesContext(connection) as queries:
        assert "A pause on Sunday" in body(client)
    assert len(queries) == 1, "the page is still a shared one"
    etag = client.get(SHARED)["ETag"]
    assert client.get(SHARED, headers={"If-None-Match": etag}).status_code == 304
    SiteNotice.objects.filter(pk=one.pk).update(ends=timezone.now())
    values.forget_all()
    assert "A pause" not in body(client)
    assert client.get(SHARED, headers={"If-None-Match": etag}).status_code == 200
    notice("Next week", begins=timezone.now() + timedelta(minutes=30))
    assert "Next week" not in body(client)


def test_a_stranger_dismisses_a_notice_in_this_browser_only() -> None:
    one, client = notice(), Client()
    assert dismiss(client, one, Referer=ORIGIN + SHARED) == 302
    assert "A pause" not in body(client)
    assert "A pause" not in body(client, UNSHARED)
    assert "A pause" in body(Client())
    other = notice("Something else")
    assert dismiss(client, other, **{"X-Requested-With": "fetch"}) == 204
    assert client.cookies["crapette_dismissed"].value == f"{one.pk}.{other.pk}"
    assert dismiss(client, SiteNotice(pk=one.pk + 999)) == 302, "it has ended meanwhile"
    client.cookies["crapette_dismissed"] = "." * 50 + "x.-1" + "9" * 3000
    assert "A pause" in body(client)


def test_an_account_dismisses_a_notice_on_every_device_and_another_site_none() -> None:
    one, ada = notice(), author("ada")
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert dismiss(client, one, Origin="https://elsewhere.example") == 403
    assert "A pause" in body(client)
    for _ in range(2):
        assert dismiss(signed_in(ada), one) == 302
    for path in (SHARED, "/notices/"):
        assert "A pause" not in body(signed_in(ada), path)
    assert "A pause" in body(signed_in(author("bob")))
