"""A running game in the viewer: joined late, misheard, looked away from, cut off, and over; the test is the
server."""

import json
import re
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.site import RunningSite

HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event("visibilitychange"));
}"""
ADDRESS = "/ws/games/test/"


class Server:
    """Plays the server: what a connection has not seen it is told at once, and then what comes."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self.events = events
        self.played = 0
        self.asked: list[int] = []
        self.socket: WebSocketRoute | None = None
        self.away = False
        """Whether nobody gets a connection."""

    def connected(self, socket: WebSocketRoute) -> None:
        if self.away:
            socket.close(code=1011)
            return
        self.socket = socket
        found = re.search(r"after=(\d+)", socket.url)
        self.asked.append(int(found[1]) if found else -1)
        self._send({"type": "start", "attempt": 1})
        self._send({"type": "events", "events": self.events[self.asked[-1] + 1 : self.played]})

    def play(self, until: int, *, heard: bool = True) -> None:
        """Let the game go on, with or without anybody connected, or with the message lost on its way."""
        before, self.played = self.played, until
        if heard:
            self._send({"type": "events", "events": self.events[before:until]})

    def lose(self) -> None:
        assert self.socket is not None
        socket, self.socket = self.socket, None
        socket.close(code=1011)

    def finish(self) -> None:
        self._send({"type": "finished"})

    def _send(self, message: dict[str, Any]) -> None:
        if self.socket is not None:
            self.socket.send(json.dumps(message))


def test_a_running_game_is_right_for_viewers_who_join_late_look_away_or_lose_a_message_or_the_connection(
    page: Page, site: RunningSite, finished_game: str
) -> None:
    record = site.get_json(f"{finished_game}record.json")
    server = Server(record["events"])
    length = len(record["events"])
    joined, away = length // 4, length // 2
    server.played = joined
    over = False

    def told(route: Route) -> None:
        running = {**record, "events": [], "result": None}
        route.fulfill(json=record if over else running)

    def live(route: Route) -> None:
        if over:
            route.continue_()
            return
        # As a running game's page: it listens, and nothing is reckoned about it yet.
        body = route.fetch().text().replace("data-record=", f'data-live="{ADDRESS}" data-record=', 1)
        body = body.replace("data-values=", "data-later=").replace("data-cast", "data-cast data-again", 1)
        body = re.sub(r'data-deep="[^"]*"', "", body)
        route.fulfill(body=body, content_type="text/html")

    page.add_init_script("localStorage.setItem('watch-pace', 'now')")
    other = {"id": "other", "running": True, "label": "Ada – Grace", "url": "/rules/"}
    page.route("**/games/programme.json", lambda route: route.fulfill(json={"games": [other]}))
    page.route(f"**{finished_game}record.json", told)
    page.route(f"**{finished_game}", live)
    page.route_web_socket(re.compile(ADDRESS), server.connected)
    page.goto(finished_game)
    where = page.locator("[data-where]")

    def stands_at(count: int) -> None:
        ply = record["events"][count - 1]["ply"]
        expect(where).to_have_text(re.compile(rf", ply {ply}( of {ply})?$"))

    stands_at(joined)
    expect(page.locator("[data-label]")).to_have_text("Live")
    server.play(joined + 4)
    stands_at(joined + 4)

    server.play(joined + 8, heard=False)
    server.play(joined + 12)
    stands_at(joined + 12)

    page.evaluate(HIDE, True)
    server.play(away)
    page.evaluate(HIDE, False)
    stands_at(away)

    server.away = True
    server.lose()
    expect(page.locator("[data-label]")).not_to_have_text("Live")
    server.away = False
    server.play(length)
    stands_at(length)
    assert server.asked == [-1, joined + 3, away - 1]

    over = True
    server.finish()
    expect(page.locator("[data-status] h2[data-result]")).to_be_visible()
    # The page has become the replay by itself, at its end, and the next game begins soon.
    expect(page.get_by_role("button", name="Why did it win?")).to_be_visible()
    expect(page.locator("[data-passage]")).to_be_visible()
    expect(page.locator("[data-next-game]")).to_contain_text("Next: Ada – Grace in 0:0")
    page.keyboard.press("Shift")
    expect(page.locator("[data-next-game]")).to_have_text(re.compile(r"^Next: Ada – Grace\s*$"))
    hand = next(seat for seat in (0, 1) if record["result"]["left"][seat])
    expect(page.locator(f'.seat[data-seat="{hand}"] [data-left]')).to_have_text(
        f"{record['result']['left'][hand]} left"
    )
