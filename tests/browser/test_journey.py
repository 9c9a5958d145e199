"""A newcomer's way: sign up, upload a bot, watch it play, see what it lost by, upload a better one."""

import http.server
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.checks import serious
from tests.site import RunningSite

# Plays one game alone, so that its check is one game; and plays it at once.
QUICK_BOT = b"""from crapette import run

run(lambda turn: turn.legal[0], name="quick", plays=["crapaud"])
"""
# Stops to think soon and now and then, so that a game is still played when a page of it is there.
SLOW_BOT = b"""import time

from crapette import run

PAUSE = 3
answers = 0


def choose(turn):
    global answers
    answers += 1
    if answers in (10, 30):
        time.sleep(PAUSE)
    for ending in ("-f", "-r", "draw", "h-d"):
        for move in turn.legal:
            if move.endswith(ending) and not move.startswith("t"):
                return move
    return turn.legal[0]


run(choose, name="slow", plays=["crapaud"])
"""
PASSWORD = "eight of spades on nine of hearts"
LIVE_MS = 300_000


def sign_up(page: Page, name: str) -> None:
    page.goto("/accounts/signup/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_text(name, exact=True).first).to_be_visible()


def send(page: Page, bot: bytes) -> None:
    page.get_by_label("Bot file").set_input_files(
        FilePayload(name="bot.py", mimeType="text/x-python", buffer=bot)
    )
    page.get_by_role("button", name="Upload and check").click()


def upload(page: Page, name: str, bot: bytes = QUICK_BOT) -> None:
    page.goto("/bots/new/")
    page.get_by_label("Name", exact=True).fill(name)
    send(page, bot)
    expect(page.get_by_role("link", name="Enter it in a tournament")).to_be_visible(timeout=LIVE_MS)


def start_tournament(page: Page, name: str, *bots: str) -> None:
    page.goto("/tournaments/new/")
    page.get_by_label("Name", exact=True).fill(name)
    for bot in bots:
        page.get_by_role("checkbox", name=re.compile(rf"^{bot} v1")).check()
    page.get_by_label("Pairs of games").fill("1")
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def live_game(page: Page) -> str:
    """The address of a game that is played now, once the tournament's page shows one."""
    row = page.locator("tr", has=page.get_by_text("Live"))
    # Found and read in one go: the row is another one as soon as the game is over.
    address = row.get_by_role("link").first.get_attribute("href", timeout=LIVE_MS)
    assert address is not None
    return address


def shown_ply(page: Page) -> int:
    found = re.search(r"ply (\d+)", page.locator("[data-where]").inner_text())
    return int(found[1]) if found else 0


class Receiver(http.server.BaseHTTPRequestHandler):
    server: Any

    def do_POST(self) -> None:
        self.server.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Any]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        server.got = []  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.usefixtures("uploads")
def test_from_sign_up_to_a_watched_replay(page: Page, site: RunningSite, receiver: Any) -> None:
    # At human speed a table takes minutes to show a game: tests/browser/test_broadcast.py.
    page.add_init_script("localStorage.setItem('watch-pace', 'now')")
    sign_up(page, "newcomer")
    page.goto("/notices/settings/")
    page.get_by_label("Address", exact=True).fill(f"http://127.0.0.1:{receiver.server_port}/told")
    page.get_by_role("button", name="Add a webhook").click()
    expect(page.locator("#secret")).to_be_visible()
    upload(page, "Slow Hand", SLOW_BOT)
    # Its author is told by webhook and by the bell.
    site.until(lambda: receiver.got, "the message to the webhook")
    message, said = receiver.got[0], "Slow Hand v1 is accepted."
    assert (message["kind"], message["text"]) == ("checked", said)
    assert message["url"].startswith(site.url)
    page.goto("/queue/")
    page.get_by_role("link", name=re.compile(r"^Notices, \d+ unread$")).click()
    expect(page.get_by_role("link", name=said)).to_be_visible()
    assert serious(page) == []
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.get_by_role("link", name="Notices", exact=True)).to_be_visible()
    start_tournament(page, "First evening", "Slow Hand", "Greedy")
    tournament = page.url

    # The page renews itself until a game is on, and that game is watched while it is played.
    page.goto(live_game(page))
    page.wait_for_selector("[data-ready]")
    first = shown_ply(page)
    expect(page.locator("[data-where]")).not_to_have_text(re.compile(rf", ply {first}\b"), timeout=LIVE_MS)
    expect(page.locator("[data-status] h2[data-result]")).to_be_visible(timeout=LIVE_MS)

    # The same page is soon the replay: from the first card to the last.
    expect(page.get_by_role("tab", name="Analysis")).to_be_visible(timeout=LIVE_MS)
    expect(page.locator("[data-where]")).to_contain_text(" of ")
    page.keyboard.press("Home")
    where = page.locator("[data-where]")
    expect(where).to_contain_text(", ply 0 of ")
    page.keyboard.press("End")
    expect(where).to_have_text(re.compile(r", ply (\d+) of \1$"))

    page.goto(tournament)
    expect(page.locator("[data-status]")).to_have_attribute("data-status", "finished", timeout=LIVE_MS)
    expect(page.locator("[data-done]")).to_have_text(re.compile(r"^1 of\s+1 pairs?\s*$"))
    # What an author arranges is not rated: the page tells how the bot did here.
    page.get_by_text("Points and crosstable").click()
    page.get_by_text("All figures").click()
    expect(page.get_by_role("columnheader", name="Performance")).to_be_visible()
    page.goto("/bots/slow-hand/")
    expect(page.get_by_role("heading", name="By opponent")).to_be_visible()

    # What it lost by, with the command that puts it there again; and a version that does better.
    losses = page.locator("#diary")
    expect(losses.get_by_text("crapette rerun").first).to_be_visible(timeout=LIVE_MS)
    assert serious(page) == []
    page.get_by_role("link", name="Upload a version").click()
    send(page, QUICK_BOT)
    expect(page.get_by_role("heading", name="First steps of v2")).to_be_visible()
    steps = page.locator(".stepper")
    expect(steps.get_by_text("It passed.")).to_be_visible(timeout=LIVE_MS)
    expect(steps.locator("[aria-current]")).to_contain_text("First game")
    expect(page.locator("#plays dd")).to_have_text("Crapaud", timeout=LIVE_MS)
