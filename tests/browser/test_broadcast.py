"""Games at a speed that people can follow, with a label that is true: nothing is live that is not."""

import re
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.test_live import ADDRESS, Server
from tests.site import RunningSite

PATIENCE_MS = 60_000


class Studio:
    """Plays the server of a TV page on which nothing was played for long, until a game begins."""

    def __init__(self, page: Page, site: RunningSite, game: str) -> None:
        self.page = page
        self.record = site.get_json(f"{game}record.json")
        # Those at the tables alone: what other tests played waits behind them.
        self.games = site.get_json("/games/programme.json")["games"][:4]
        # Other tests play games, too, which may be worth more than this one and push it out of the programme.
        like = next((one for one in self.games if one["id"] in game), self.games[0])
        self.new = {**like, "id": "new", "running": True}
        self.new["table"] = "/games/new-table/"
        self.began = False
        self.source = Server(self.record["events"])
        self.news: WebSocketRoute | None = None
        self.over = False
        page.route(re.compile(r"/games/tv/$"), self._page)
        page.route("**/games/programme.json", self._programme)
        page.route("**/games/new-table/", self._table)
        page.route("**/games/new-record.json", self._told)
        page.route_web_socket(re.compile("/ws/programme/"), self._connected)
        page.route_web_socket(re.compile(ADDRESS), self.source.connected)

    def begin(self) -> None:
        self.began = True
        self.tell()

    def tell(self) -> None:
        """Say that the programme has changed, once somebody listens."""
        for _ in range(PATIENCE_MS // 50):
            if self.news is not None:
                self.news.send('{"type":"changed"}')
                return
            self.page.wait_for_timeout(50)
        pytest.fail("the page does not listen for news")

    def _connected(self, socket: WebSocketRoute) -> None:
        self.news = socket

    def _page(self, route: Route) -> None:
        old = re.sub(
            r'data-(started|finished)="[^"]*"', r'data-\1="2020-01-01T00:00:00Z"', route.fetch().text()
        )
        route.fulfill(body=old, content_type="text/html")

    def _programme(self, route: Route) -> None:
        games = [{**one, "running": False} for one in self.games]
        route.fulfill(json={"now": now(), "games": [*([self.new] if self.began else []), *games]})

    def _table(self, route: Route) -> None:
        table = route.fetch(url=route.request.url.replace("/games/new-table/", self._real_table())).text()
        table = re.sub(r'data-game="[^"]*"', 'data-game="new"', table)
        table = re.sub(r'data-started="[^"]*"', f'data-started="{now()}"', table)
        table = re.sub(r'data-finished="[^"]*"', 'data-finished=""', table)
        table = re.sub(r'data-values="[^"]*"', "", table)
        told = f'data-live="{ADDRESS}" data-record="/games/new-record.json"'
        route.fulfill(body=re.sub(r'data-record="[^"]*"', told, table), content_type="text/html")

    def _real_table(self) -> str:
        return f"/games/{self.record['game']}/table/"

    def _told(self, route: Route) -> None:
        running: dict[str, Any] = {**self.record, "events": [], "result": None}
        route.fulfill(json=self.record if self.over else running)


class Blog:
    """Another site, that shows pages of ours within its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        handler = partial(SimpleHTTPRequestHandler, directory=folder)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def show(self, site: str, frames: dict[str, str]) -> None:
        shown = (
            f'<iframe name="{name}" src="{site.rstrip("/")}{path}" width="700" height="520"></iframe>'
            for name, path in frames.items()
        )
        icon = '<link rel="icon" href="data:,">'
        page = f"<!doctype html><title>A blog</title>{icon}{''.join(shown)}"
        (self.folder / "index.html").write_text(page)


@pytest.fixture
def blog(tmp_path: Path) -> Iterator[Blog]:
    found = Blog(tmp_path)
    yield found
    found.server.shutdown()
    found.server.server_close()


def now() -> str:
    return datetime.now(UTC).isoformat()


def nothing_played(site: RunningSite) -> bool:
    found = site.health()["parts"]["competition"]
    return not (found["running"] or found["queued"])


@pytest.fixture
def studio(page: Page, site: RunningSite, finished_game: str) -> Studio:
    """A TV page's server. What other tests have played is over: a game that goes on would come to a table."""
    site.until(lambda: nothing_played(site), "an end of other tests' games")
    return Studio(page, site, finished_game)


def test_a_game_that_begins_takes_the_place_of_a_replay_and_is_live_only_while_it_is(
    page: Page, studio: Studio
) -> None:
    page.goto("/games/tv/")
    tables = page.locator("[data-cast]")
    labels = tables.locator("[data-label]")
    expect(labels.first).to_contain_text("Replay, played")
    assert page.get_by_text("Live", exact=True).count() == 0

    studio.source.played = 2
    studio.begin()
    new = page.locator('[data-cast][data-game="new"]')
    expect(new).to_be_visible()
    label = new.locator("[data-label]")
    expect(label).to_have_text("Live")

    # Played much faster than anybody can follow: it is shown at human speed, and no more called live.
    far = len(studio.record["events"]) // 2
    studio.source.play(far)
    expect(label).to_contain_text("Delayed by")
    where = new.locator("[data-where]")
    ply = studio.record["events"][far - 1]["ply"]
    expect(where).not_to_have_text(re.compile(rf"ply {ply}$"))
    page.get_by_role("button", name="Real time").click()
    expect(label).to_have_text("Live")
    expect(where).to_have_text(re.compile(rf"ply {ply}$"))

    # The connection is lost: nobody knows what is played now.
    studio.source.away = True
    studio.source.lose()
    expect(label).not_to_have_text("Live")
    studio.source.away = False
    expect(label).to_have_text("Live")
    studio.over = True
    studio.source.play(len(studio.record["events"]))
    studio.source.finish()
    expect(label).to_contain_text("Finished")
    assert page.locator(".chip--live").count() == 0


def test_a_game_is_shown_within_the_page_of_another_site_and_no_other_page_is(
    page: Page, site: RunningSite, blog: Blog, finished_game: str
) -> None:
    blog.show(site.url, {"embed": f"/embed{finished_game}", "page": finished_game})
    page.goto(blog.url)
    embedded = page.frame(name="embed")
    assert embedded is not None
    embedded.wait_for_selector("[data-ready]")
    expect(embedded.locator("[data-label]")).not_to_be_empty()
    refused = page.frame(name="page")
    assert refused is None or refused.locator("[data-viewer]").count() == 0

    page.goto(f"/embed{finished_game}")
    page.wait_for_selector("[data-ready]")
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)
