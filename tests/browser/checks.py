"""What every page is held to: axe finds nothing serious, by day and by night, and it fits all widths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (320, 360, 768, 1440)


def serious(page: Page, *rules: str) -> list[str]:
    """What axe finds serious by all rules, or by these."""
    options = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    return [
        f"{one['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for one in Axe().run(page, options=options).response["violations"]
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
