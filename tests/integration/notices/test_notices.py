"""Being told: in the site, by e-mail, webhook and feed; once, after the commit, never to a place inside."""

import hashlib
import hmac
import http.server
import ipaddress
import json
import re
import socket
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, ClassVar
from xml.etree import ElementTree as ET

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from arena.notices import delivery, preferences, sending
from arena.notices.models import Delivery, Kind, Notice, SiteNotice, Webhook, Wishes
from arena.web.cache import values
from arena.web.http import outbound
from bots.bots import withdraw_bot
from bots.follows import follow, spread_news
from bots.uploads import Submission, upload_version
from people.moderation.decisions import dismiss_reports
from people.moderation.reports import report
from tests.factories.accounts import author, operator, with_address
from tests.factories.bots import accepted_bot, judge, new_bot, upload
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.tournaments import draft, rivals, running
from tournaments.challenges.answers import accept
from tournaments.challenges.requests import Wish, ask
from tournaments.events.news import tell_beaten
from tournaments.events.organisers import invite
from tournaments.operation import benchings
from tournaments.pairing.progress import start_tournament
from tournaments.pairing.sequential_tests import create_test

pytestmark = pytest.mark.django_db


def told(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


def tell(user: User, key: str = "one", text: str = "It happened.") -> None:
    sending.tell([user.pk], Kind.CHECKED, key, text, "/bots/")


def test_a_mail_goes_once_to_a_verified_address_only_and_of_what_is_undone_none() -> None:
    ada, bob = with_address("ada"), with_address("bob", verified=False)
    with transaction.atomic():
        tell(ada)
        transaction.set_rollback(True)
    delivery.deliver_due()
    assert (told(ada), mail.outbox) == ([], [])
    tell(ada)
    tell(bob)
    for _ in range(3):
        delivery.deliver_due()
    assert [message.to for message in mail.outbox] == [["ada@example.org"]]
    sent = mail.outbox[0]
    assert sent.subject == "It happened."
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = sent.extra_headers["List-Unsubscribe"].strip("<>")
    path = re.sub(r"^https?://[^/]+", "", link)
    anybody = Client(enforce_csrf_checks=True)
    assert anybody.get(path).status_code == 200
    tell(ada, "after a look at the page")
    delivery.deliver_due()
    assert len(mail.outbox) == 2, "a mail program that looks at links unsubscribes nobody"
    assert anybody.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    tell(ada, "after the click")
    delivery.deliver_due()
    assert len(mail.outbox) == 2
    assert anybody.post("/notices/unsubscribe/nobodys/").status_code == 404


def test_a_mail_that_fails_is_tried_again_and_given_up_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
    tell(with_address())
    for number in range(1, len(delivery.PAUSES) + 2):
        assert delivery.deliver_due() == 1
        assert delivery.deliver_due() == 0, "it waits"
        one = Delivery.objects.get()
        assert one.attempts == number
        Delivery.objects.update(not_before=timezone.now())
    assert one.status == Delivery.Status.GIVEN_UP
    assert delivery.deliver_due() == 0


class Hook(http.server.BaseHTTPRequestHandler):
    """Whoever is told by a webhook: what came, and the status of its answers."""

    got: ClassVar[list[tuple[dict[str, str], bytes]]] = []
    status: ClassVar[int] = 200
    url: ClassVar[str] = ""

    def do_POST(self) -> None:
        self.got.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(self.status)
        self.send_header("Location", self.url)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hook(settings: Settings) -> Iterator[type[Hook]]:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook) as server:
        Hook.got, Hook.status, Hook.url = [], 200, f"http://127.0.0.1:{server.server_port}/hook?x=1"
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield Hook
        server.shutdown()


