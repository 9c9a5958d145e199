"""``./crapette bench table``: measures what drawing the table costs a phone.

A real site serves the page of a real game, but with a record of 1,500 plies, far more than bots ever play.
Chromium shows it at the size of a phone. The benchmark prints the CPU time of each frame in the page's main
thread, by kind of work, and the longest task: while the game plays, and while the slider is dragged from one
end to the other. To reach 60 frames per second on a processor 6 times slower (or ``--throttle``), a frame may
take 16.7 / 6 = 2.8 ms on this machine. ``budget`` is the median's share of that, ``within`` the share of
frames that keep to it.

CPU time comes from a trace. A frame rate would depend on the machine as much as on the page, and falls to a
fraction if others use the machine, while CPU time grew by only about half. Drawing the pixels is not
included. Other threads do that, and on a phone the graphics chip.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUMS, SHELL
from tests.factories.records import played
from tests.site import RunningSite, manage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from playwright.sync_api import Browser, Page, ViewportSize

PLIES: Final = 1500
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
SECONDS: Final = 4
SPEEDS: Final = {"slow": 3, "fast": 7, "as fast as it goes": 9}
JUMPS: Final = 120
FRAME_MS: Final = 1000 / 60
COLUMNS: Final = {
    "frames": 7,
    "mean": 7,
    "median": 8,
    "95 %": 7,
    "worst": 7,
    "budget": 8,
    "within": 8,
    "longest": 9,
}

CATEGORIES: Final = ("devtools.timeline", "disabled-by-default-devtools.timeline")
THREAD: Final = "CrRendererMain"
FRAME: Final = "Commit"
"""What a frame of the main thread ends with: it is handed to the compositor."""
KINDS: Final[Mapping[str, str]] = {
    "FunctionCall": "script",
    "EvaluateScript": "script",
    "FireAnimationFrame": "script",
    "TimerFire": "script",
    "EventDispatch": "script",
    "RunMicrotasks": "script",
    "MinorGC": "script",
    "MajorGC": "script",
    "UpdateLayoutTree": "style",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "PaintImage": "paint",
    "Layerize": "composite",
    "Commit": "composite",
    "UpdateLayer": "composite",
}
OTHER: Final = "other"
ORDER: Final = ("script", "style", "layout", "paint", "composite", OTHER)

SCRUB = """async (jumps) => {
  const range = document.querySelector("[data-scrub] input");
  for (const back of [false, true])
    for (let jump = 0; jump <= jumps; jump += 1) {
      range.value = Math.round(range.max * (back ? 1 - jump / jumps : jump / jumps));
      range.dispatchEvent(new Event("input", {bubbles: true}));
      await new Promise(requestAnimationFrame);
    }
}"""


Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """What frames cost the main thread, all in milliseconds of processor time.

    That of a frame is of all tasks since the previous one, its own included.
    """

    frames: tuple[float, ...]
    longest: float
    """The longest task, in or between frames."""
    kinds: Mapping[str, float]
    """The mean of a frame by kind of work, in the order of `ORDER`."""

    @property
    def mean(self) -> float:
        """Of a frame."""
        return sum(self.frames) / len(self.frames)

    def share_within(self, budget: float) -> float:
        """Of the frames, from 0 to 1."""
        return sum(cost <= budget for cost in self.frames) / len(self.frames)


def traced(browser: Browser, page: Page, work: Callable[[], object]) -> Cost:
    """What the frames cost that a page draws while some work is done."""
    session = browser.new_browser_cdp_session()
    events: list[Event] = []
    over: list[bool] = []
    session.on("Tracing.dataCollected", lambda message: events.extend(message["value"]))
    session.on("Tracing.tracingComplete", lambda _: over.append(True))
    config = {"includedCategories": list(CATEGORIES), "excludedCategories": ["*"]}
    session.send("Tracing.start", {"traceConfig": config, "transferMode": "ReportEvents"})
    work()
    session.send("Tracing.end")
    while not over:
        page.wait_for_timeout(20)
    session.detach()
    return cost_of(events)


def cost_of(events: Sequence[Event]) -> Cost:
    """Read a trace's events; of several pages the one that drew most is meant."""
    tops, kinds = _nested(_main_thread(events))
    frames: list[float] = []
    pending = 0.0
    for task in tops:
        pending += task["tdur"]
        if task["frame"]:
            frames.append(pending / 1000)
            pending = 0.0
    if not frames:
        raise ValueError(f"expected frames of a page in the trace, got none in {len(events)} events")
    mean = {kind: kinds[kind] / 1000 / len(frames) for kind in ORDER}
    return Cost(tuple(frames), max(task["tdur"] for task in tops) / 1000, mean)


