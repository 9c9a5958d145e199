"""Being told: in the site, by e-mail and by webhook; once, after the commit, and never to a place inside."""

import hashlib
import hmac
import http.server
import ipaddress
import json
import re
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from arena.accounts.models import User
from arena.notices import delivery, preferences, sending
from arena.notices.models import Delivery, Kind, Notice, Webhook
from arena.web.http import outbound
from tests.factories.accounts import author, with_address

pytestmark = pytest.mark.django_db


def told(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


def tell(user: User, key: str = "one", text: str = "It happened.") -> None:
    sending.tell([user.pk], Kind.CHECKED, key, text, "/bots/")


def test_what_is_undone_was_told_to_nobody() -> None:
    ada = with_address()
    with transaction.atomic():
        tell(ada)
        transaction.set_rollback(True)
    delivery.deliver_due()
    assert (told(ada), mail.outbox) == ([], [])


def test_a_mail_goes_once_to_a_verified_address_only() -> None:
    ada, bob = with_address("ada"), with_address("bob", verified=False)
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


def test_a_mail_that_fails_is_tried_again_later_and_given_up_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


class Hook:
    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = 200
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                outer.got.append((dict(self.headers), self.rfile.read(length)))
                self.send_response(outer.status)
                self.send_header("Location", outer.url)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?x=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def hook(settings: Settings) -> Iterator[Hook]:
    settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("127.0.0.0/8")]
    server = Hook()
    yield server
    server.server.shutdown()
    server.server.server_close()


def test_a_webhook_is_told_once_with_a_signature_that_proves_it(hook: Hook) -> None:
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


def test_a_redirect_is_a_failure_and_many_switch_the_webhook_off(
    hook: Hook, monkeypatch: pytest.MonkeyPatch
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


def test_the_connection_goes_to_the_address_that_was_checked_and_none_inside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


def test_a_server_that_dribbles_is_cut_off(hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 0.3)
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, pytest.raises(outbound.Unreachable):
        outbound.post(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"{}", {})


def test_an_account_has_few_webhooks_and_only_its_own(hook: Hook, client: Client) -> None:
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
    assert (
        client.post("/notices/settings/webhooks/", {"url": hook.url, "kinds": ["checked"]}).status_code == 422
    )
