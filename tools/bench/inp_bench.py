"""``./crapette bench inp``: measures how soon pages answer to what people do on a slow phone.

A real site with played games runs, and Chromium's processor is slowed down 6 times (or ``--throttle``).
Each interaction of `tools.bench.interactions` is done several times: a move at the table by tap and by drag,
a step and a jump in a replay, a menu, a letter in a search, the format of a new event, and so on. The browser
says how long each took, from the tap or key to the next picture (Event Timing, as for "Interaction to Next
Paint"), in steps of 8 ms: waiting for the page's scripts, running its own, and drawing. A time below 16 ms is
written as 16, because a browser tells of no shorter ones.

The budget is 100 ms. The exit status is 1 if the median of an interaction's tries is above it, and is so
again when the interaction is measured a second time, after all others. The worst try is shown as well; on a
machine that others use it says more about them than about the page. ``--profile`` writes where the page's
scripts spent their time, for each interaction above the budget.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from tools.bench.interactions import INTERACTIONS, VISITS, Interaction
from tools.pictures.camera import opened
from tools.pictures.place import at_rest, kept_or_temporary, place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Browser, CDPSession, Page

    from tools.bench.interactions import Visit
    from tools.pictures.place import Place

BUDGET_MS: Final = 100
LEAST_MS: Final = 16
"""What a browser tells of at least."""
SETTLE_MS: Final = 700
"""Until what an interaction began, such as an answer of the server, is drawn."""
OBSERVE: Final = """window.told = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    if (!one.interactionId) continue;
    window.told.push({
      id: one.interactionId, kind: one.name, whole: one.duration,
      delay: one.processingStart - one.startTime, scripts: one.processingEnd - one.processingStart,
    });
  }
}).observe({type: "event", durationThreshold: 16, buffered: true});"""


@dataclass(frozen=True, slots=True)
class Told:
    """What the browser said of one try, in milliseconds."""

    whole: float = LEAST_MS
    delay: float = 0
    scripts: float = 0

    @property
    def drawing(self) -> float:
        """From the end of the scripts to the picture."""
        return max(0, self.whole - self.delay - self.scripts)


@dataclass(frozen=True, slots=True)
class Measured:
    """An interaction's tries, and how many of them the browser told of."""

    interaction: Interaction
    tries: Sequence[Told]
    seen: int
    profile: Sequence[str] = ()

    @property
    def middle(self) -> float:
        """The median of the tries."""
        return median(one.whole for one in self.tries)

    @property
    def over(self) -> bool:
        """Whether the budget does not hold."""
        return self.middle > BUDGET_MS

    def line(self) -> str:
        """A line of the table."""
        parts = (median(getattr(one, part) for one in self.tries) for part in ("delay", "scripts", "drawing"))
        return (
            f"{self.interaction.page:18}{self.interaction.what:32}{self.middle:8.0f}"
            f"{max(one.whole for one in self.tries):8.0f}{''.join(f'{part:9.0f}' for part in parts)}"
            f"{self.seen:6}/{len(self.tries)}{'  OVER' if self.over else ''}"
        )


def of_tries(told: Sequence[dict[str, Any]]) -> Told | None:
    """The longest event of the longest interaction of one try; None if the browser told of none."""
    if not told:
        return None
    found = max(told, key=lambda one: one["whole"])
    return Told(found["whole"], found["delay"], found["scripts"])