def _main_thread(events: Iterable[Event]) -> list[Event]:
    names = {
        (one["pid"], one["tid"])
        for one in events
        if one["ph"] == "M" and one["name"] == "thread_name" and one["args"]["name"] == THREAD
    }
    whole = [one for one in events if one["ph"] == "X" and (one["pid"], one["tid"]) in names]
    drawn = Counter(one["pid"] for one in whole if one["name"] == FRAME)
    process = max(drawn, key=drawn.__getitem__, default=None)
    own = (one for one in whole if one["pid"] == process)
    return sorted(own, key=lambda one: (one["ts"], -one["dur"]))


def _nested(events: Sequence[Event]) -> tuple[list[Event], Counter[str]]:
    """The outermost tasks with whether a frame ended in them, and the time of each moment by its kind."""
    tops: list[Event] = []
    kinds: Counter[str] = Counter()
    open_: list[tuple[float, str]] = []
    for one in events:
        time = one.get("tdur", 0)
        while open_ and open_[-1][0] <= one["ts"]:
            open_.pop()
        above = open_[-1][1] if open_ else OTHER
        kind = KINDS.get(one["name"], above)
        if open_:
            kinds[above] -= time
        else:
            tops.append({"tdur": time, "frame": False})
        kinds[kind] += time
        tops[-1]["frame"] |= one["name"] == FRAME
        open_.append((one["ts"] + one["dur"], kind))
    return tops, kinds


def line(what: str, cost: Cost, budget: float) -> str:
    """For the table."""
    cuts = quantiles(cost.frames, n=20, method="inclusive")
    kinds = "".join(f"{cost.kinds[kind]:>10.2f}" for kind in ORDER)
    return (
        f"{what:<28}{len(cost.frames):>7}{cost.mean:>7.2f}{cuts[9]:>8.2f}{cuts[18]:>7.2f}{max(cost.frames):>7.2f}"
        f"{cuts[9] / budget:>8.0%}{cost.share_within(budget):>8.0%}{cost.longest:>9.2f}{kinds}"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Serve, open, measure, print."""
    parser = argparse.ArgumentParser(prog="./crapette bench table", description=__doc__)
    parser.add_argument(
        "--throttle", type=float, default=6, help="how many times slower the phone is (default: 6)"
    )
    throttle = parser.parse_args(words).throttle
    record = long_record()
    with tempfile.TemporaryDirectory() as folder:
        site = _site(Path(folder))
        try:
            rows = _measured(site, record)
        finally:
            site.kill()
    budget = FRAME_MS / throttle
    sys.stdout.write(
        f"{PLIES} plies, {PHONE['width']} × {PHONE['height']} px; milliseconds of the main thread a frame;"
        f" the budget is {budget:.2f}: 60 a second on a processor {throttle:g} × slower\n"
    )
    head = "".join(f"{name:>{width}}" for name, width in COLUMNS.items())
    sys.stdout.write(f"{'':<28}{head}{''.join(f'{kind:>10}' for kind in ORDER)}\n")
    for what, cost in rows:
        sys.stdout.write(line(what, cost, budget) + "\n")
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


def _measured(site: RunningSite, record: dict[str, Any]) -> list[tuple[str, Cost]]:
    found = re.search(r"/games/[0-9a-f-]{36}/", site.get("/tournaments/house-round-robin/")[1])
    assert found is not None
    own = site.get_json(f"{found[0]}record.json")
    long = json.dumps({**own, **record, "variant": "crapo", "result": record["events"][-1]["result"]})
    chromium = next(filter(None, map(shutil.which, (*CHROMIUMS, SHELL))), None)
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        page = browser.new_page(viewport=PHONE, device_scale_factor=2)
        page.route("**/record.json", lambda route: route.fulfill(body=long, content_type="application/json"))
        page.goto(site.url.rstrip("/") + found[0])
        page.wait_for_selector("[data-ready]")
        rows = [(f"playing, {name}", _played(browser, page, speed)) for name, speed in SPEEDS.items()]
        page.evaluate(SCRUB, 4)
        scrubbed = traced(browser, page, lambda: page.evaluate(SCRUB, JUMPS))
        rows.append(("a hand over the slider", scrubbed))
        browser.close()
    return rows


def _played(browser: Browser, page: Page, speed: int) -> Cost:
    """Play from the middle of the game for some seconds, or until it ends."""
    page.evaluate(f"location.hash = '#{PLIES // 2}'")
    page.wait_for_timeout(1000)
    page.keyboard.press(str(speed))
    page.keyboard.press(" ")
    try:
        return traced(browser, page, lambda: page.wait_for_timeout(1000 * SECONDS))
    finally:
        if page.get_by_role("button", name="Pause").count():
            page.keyboard.press(" ")


if __name__ == "__main__":
    sys.exit(main())
