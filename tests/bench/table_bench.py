"""``./crapette bench table``: how smoothly the table is drawn on a phone's processor.

A real site serves a real game's page; its record is replaced by a game of 1,500 plies, long past any that
bots play. Chromium runs it at the size of a phone, its processor slowed down (6 times, or ``--throttle``).
Told are the frames drawn while the game plays and while a hand moves over the slider from one end to the
other, and the tasks that blocked the page for more than 50 ms. A machine without a graphics card draws in
software; other work on it shows.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUMS, manage
from tests.browser.records import played
from tests.site import RunningSite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page, ViewportSize

PLIES: Final = 1500
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
SECONDS: Final = 4
SPEEDS: Final = {"slow": 3, "fast": 7}
JUMPS: Final = 120

WATCH = """
window.frames_ = []; window.tasks_ = [];
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.tasks_.push(one.duration); })
  .observe({type: "longtask"});
let last = performance.now();
const frame = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(frame); };
requestAnimationFrame(frame);
"""
SCRUB = """async (jumps) => {
  const range = document.querySelector("[data-scrub] input");
  for (const back of [false, true])
    for (let jump = 0; jump <= jumps; jump += 1) {
      range.value = Math.round(range.max * (back ? 1 - jump / jumps : jump / jumps));
      range.dispatchEvent(new Event("input", {bubbles: true}));
      await new Promise(requestAnimationFrame);
    }
}"""


@dataclass(frozen=True, slots=True)
class Frames:
    """The time between frames, and the tasks of more than 50 ms, both in milliseconds."""

    what: str
    gaps: list[float]
    tasks: list[float]

    def line(self) -> str:
        """For the table."""
        tenths = quantiles(self.gaps, n=20, method="inclusive")
        rate = 1000 * len(self.gaps) / sum(self.gaps)
        longest = f"{max(self.tasks):.0f} ms" if self.tasks else "none"
        return (
            f"{self.what:<28}{rate:>7.1f}{tenths[9]:>9.1f}{tenths[18]:>9.1f}{max(self.gaps):>9.1f}"
            f"{len(self.tasks):>7}  {longest}"
        )


def main(words: Sequence[str] | None = None) -> int:
    """Serve, open, measure, print."""
    parser = argparse.ArgumentParser(prog="./crapette bench table", description=__doc__)
    parser.add_argument("--throttle", type=float, default=6, help="slow the processor down so many times (6)")
    throttle = parser.parse_args(words).throttle
    record = long_record()
    with tempfile.TemporaryDirectory() as folder:
        site = _site(Path(folder))
        try:
            rows = _measured(site, record, throttle)
        finally:
            site.kill()
    sys.stdout.write(
        f"{PLIES} plies, {PHONE['width']} × {PHONE['height']} px, processor {throttle:g} × slower\n"
    )
    sys.stdout.write(f"{'':<28}{'fps':>7}{'median':>9}{'95 %':>9}{'worst':>9}{'tasks':>7}  longest\n")
    for row in rows:
        sys.stdout.write(row.line() + "\n")
    return 0


def long_record() -> dict[str, Any]:
    """A record of `PLIES` plies, cut off there."""
    games = (played("crapo", 2, seed, plies=PLIES) for seed in range(1, 200))
    game = next(game for game in games if len(game.events) >= PLIES)
    moves = game.events[:PLIES]
    result = {"termination": "stall", "ranking": [[0, 1]], "left": [1, 1], "plies": PLIES}
    return {
        "start": game.start,
        "events": [*moves, {"n": PLIES, "ply": PLIES, "type": "end", "result": result}],
    }


def _site(data: Path) -> RunningSite:
    """A site on which two house bots have met."""
    manage(data, "migrate", "--verbosity", "0")
    manage(data, "register_house_bots")
    manage(data, "start_house_tournament", "--pairs", "1", "--variant", "crapo", "greedy", "planner")
    site = RunningSite(data)
    site.wait_until_ready()
    over = 'data-status="finished"'
    site.until(lambda: over in site.get("/tournaments/house-round-robin/")[1], "the games to be over", 90)
    return site


def _measured(site: RunningSite, record: dict[str, Any], throttle: float) -> list[Frames]:
    found = re.search(r"/games/[0-9a-f-]{36}/", site.get("/tournaments/house-round-robin/")[1])
    assert found is not None
    own = site.get_json(f"{found[0]}record.json")
    long = json.dumps({**own, **record, "variant": "crapo", "result": record["events"][-1]["result"]})
    chromium = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        page = browser.new_page(viewport=PHONE, device_scale_factor=2)
        page.route("**/record.json", lambda route: route.fulfill(body=long, content_type="application/json"))
        page.goto(site.url.rstrip("/") + found[0])
        page.wait_for_selector("[data-ready]")
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
        page.evaluate(WATCH)
        rows = [_played(page, name, speed) for name, speed in SPEEDS.items()]
        page.evaluate(SCRUB, 4)
        rows.append(_watched(page, "a hand over the slider", lambda: page.evaluate(SCRUB, JUMPS)))
        browser.close()
    return rows


def _played(page: Page, name: str, speed: int) -> Frames:
    """Play from the middle of the game for some seconds."""
    page.evaluate(f"location.hash = '#{PLIES // 2}'")
    page.wait_for_timeout(1000)
    page.keyboard.press(str(speed))
    page.keyboard.press(" ")
    try:
        return _watched(page, f"playing, {name}", lambda: page.wait_for_timeout(1000 * SECONDS))
    finally:
        page.keyboard.press(" ")


def _watched(page: Page, what: str, work: Any) -> Frames:
    """The frames and long tasks while some work is done."""
    page.evaluate("window.frames_.length = window.tasks_.length = 0")
    work()
    gaps, tasks = page.evaluate("[window.frames_, window.tasks_]")
    return Frames(what, gaps, tasks)


if __name__ == "__main__":
    sys.exit(main())