def main(words: Sequence[str] | None = None) -> int:
    """Serve, open, measure, print."""
    parser = argparse.ArgumentParser(prog="./crapette bench inp", description=__doc__)
    parser.add_argument("--throttle", type=float, default=6, help="how many times slower (default: 6)")
    parser.add_argument("--tries", type=int, default=7, help="of each interaction (default: 7)")
    parser.add_argument("--only", default="", help="only interactions whose page and name have this pattern")
    parser.add_argument("--site", type=Path, help="folder that keeps the site, as for ./crapette pictures")
    parser.add_argument("--profile", action="store_true", help="where the time of the scripts went")
    asked = parser.parse_args(words)
    wanted = [one for one in INTERACTIONS if re.search(asked.only, f"{one.page}: {one.what}")]
    if not wanted:
        parser.error(f"expected a part of the name of an interaction, got {asked.only!r}")
    sys.stdout.write(
        f"milliseconds from the tap or key to the picture, processor {asked.throttle:g} × slower;"
        f" the budget is {BUDGET_MS}\n{'':50}{'median':>8}{'worst':>8}"
        f"{'delay':>9}{'scripts':>9}{'drawing':>9}{'told':>8}\n"
    )
    with kept_or_temporary(asked.site) as folder, place(folder) as site, at_rest(folder), opened() as browser:
        found = list(_all(browser, site, wanted, asked))
        again = [one.interaction for one in found if one.over]
        if again:
            sys.stdout.write("once more, what was over:\n")
        over = sum(one.over for one in _all(browser, site, again, asked))
    verdict = f"{over} of {len(found)} interactions are over it" if over else "the budget holds"
    sys.stdout.write(f"\nload {os.getloadavg()[0]:.1f}; {verdict}\n")
    return int(bool(over))


def _all(
    browser: Browser, site: Place, interactions: Sequence[Interaction], asked: argparse.Namespace
) -> Iterator[Measured]:
    """Measure these page by page, and print a line for each."""
    for name, visit in VISITS.items():
        own = [one for one in interactions if one.page == name]
        for measured in _visited(browser, site, visit, own, asked) if own else ():
            sys.stdout.write("\n".join((measured.line(), *measured.profile)) + "\n")
            sys.stdout.flush()
            yield measured


def _visited(
    browser: Browser,
    site: Place,
    visit: Visit,
    interactions: Sequence[Interaction],
    asked: argparse.Namespace,
) -> Iterator[Measured]:
    """Do what people do on one page. Raises an error of Playwright if the page does not let it be done."""
    context = browser.new_context(
        base_url=site.url, locale="en", viewport=visit.viewport, service_workers="block"
    )
    if visit.who in site.cookies:
        context.add_cookies([{"name": "crapette_session", "value": site.cookies[visit.who], "url": site.url}])
    page = context.new_page()
    page.add_init_script(OBSERVE)
    page.goto(visit.address.format_map(site.made))
    visit.begin(page)
    session = context.new_cdp_session(page)
    for interaction in interactions:
        yield _measured(page, session, interaction, asked)
    context.close()


def _measured(
    page: Page, session: CDPSession, interaction: Interaction, asked: argparse.Namespace
) -> Measured:
    tries: list[Told] = []
    seen = 0
    profiled: list[dict[str, Any]] = []
    for number in range(asked.tries):
        interaction.ready(page, number)
        page.wait_for_timeout(300)
        session.send("Emulation.setCPUThrottlingRate", {"rate": asked.throttle})
        page.evaluate("window.told = []")
        if asked.profile:
            session.send("Profiler.enable")
            session.send("Profiler.start")
        try:
            interaction.act(page, number)
            page.wait_for_timeout(SETTLE_MS)
            told = of_tries(page.evaluate("window.told"))
        finally:
            if asked.profile:
                profiled.append(session.send("Profiler.stop")["profile"])
            session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        seen += told is not None
        tries.append(told or Told())
    measured = Measured(interaction, tries, seen)
    if measured.over and asked.profile:
        return Measured(interaction, tries, seen, _hot(profiled))
    return measured


def _hot(profiles: Sequence[dict[str, Any]]) -> list[str]:
    """The functions that took longest themselves, in milliseconds of all tries."""
    own: Counter[str] = Counter()
    for profile in profiles:
        nodes = {node["id"]: node["callFrame"] for node in profile["nodes"]}
        for node, delta in zip(profile["samples"], profile["timeDeltas"], strict=True):
            frame = nodes[node]
            if frame["functionName"] not in ("(idle)", "(root)"):
                file = frame["url"].rpartition("/")[2].split(".")[0]
                own[f"{frame['functionName'] or '(anonymous)'} {file}:{frame['lineNumber'] + 1}"] += delta
    return [f"    {time / 1000:8.1f}  {name}" for name, time in own.most_common(12)]


if __name__ == "__main__":
    sys.exit(main())
