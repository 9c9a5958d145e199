"""Cards are heard only by those who wish it, and never before they have done something on the page."""

import re

from playwright.sync_api import Page, expect

COUNTED = """
for (const kind of [AudioScheduledSourceNode, AudioBufferSourceNode]) {
  const { start } = kind.prototype;
  kind.prototype.start = function (...rest) {
    const { dataset } = document.documentElement;
    dataset.sounds = Number(dataset.sounds ?? 0) + 1;
    return start.apply(this, rest);
  };
}
"""
"""Counts sounds on the page's root element, and lets them be made."""


def test_sound_is_off_until_it_is_switched_on_and_stays_as_it_was_left(
    page: Page, finished_game: str
) -> None:
    page.add_init_script(COUNTED)
    page.goto(finished_game)
    root, switch = page.locator("html"), page.get_by_role("button", name="Sound", exact=True)
    ready = page.locator("[data-felt][data-ready]")
    expect(ready).to_have_count(1)
    expect(switch).to_have_attribute("aria-pressed", "false")
    step(page)
    assert root.get_attribute("data-sounds") is None

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(root).to_have_attribute("data-sounds", "1")  # what it sounds like
    step(page)
    expect(root).not_to_have_attribute("data-sounds", "1")

    page.reload()
    expect(ready).to_have_count(1)
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert root.get_attribute("data-sounds") is None
    step(page)
    expect(root).to_have_attribute("data-sounds", re.compile(r"\d"))

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    before = root.get_attribute("data-sounds")
    step(page)
    assert root.get_attribute("data-sounds") == before


def step(page: Page) -> None:
    """Make the first move of the game, long enough after what was heard last to be heard itself."""
    page.keyboard.press("Home")
    expect(page.locator("[data-where]")).to_contain_text("ply 0")
    page.wait_for_timeout(300)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-where]")).to_contain_text("ply 1")
