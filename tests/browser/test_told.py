"""Being told, as a user meets it: the bell, the page of settings, mails, and an own server by webhook."""

import http.server
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from arena.manual.pages import ROOT
from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.test_journey import PASSWORD, sign_up, upload
from tests.site import RunningSite


class Receiver:
    """An author's own server: keeps what it is sent."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        got = self.got

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                got.append((dict(self.headers), body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/told"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Close it."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A server of the author's on this machine."""
    server = Receiver()
    yield server
    server.stop()


def genuine(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """What the documentation has authors check a message by."""
    listing = re.search(r"```python\n(.*?)```", (ROOT / "docs/author/notices.md").read_text(), re.DOTALL)
    assert listing is not None
    names: dict[str, Any] = {}
    exec(listing[1], names)
    return bool(names["is_genuine"](secret, headers["Crapette-Signature"], body))


def mailed(site: RunningSite, address: str) -> list[str]:
    """The mails to an address that the site printed, decoded as far as links need it."""
    printed = site.output.replace("=\n", "").replace("=3D", "=")
    return [part for part in printed.split("\nMIME-Version: 1.0") if f"\nTo: {address}" in part]


def add_address(page: Page, site: RunningSite, address: str) -> None:
    """Give an address and confirm it by the link in the mail."""
    page.goto("/notices/settings/")
    expect(page.get_by_text("You have no confirmed address.")).to_be_visible()
    page.get_by_role("link", name="Add one").click()
    page.locator("input[name=email][type=email]").fill(address)
    page.get_by_role("button", name="Add this address").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    mail = site.until(lambda: mailed(site, address), "the mail with the link")[0]
    link = re.search(r"https?://\S+(/accounts/confirm-email/\S+)", mail)
    assert link is not None, mail
    page.goto(link[1])
    page.get_by_role("main").get_by_role("button", name="Confirm").click()


@pytest.mark.usefixtures("uploads")
def test_a_finished_check_is_told_by_bell_mail_and_webhook_and_mails_stop_with_a_click(
    page: Page, site: RunningSite, receiver: Receiver
) -> None:
    sign_up(page, "listener")
    add_address(page, site, "listener@example.org")
    page.goto("/notices/settings/")
    expect(page.get_by_text("E-mails go to listener@example.org.")).to_be_visible()
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)

    address = page.get_by_label("Address", exact=True)
    address.fill("http://10.0.0.1/hook")
    page.get_by_role("button", name="Add a webhook").click()
    expect(page.get_by_text("This address leads to a private network.")).to_be_visible()
    address.fill(receiver.url)
    page.get_by_role("button", name="Add a webhook").click()
    secret = page.locator("#secret").inner_text().strip()

    upload(page, "Herald")
    site.until(lambda: receiver.got, "the message to the webhook")
    headers, body = receiver.got[0]
    message = json.loads(body)
    assert (message["kind"], message["text"]) == ("checked", "Herald v1 is accepted.")
    assert message["url"].startswith(site.url)
    assert genuine(secret, headers, body)
    assert not genuine("another secret", headers, body)

    def told() -> list[str]:
        return [mail for mail in mailed(site, "listener@example.org") if "Herald v1 is accepted." in mail]

    mails = site.until(told, "the mail of the finished check")
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in mails[0]

    page.goto("/queue/")
    bell = page.get_by_role("link", name=re.compile(r"^Notices, \d+ unread$"))
    expect(bell).to_be_visible()
    bell.click()
    expect(page.get_by_role("link", name="Herald v1 is accepted.")).to_be_visible()
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_role("link", name="Notices", exact=True)).to_be_visible()

    stop = re.search(r"No more e-mails: \S+?(/notices/unsubscribe/\S+)", mails[0])
    assert stop is not None, mails[0]
    page.context.clear_cookies()
    page.goto(stop[1])
    assert serious(page) == []
    page.get_by_role("main").get_by_role("button").click()
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill("listener")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.goto("/notices/settings/")
    group = page.get_by_role("group", name="Send me an e-mail when")
    assert not any(box.is_checked() for box in group.get_by_role("checkbox").all())
