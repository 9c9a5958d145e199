"""A site with a mail server asks each account to confirm an address before it sends in anything."""

import html
import re
import socket
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail, signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone, translation

from arena.accounts.confirmation import AddressNotConfirmed, ask_for_addresses, missing
from arena.accounts.models import User
from arena.notices.models import Kind, Notice
from bots.models import Bot
from tests.factories.accounts import PASSWORD, author, operator, token, with_address
from tests.factories.tournaments import rivals
from tournaments.challenges.models import Challenge
from tournaments.challenges.requests import Wish, ask
from tournaments.events.creation import NewTournament, create_tournament

pytestmark = pytest.mark.django_db
FIRST = "Confirm an e-mail address before"


MAIL_SERVER = {
    "CONFIRMS_ADDRESSES": True,
    "ACCOUNT_SIGNUP_FIELDS": ["username*", "email*", "password1*", "password2*"],
    "ACCOUNT_EMAIL_VERIFICATION": "optional",
    "ACCOUNT_EMAIL_NOTIFICATIONS": True,
}
"""Settings as `CRAPETTE_MAIL_URL` makes them."""


@pytest.fixture(autouse=True)
def mail_server(request: pytest.FixtureRequest, settings: Any) -> None:
    """A site with a mail server, unless a test says otherwise."""
    for name, value in MAIL_SERVER.items() if "without_mail" not in request.fixturenames else ():
        setattr(settings, name, value)


@pytest.fixture
def without_mail() -> None:
    """A site as tests have it, without a mail server."""


def sign_up(client: Client, name: str = "ada", email: str = "ada@example.org") -> HttpResponse:
    form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/accounts/signup/", form)  # type: ignore[return-value]


def link(message: int = -1) -> str:
    found = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", str(mail.outbox[message].body))
    assert found is not None, mail.outbox[message].body
    return found[1]


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_a_new_account_looks_and_plays_but_sends_nothing_in_until_its_link_was_used() -> None:
    client = Client()
    assert sign_up(client).status_code == 302, "signed in at once"
    user = User.objects.get()
    for path in ("/bots/new/", "/tournaments/new/", "/challenges/new/", "/tournaments/test/"):
        answer = client.get(path)
        assert answer.status_code == 403, path
        assert FIRST in words(answer), path
        assert "ada@example.org" in words(answer), path
    file = SimpleUploadedFile("bot.py", b"print('draw')")
    assert client.post("/bots/new/", {"name": "Ada's", "file": file}).status_code == 403
    for path in ("/", "/play/", "/leaderboard/", "/bots/account/", "/bots/"):
        assert client.get(path).status_code == 200, path
    assert not Bot.objects.exists()
    assert client.get(link()).status_code == 200
    client.post(link())
    assert missing(User.objects.get(pk=user.pk)) is None
    assert client.get("/bots/new/").status_code == 200


def test_a_link_works_once_for_three_days_and_from_any_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up(Client())
    old = link()
    later = time.time() + timedelta(days=3, minutes=5).total_seconds()
    with monkeypatch.context() as clock:
        clock.setattr(signing, "time", SimpleNamespace(time=lambda: later))
        assert "too old" in words(Client().get(old))
        Client().post(old)
    assert not EmailAddress.objects.get().verified
    stranger = Client()
    stranger.post(old)
    assert EmailAddress.objects.get().verified, "the key is signed: no process has to remember it"
    assert "_auth_user_id" not in stranger.session, "a link signs nobody in"
    assert "already been used" in words(stranger.get(old))


def test_signing_up_tells_nobody_whose_address_has_an_account() -> None:
    with_address("ada")
    assert sign_up(Client(), "eve", "ada@example.org").status_code == 302
    eve = Client()
    eve.login(username="eve", password=PASSWORD)
    eve.post(link())
    assert missing(User.objects.get(username="eve")) is not None, "one address is of one account"


def test_signing_up_outlasts_a_mail_server_that_is_away(settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]  # where nobody listens in a moment
    smtp = {"BACKEND": "django.core.mail.backends.smtp.EmailBackend", "HOST": "127.0.0.1", "PORT": port}
    for name, value in smtp.items():
        setattr(settings, f"EMAIL_{name}", value)
    client = Client()
    assert sign_up(client).status_code == 302
    assert "We can’t send e-mail right now." in words(client.get("/"))
    assert missing(User.objects.get()) is not None


def test_an_unconfirmed_address_is_told_nothing_and_the_api_says_so_in_a_sentence() -> None:
    client = Client()
    sign_up(client)
    head = {"Authorization": f"Bearer {token(User.objects.get())}"}
    file = SimpleUploadedFile("bot.py", b"print('draw')")
    answer = client.post("/api/v1/bots/", {"name": "Ada's", "file": file}, headers=head)
    assert (answer.status_code, answer.json()["code"]) == (403, "address-not-confirmed")
    assert answer.json()["detail"].startswith(FIRST)
    mail.outbox.clear()
    form = {"oldpassword": PASSWORD, "password1": PASSWORD[::-1], "password2": PASSWORD[::-1]}
    client.post("/accounts/password/change/", form)
    assert User.objects.get().check_password(PASSWORD[::-1])
    assert not mail.outbox


def test_services_refuse_whatever_leads_to_them() -> None:
    mine, theirs = rivals(2)
    owner = mine.bot.owner
    assert owner is not None
    User.objects.filter(pk=owner.pk).update(confirm_by=timezone.now())
    owner.refresh_from_db()
    with pytest.raises(AddressNotConfirmed):
        create_tournament(NewTournament(name="Cup", versions=(mine.pk, theirs.pk)), owner)
    with pytest.raises(AddressNotConfirmed):
        ask(owner, Wish(mine.pk, theirs.pk))
    assert not Challenge.objects.exists()
    EmailAddress.objects.create(user=owner, email="r@example.org", verified=True)
    assert create_tournament(NewTournament(name="Cup", versions=(mine.pk, theirs.pk)), owner).owner == owner


def test_accounts_of_an_upgraded_site_are_told_once_and_have_time(client: Client) -> None:
    old, done, staff = author("old"), with_address("done"), operator()
    User.objects.filter(pk=old.pk).update(language="fr")
    assert ask_for_addresses() == 1
    assert ask_for_addresses() == 0
    notice = Notice.objects.get()
    assert (notice.user, notice.kind, notice.url) == (old, Kind.ADDRESS, "/accounts/email/")
    assert not notice.text.startswith("From "), "in the reader's language"
    for user in (old, done, staff):
        user.refresh_from_db()
    found = missing(old)
    assert found is not None
    assert found.until is not None
    assert missing(done) is missing(staff) is None
    client.force_login(old)
    assert client.get("/bots/new/").status_code == 200, "until then all is as before"
    with translation.override("fr"):
        sentence = found.sentence
    assert sentence in html.unescape(words(client.get("/bots/account/")))
    User.objects.filter(pk=old.pk).update(confirm_by=timezone.now())
    assert client.get("/bots/new/").status_code == 403


@pytest.mark.any_database
def test_mails_lead_to_the_site_whatever_host_was_asked_for() -> None:
    with_address()
    client = Client(headers={"host": "127.0.0.1:6666"})
    client.post("/accounts/password/reset/", {"email": "ada@example.org"})
    passwords = {"password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", {"username": "bob", "email": "ada@example.org", **passwords})
    links = [re.findall(r"https?://\S+", str(one.body)) for one in mail.outbox]
    assert len(links) == 2
    assert all(one.startswith("http://testserver/accounts/") for found in links for one in found), links
    assert all(links)