def test_a_webhook_is_told_once_with_a_signature_that_proves_it(hook: type[Hook]) -> None:
    ada = author("ada")
    row = preferences.add_webhook(ada, hook.url, Kind.values)
    tell(ada)
    for _ in range(2):
        delivery.deliver_due()
    assert len(hook.got) == 1
    headers, body = hook.got[0]
    assert json.loads(body)["text"] == "It happened."
    stamp, digest = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers["Crapette-Signature"]).groups()  # type: ignore[union-attr]
    expected = hmac.new(row.secret.encode(), f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert digest == expected
    assert abs(int(stamp) - timezone.now().timestamp()) < 60


def test_whoever_is_told_much_keeps_nobody_else_waiting(
    hook: type[Hook], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "AT_ONCE", 2)
    bob = author("bob")
    preferences.add_webhook(bob, hook.url, Kind.values)
    for key in ("one", "two", "three"):
        tell(bob, key)
    tell(with_address("ada"))
    delivery.deliver_due()
    assert (len(mail.outbox), len(hook.got)) == (1, 1)


def test_a_redirect_is_a_failure_and_many_are_the_end(
    hook: type[Hook], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MOST_FAILURES", 2)
    ada = author("ada")
    preferences.add_webhook(ada, hook.url, [Kind.CHECKED])
    hook.status = 307
    for number in range(3):
        tell(ada, str(number))
        delivery.deliver_due()
    assert len(hook.got) == 2, "a redirect was followed, or a webhook that is off was told"
    row = Webhook.objects.get()
    assert (row.last_error, row.disabled_at is not None) == ("It answered 307.", True)
    assert told(ada).count("webhook") == 1


INSIDE = (
    *("127.0.0.1:8000", "[::1]", "10.1.2.3", "192.168.0.1", "169.254.169.254/latest/meta-data", "[fe80::1]"),
    *("[fec0::1]", "[::10.0.0.1]", "100.64.0.1", "[::ffff:10.0.0.1]", "[64:ff9b::a00:1]", "[2002:a00:1::1]"),
    *("0.0.0.0", "224.0.0.1", "example.org:22", "exa mple.org"),
)


def test_addresses_inside_and_odd_ones_are_refused() -> None:
    ada = author()
    odd = ("https://user:word@example.org/", "ftp://example.org/", "https://", "nothing")
    for url in (*(f"http://{one}/" for one in INSIDE), *odd):
        with pytest.raises(preferences.NoSuchWish):
            preferences.add_webhook(ada, url, Kind.values)


def test_it_connects_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def address(host: str) -> Any:
        return socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 80)

    outside, inside = address("93.184.215.14"), address("127.0.0.1")
    went: list[Any] = []

    def connect(address: Any, timeout: float) -> socket.socket:
        went.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    answers = iter([[inside], [outside, inside], [outside], [inside]])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: next(answers))
    for refusal in (outbound.AddressRefused, outbound.AddressRefused, outbound.Unreachable):
        with pytest.raises(refusal):
            outbound.post("http://rebinding.example/", b"", {})
    assert went == [("93.184.215.14", 80)]


def test_a_server_that_dribbles_is_cut_off(hook: type[Hook], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 0.3)
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, pytest.raises(outbound.Unreachable):
        outbound.post(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"{}", {})


def test_an_account_has_few_webhooks_and_only_its_own(hook: type[Hook], client: Client) -> None:
    ada, bob = author("ada"), author("bob")
    row = preferences.add_webhook(ada, hook.url, Kind.values)
    client.force_login(bob)
    assert client.post(f"/notices/settings/webhooks/{row.pk}/remove/").status_code == 404
    assert hook.url not in client.get("/notices/settings/").content.decode()
    client.force_login(ada)
    answer = client.post("/notices/settings/webhooks/", {"url": hook.url, "kinds": ["checked"]})
    secret = Webhook.objects.latest("pk").secret
    assert secret in answer.content.decode()
    assert secret not in client.get("/notices/settings/").content.decode()
    preferences.add_webhook(ada, hook.url, Kind.values)
    answer = client.post("/notices/settings/webhooks/", {"url": hook.url, "kinds": ["checked"]})
    assert answer.status_code == 422


ATOM = "{http://www.w3.org/2005/Atom}"


def assert_valid(feed: ET.Element) -> None:
    """What RFC 4287 demands of a feed and its entries, so far as we could get it wrong."""
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    ids = [feed.findtext(f"{ATOM}id", ""), *(one.text or "" for one in feed.findall(f"{ATOM}entry/{ATOM}id"))]
    assert all(re.fullmatch(r"(?:https?://|tag:)[^\s<>\"]+", one) for one in ids), ids
    assert len(set(ids)) == len(ids)
    for one in (feed, *feed.findall(f"{ATOM}entry")):
        assert datetime.fromisoformat(one.findtext(f"{ATOM}updated", "")).tzinfo is not None
        assert all(
            link.get("href", "").startswith("http://testserver/") for link in one.findall(f"{ATOM}link")
        )
        assert one.findtext(f"{ATOM}title")


def titles(client: Client, address: str) -> list[str | None]:
    answer = client.get(address)
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)
    assert feed.findtext(f"{ATOM}title")
    assert_valid(feed)
    return [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]


