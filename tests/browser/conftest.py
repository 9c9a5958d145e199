"""One site with a small finished tournament for all browser tests, and a Chromium that forgives nothing."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.captcha_service import CaptchaService, captcha_service
from tests.prepared import Prepared
from tests.site import RunningSite, manage

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome")
SHELL = "chromium-headless-shell"
"""Chromium without what only its windows need; a page takes half the processor time."""
FLAGS = (
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--in-process-gpu",
    "--js-flags=--no-opt --no-maglev",
)
"""Without a graphics card one is imitated, in a process of its own; nothing of ours needs one. To optimise
scripts takes a tenth of the browser's processor time, and pays only on pages that stay longer than a test."""
PAIRS = 1
PATIENCE_MS = 60_000
# What the browser itself says about a connection that a test cut on purpose, a form with errors, and a page
# that another site must not frame.
EXPECTED = (
    "WebSocket connection to",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_CONNECTION_REFUSED",
    "responded with a status of 422",
    "Framing 'http",
)
END_LADDERS = "UPDATE tournaments_tournament SET status = 'finished' WHERE format = 'ladder'"


def switch_captcha(data: Path, *, on: bool) -> None:
    """Set the limit that switches the captcha; every process follows within five seconds."""
    with closing(sqlite3.connect(data / "arena.sqlite3", timeout=30)) as database, database:
        database.execute(
            "INSERT INTO common_limit (name, value, changed_at) VALUES ('captcha', ?, CURRENT_TIMESTAMP)"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [int(on)],
        )


@pytest.fixture(scope="session")
def captcha() -> Iterator[CaptchaService]:
    """The service that judges the captcha's tokens. One test alone has the site ask for it."""
    with captcha_service() as found:
        yield found


@pytest.fixture(scope="session")
def site(
    tmp_path_factory: pytest.TempPathFactory, prepared: Prepared, captcha: CaptchaService
) -> Iterator[RunningSite]:
    """A running site on which greedy and random play a small tournament, and nothing else unless a test asks.

    A ladder plays two games at once for as long as ratings are uncertain: more work than all pages and
    browsers, and no test looks at it. Ladders that are over play nobody.
    """
    data = prepared.copy(tmp_path_factory.mktemp("browser") / "data")
    manage(data, "start_house_tournament", "--pairs", str(PAIRS), "greedy", "random")
    switch_captcha(data, on=False)
    running = RunningSite(
        data, {"GAMES_AT_ONCE": 2, "WEBHOOK_NETWORKS": "127.0.0.0/8", **captcha.environment}
    )
    try:
        running.wait_until_ready()
        with closing(sqlite3.connect(data / "arena.sqlite3", timeout=30)) as database, database:
            assert database.execute(END_LADDERS).rowcount
        yield running
    finally:
        running.kill()


@pytest.fixture(scope="session", autouse=True)
def _patience() -> None:
    """Wait longer for what is expected than the plugin's 5 seconds: a busy machine takes its time.

    This holds for all tests of the process. One that sets it back would set it back for those after it.
    """
    expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The machine's own Chromium; as root only its path may be given, playwright adds the rest."""
    found = next(filter(None, map(shutil.which, (SHELL, *CHROMIUMS))), None)
    assert found, f"expected one of {SHELL}, {', '.join(CHROMIUMS)} to be installed"
    return {**browser_type_launch_args, "executable_path": found, "args": [*FLAGS]}


@pytest.fixture(scope="session")
def base_url(site: RunningSite) -> str:
    """What addresses are relative to; in place of the plugin's own fixture, which pytest is about to drop."""
    return site.url


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], site: RunningSite) -> dict[str, Any]:
    """Addresses are relative to the site; motion is reduced, so that what is drawn is what holds.

    Pages ask for their service worker a second after they are there. In each test it would start a process
    and fetch everything again; `test_pages` allows it.
    """
    return {
        **browser_context_args,
        "base_url": site.url,
        "viewport": {"width": 1280, "height": 800},
        "reduced_motion": "reduce",
        "service_workers": "block",
    }


def _errors(context: BrowserContext) -> list[str]:
    """The errors that the pages of a context say from now on."""
    said: list[str] = []

    def listen(page: Page) -> None:
        page.on("pageerror", lambda error: said.append(f"{page.url}: {error}"))
        page.on(
            "console", lambda line: said.append(f"{page.url}: {line.text}") if line.type == "error" else None
        )

    context.on("page", listen)
    context.set_default_timeout(PATIENCE_MS)
    return said


def _assert_none(said: list[str], site: RunningSite) -> None:
    assert [line for line in said if not any(one in line for one in EXPECTED)] == [], site.output[-4000:]


@pytest.fixture(autouse=True)
def _no_errors(context: BrowserContext, site: RunningSite) -> Iterator[None]:
    """Any script error, refused resource or breach of the content policy fails the test that met it."""
    said = _errors(context)
    yield
    _assert_none(said, site)


@pytest.fixture(scope="module")
def _lasting(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[tuple[Page, list[str]]]:
    """The page of a module, and the errors that it said."""
    context = browser.new_context(**browser_context_args)
    said = _errors(context)
    yield context.new_page(), said
    context.close()


@pytest.fixture
def lasting_page(_lasting: tuple[Page, list[str]], site: RunningSite) -> Iterator[Page]:
    """A page that the tests of a module use one after the other, each with nothing stored by those before it.

    A new page starts a process, and fetches and compiles every script: as much work as most tests that only
    look at one page. A test that sets a route, a script or a size of its own takes `page` instead.
    """
    page, said = _lasting
    said.clear()
    yield page
    page.context.clear_cookies()
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    _assert_none(said, site)


@pytest.fixture
def uploads(site: RunningSite) -> Iterator[None]:
    """For a test that uploads bots: they are withdrawn when it ends."""
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=30)) as database:
        before = _bots(database)
        yield
        with database:
            database.executemany(
                "UPDATE bots_bot SET withdrawn_at = CURRENT_TIMESTAMP WHERE id = ?",
                [(key,) for key in _bots(database) - before],
            )


@pytest.fixture(autouse=True)
def _no_bot_stays(request: pytest.FixtureRequest, site: RunningSite) -> Iterator[None]:
    """Fail a test that uploads a bot without the fixture `uploads`: others would find it in their lists."""
    if "uploads" in request.fixturenames:
        yield
        return
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=30)) as database:
        before = _bots(database)
        yield
        assert _bots(database) == before, "a test that uploads a bot has to ask for the fixture 'uploads'"


def _bots(database: sqlite3.Connection) -> set[int]:
    """The bots that play, of authors and of the house."""
    rows = database.execute("SELECT id FROM bots_bot WHERE withdrawn_at IS NULL")
    return {key for (key,) in rows}


@pytest.fixture(scope="session")
def finished_tournament(site: RunningSite) -> str:
    """The address of a tournament that is over."""
    page = "/tournaments/house-round-robin/"
    over = 'data-status="finished"'
    site.until(lambda: over in site.get(page)[1], "the first tournament to finish")
    return page


@pytest.fixture(scope="session")
def finished_game(site: RunningSite, finished_tournament: str) -> str:
    """The address of a game played to its end."""
    found = re.search(r"/games/[0-9a-f-]{36}/", site.get(finished_tournament)[1])
    assert found, f"expected a game in {finished_tournament}"
    return found[0]
