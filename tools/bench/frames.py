"""What a page's main thread does for each frame, read from a trace of Chromium.

The cost of a frame is the CPU time of all tasks since the previous frame, including its own. Unlike a frame
rate, it does not include time that other processes take on a shared machine.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from playwright.sync_api import Browser, Page

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

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """What frames cost the main thread, all in milliseconds of processor time."""

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
