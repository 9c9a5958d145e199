"""What every page is held to: axe finds nothing serious, by day and by night, and it fits all widths."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

from tests.thorough import THOROUGH

WIDTHS = (320, 360, 768, 1440) if THOROUGH else (320, 768)


def violations(page: Page, *rules: str) -> list[dict[str, Any]]:
    """What axe finds by all rules, or by these.

    A page gets axe once, and answers with what is wrong alone: to read axe and to tell of all that is right
    take as long as to look.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    found: list[dict[str, Any]] = page.evaluate(
        "async (options) => (await axe.run(document, options)).violations", options
    )
    return found


def serious(page: Page, *rules: str) -> list[str]:
    """What axe finds serious by all rules, or by these."""
    return [
        f"{one['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for one in violations(page, *rules)
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def too_wide(page: Page) -> dict[int, int]:
    """By how many pixels the page scrolls sideways, at the widths where it does."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found[width] = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    return {width: over for width, over in found.items() if over > 0}


def readable_in_the_dark_and_nowhere_too_wide(page: Page) -> None:
    """Fail where the dark page is hard to read or any scrolls sideways; it is then as it was, and light."""
    before = page.viewport_size
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    # What is wrong in the dark alone is a colour.
    assert serious(page, "color-contrast", "link-in-text-block") == []
    assert too_wide(page) == {}
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if before:
        page.set_viewport_size(before)


def middle(page: Page, pile: str) -> tuple[float, float]:
    """The middle of a pile's place, once it has not moved for three frames: a table follows a new width."""
    place = page.locator(f'[data-pile="{pile}"]')
    before: object = None
    stood = 0
    while True:
        box = place.bounding_box()
        assert box is not None
        stood = stood + 1 if box == before else 0
        if stood == 3:
            return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before = box
        page.evaluate("new Promise(requestAnimationFrame)")