@pytest.mark.any_database
def test_feeds_tell_what_everyone_may_know(client: Client) -> None:
    ada, bob = author("ada"), author("bob")
    mine, theirs = accepted_bot(ada, "Ada's first"), accepted_bot(bob, "Bob's first")
    new_bot(ada, "Not checked")
    assert titles(client, "/bots/feed.atom") == ["Bob's first v1", "Ada's first v1"]
    assert titles(client, "/bots/adas-first/feed.atom") == ["Ada's first v1"]
    cup = running(ada, [mine, theirs], pairs=1, name="Cup", description="Rings\a <img>")
    assert titles(client, "/tournaments/feed.atom") == ["Cup has started"]
    assert "Rings⟨U+0007⟩ &amp;lt;img&amp;gt;" in client.get("/tournaments/feed.atom").content.decode()
    tell(ada, text="New version: Bell v2. Rings\a")
    assert titles(client, f"/notices/feed/{preferences.new_feed(ada)}.atom")[0] == (
        "New version: Bell v2. Rings⟨U+0007⟩"
    )
    play_all(cup)
    assert titles(client, "/tournaments/feed.atom") == ["Cup is over"]
    rating(mine, 1510, games=9)
    tell_beaten("crapaud", None, timezone.now())
    assert titles(client, "/leaderboard/crapaud/feed.atom") == ["Ada's first v1 took first place"]
    assert titles(client, "/leaderboard/crapette/3/feed.atom") == []
    assert client.get("/leaderboard/whist/feed.atom").status_code == 404
    withdraw_bot(theirs.bot)
    assert titles(client, "/bots/feed.atom") == ["Ada's first v1"]


def nobody_listens() -> str:
    """An address of this machine that refuses connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/"


def everything_happens_to(ada: User) -> None:
    bob, now = author("bob"), timezone.now()
    first, second = accepted_bot(ada, "Ada's first"), accepted_bot(ada, "Ada's second")
    theirs = accepted_bot(bob, "Bob's first")
    play_all(running(bob, [theirs, first], pairs=1, name="Cup"))
    test = create_test(ada, (first.pk, second.pk), Hypotheses(0, 20), pairs=1)
    start_tournament(test)
    play_all(test)
    accept(ask(ada, Wish(mine=first.pk, theirs=theirs.pk, pairs=1)), bob)
    ask(bob, Wish(mine=theirs.pk, theirs=first.pk, pairs=1))

    before = rating(first, 1600)
    rating(theirs, 1700)
    tell_beaten("crapaud", before, now)
    benchings.bench(second, "It crashed in its last 5 games.")
    invite(draft(bob, [theirs], name="Second cup"), bob, "ada")
    others = [theirs, *rivals(2)]
    for one in others:
        follow(ada, one.bot)
    play_all(running(bob, others, pairs=1, name="Third cup"))
    judge(upload_version(theirs.bot, Submission(upload("better"), "bot.py")), True)
    while spread_news():
        pass
    report(ada, "account", bob.pk, "spam", "")
    dismiss_reports(operator(), "account", bob.pk)


def test_every_kind_comes_every_way(
    client: Client, hook: type[Hook], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MOST_FAILURES", 1)
    ada = author("ada")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    secret = preferences.new_feed(ada)
    preferences.add_webhook(ada, hook.url, Kind.values)
    preferences.add_webhook(ada, nobody_listens(), ["checked"])
    everything_happens_to(ada)
    # Of accounts without an address (test_confirmed_addresses): this one has one and is told so all the same.
    sending.tell([ada.pk], Kind.ADDRESS, "address", "You need a confirmed address.", "/bots/")
    while delivery.deliver_due():
        pass
    told = list(Notice.objects.filter(user=ada).values_list("kind", "text"))
    assert {kind for kind, _ in told} == set(Kind.values)
    client.force_login(ada)
    page = client.get("/notices/").content.decode().replace("&#x27;", "'")
    by_mail = {message.subject for message in mail.outbox}
    by_webhook = {(body["kind"], body["text"]) for body in (json.loads(sent) for _, sent in hook.got)}
    by_feed = titles(client, f"/notices/feed/{secret}.atom")
    for kind, text in told:
        assert text in page, kind
        assert text in by_mail, kind
        assert (kind, text) in by_webhook
        assert text in by_feed, kind


def test_a_feed_is_read_by_whoever_knows_its_address_until_that_is_replaced(client: Client) -> None:
    ada = author("ada")
    sending.tell([ada.pk], Kind.CHECKED, "one", "It happened.", "/bots/")
    sending.tell([author("bob").pk], Kind.CHECKED, "two", "It did not.", "/bots/")
    client.force_login(ada)

    def made(**fields: str) -> str:
        client.post("/notices/settings/feed/", fields)
        return f"/notices/feed/{Wishes.objects.get(user=ada).feed_secret}.atom"

    assert "Make a feed" in client.get("/notices/settings/").content.decode()
    first, stranger = made(), Client()
    assert titles(stranger, first) == ["It happened."]
    assert "no-store" in stranger.get(first)["Cache-Control"]
    other = f"/notices/feed/{Wishes.objects.get(user=ada).secret}.atom"
    assert first in client.get("/notices/settings/").content.decode()
    second = made()
    assert [stranger.get(one).status_code for one in (other, first, second)] == [404, 404, 200]
    assert [stranger.get(one).status_code for one in (made(end=""), second)] == [404, 404]


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
