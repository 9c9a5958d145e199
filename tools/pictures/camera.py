"""Takes pictures of pages, and measures what can be measured of how they look."""

from __future__ import annotations

import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Error, sync_playwright

from tests.browser.conftest import CHROMIUMS, EXPECTED, FLAGS, SHELL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, ViewportSize
    from playwright.sync_api import Page as Tab

    from tools.pictures.pages import Page
    from tools.pictures.place import Place

HEIGHTS: Final = {360: 740, 768: 1024}
USUAL_HEIGHT: Final = 900
HIGHEST: Final = 2_600
"""Where a picture of a long page ends."""
PHONE: Final = 360
QUALITY: Final = 72
PATIENCE_MS: Final = 30_000
SMALLEST: Final = 44
"""Pixels that a thing to press should have in both directions on a phone."""
ENGLISH: Final = re.compile(
    r"\b(the|of|and|with|your|you|this|that|is|are|was|were|to|for|from|by|has|have|at|no|not|it|if|when|each"
    r"|games?|rounds?|seats?|sign|players?|wins?|won|lost|ago|days?|hours?)\b"
)
"""Words that only English has, in the case in which sentences have them."""
SHOWN: Final = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode()) {
    const inside = walker.currentNode.parentElement;
    if (inside.closest("[lang=en]:not(html), script, style, code, pre, textarea, [data-own-words]")) continue;
    if (!inside.checkVisibility()) continue;
    const text = walker.currentNode.textContent.trim().replace(/\\s+/g, " ");
    if (text) found.add(text);
  }
  return [...found];
}"""
"""The texts that are seen, but for those that say themselves that they are English."""
SMALL: Final = """(least) => {
  const found = [];
  const pressed = "a[href], button, input, select, textarea, summary, [role=button]";
  for (const one of document.querySelectorAll(pressed)) {
    if (!one.checkVisibility({visibilityProperty: true}) || one.type === "hidden") continue;
    if (one.matches(".topbar *, .foot *") && location.pathname !== "/") continue;
    const style = getComputedStyle(one);
    if (one.matches("a") && style.display === "inline") continue;
    const target = one.matches("input[type=checkbox], input[type=radio]") ? one.closest("label") ?? one : one;
    const box = target.getBoundingClientRect();
    if (!box.width || !box.height || box.right < 0) continue;
    if (box.width < least || box.height < least) {
      const what = (one.innerText || one.getAttribute("aria-label") || one.name || one.className).trim();
      found.push(`${what.split("\\n")[0].slice(0, 30)} ${Math.round(box.width)}×${Math.round(box.height)}`);
    }
  }
  return [...new Set(found)];
}"""
"""What is too small to press with a thumb; links within a text may be, and the frame is told of once."""
SHIFTS: Final = """window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});"""
CARDS_MS: Final = 800
"""Until a table has drawn its cards in another size or colour."""
STILL: Final = 0.05


@dataclass(frozen=True)
class Look:
    """In which ways pages are looked at."""

    widths: Sequence[int]
    languages: Sequence[str]
    themes: Sequence[str]

    def combinations(self) -> list[tuple[int, str, str]]:
        """Width, theme and language of each picture of a page."""
        return [
            (width, theme, language)
            for language in self.languages
            for width in self.widths
            for theme in self.themes
        ]


@dataclass
class Seen:
    """A page that was looked at: its pictures, and what was found."""

    page: Page
    address: str = ""
    pictures: dict[tuple[int, str, str], str] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def note(self, what: str) -> None:
        """Keep a finding once."""
        if what not in self.found:
            self.found.append(what)


@contextmanager
def opened() -> Iterator[Browser]:
    """A browser. Raises AssertionError if there is none."""
    found = next(filter(None, map(shutil.which, (SHELL, *CHROMIUMS))), None)
    assert found, f"expected one of {', '.join((SHELL, *CHROMIUMS))} to be installed"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*FLAGS])
        yield browser
        browser.close()


class Camera:
    """Looks at the pages of a site, in all ways, and keeps the pictures in a folder."""

    def __init__(self, browser: Browser, site: Place, look: Look, folder: Path) -> None:
        self._browser, self._site, self._look, self._folder = browser, site, look, folder
        self._contexts: dict[tuple[str, str], BrowserContext] = {}
        self._words: dict[str, set[str]] = {}

    def look_at(self, page: Page) -> Seen:
        """Open a page in each language, and take its pictures."""
        seen = Seen(page, page.address(self._site.made))
        self._words.clear()
        for language in self._look.languages:
            tab = self._context(page.who, language).new_page()
            tab.on("pageerror", lambda error: seen.note(f"script: {error}"))
            tab.on("console", lambda line: _console(seen, line.type, line.text))
            try:
                self._take(tab, seen, language)
            except Error as error:
                seen.note(f"{language}: {str(error).splitlines()[0]}")
            finally:
                tab.close()
        return seen

    def _context(self, who: str, language: str) -> BrowserContext:
        """Somebody's browser, in a language."""
        if (who, language) not in self._contexts:
            context = self._browser.new_context(
                base_url=self._site.url, locale=language, reduced_motion="reduce", service_workers="block"
            )
            context.set_default_timeout(PATIENCE_MS)
            context.add_init_script(SHIFTS)
            if who in self._site.cookies:
                context.add_cookies(
                    [{"name": "crapette_session", "value": self._site.cookies[who], "url": self._site.url}]
                )
            self._contexts[who, language] = context
        return self._contexts[who, language]

    def _take(self, tab: Tab, seen: Seen, language: str) -> None:
        tab.set_viewport_size(_size(self._look.widths[0]))
        tab.emulate_media(color_scheme=self._look.themes[0])  # type: ignore[arg-type]
        answer = tab.goto(seen.address, wait_until="load")
        _settle(tab)
        if answer is not None and answer.status >= 400:
            seen.note(f"status {answer.status}")
        moved = tab.evaluate("window.shifted")
        if moved > STILL:
            seen.note(f"moves by {moved:.2f} while it loads ({language})")
        if seen.page.sends:
            _send(tab, seen)
        if seen.page.twice:
            tab.go_back(wait_until="load")
            _send(tab, seen)
        self._compare(tab, seen, language)
        for width in self._look.widths:
            tab.set_viewport_size(_size(width))
            for theme in self._look.themes:
                tab.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
                if tab.locator(".felt").count():
                    tab.wait_for_timeout(CARDS_MS)
                name = f"{seen.page.file}.{language}.{width}.{theme}.jpg"
                _picture(tab, self._folder / name, width)
                seen.pictures[width, theme, language] = name
            over = tab.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if over > 0:
                seen.note(f"{over} px too wide at {width} ({language})")
            if width == PHONE and (small := tab.evaluate(SMALL, SMALLEST)):
                more = f" and {len(small) - 4} more" if len(small) > 4 else ""
                seen.note(f"small to press: {', '.join(small[:4])}{more}")

    def _compare(self, tab: Tab, seen: Seen, language: str) -> None:
        """Note the texts that are English where another language was asked for."""
        if language == "en" or tab.evaluate("document.documentElement.lang") != language:
            return
        for text in tab.evaluate(SHOWN):
            if ENGLISH.search(text):
                seen.note(f"English in {language}: {text[:80]}")


def _size(width: int) -> ViewportSize:
    return {"width": width, "height": HEIGHTS.get(width, USUAL_HEIGHT)}


def _console(seen: Seen, kind: str, text: str) -> None:
    if kind == "error" and not any(one in text for one in EXPECTED):
        seen.note(f"console: {text[:160]}")


def _settle(tab: Tab) -> None:
    """Wait until a page has what it asks for; one that asks on and on is shown as it is."""
    try:
        tab.wait_for_load_state("networkidle", timeout=4_000)
    except Error:
        return


def _send(tab: Tab, seen: Seen) -> None:
    for name, value in seen.page.sends.items():
        tab.locator(f"main [name={name}]").first.fill(value)
    form = tab.locator("main form", has=tab.locator(f"[name={next(iter(seen.page.sends))}]"))
    form.locator("button:not([type=button])").first.click()
    tab.wait_for_load_state("load")
    _settle(tab)


def _picture(tab: Tab, file: Path, width: int) -> None:
    high = tab.evaluate("document.documentElement.scrollHeight")
    clip: Any = {"x": 0, "y": 0, "width": width, "height": min(high, HIGHEST)}
    tab.screenshot(path=file, full_page=True, clip=clip, type="jpeg", quality=QUALITY, animations="disabled")
