"""The game in ticks in the browser: its table tick by tick, its words, and a game played."""

import re

from playwright.sync_api import Page, expect

from tests.browser.checks import violations


def keys(page: Page) -> str:
    """What can be played now, as its key: a card before a turn, a turn before waiting."""
    piles = page.locator(".is-source").evaluate_all("slots => slots.map((slot) => slot.dataset.pile)")
    cards = [pile[-1] if pile[0] == "s" else pile[0] for pile in piles if pile[0] != "h"]
    return cards[0] if cards else "t" if piles else " "


def test_a_guest_plays_ticks_against_a_bot_pauses_resigns_and_steps_through_the_game(page: Page) -> None:
    page.goto("/play/?variant=vitesse")
    page.get_by_text("Seat, clock, rated game").click()
    page.get_by_label("Your seat").select_option("0")
    page.get_by_label("Length of a tick").select_option("wait")
    page.get_by_role("button", name="Deal").click()
    status, ticks = page.locator("[data-status]"), page.locator("[data-log] li")
    expect(status).to_contain_text("Ready?")
    page.keyboard.press(" ")
    for tick in range(3):
        expect(status).to_have_text(re.compile(f"^Tick {tick + 1}: your choice"))
        page.keyboard.press(keys(page))
        expect(ticks).to_have_count(tick + 1)
    page.keyboard.press("h")
    # First the page's own rule of thumb, then what the search found.
    expect(page.locator("[data-reason]")).to_have_text(re.compile("^(?!Rule).*Press again for more.$"))
    expect(page.get_by_role("button", name="Stop, crapette!")).to_be_disabled()
    page.keyboard.press("s")
    expect(page.locator("[data-reason]")).to_have_text("You can call stop once your reserve is empty.")

    # With a second a tick who does nothing is late; a paused game stays so over a reload.
    page.locator('[data-choice="pace"]').select_option("1000")
    expect(ticks.filter(has_text="wait (late)").first).to_be_attached()
    page.get_by_role("button", name="Pause").click()
    expect(status).to_have_text(re.compile(r"^Paused in tick \d+\."))
    page.reload()
    expect(status).to_have_text(re.compile("^Paused in tick"))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("link", name="Replay").click()

    expect(page.locator("[data-where]")).to_have_text(re.compile(r"^Tick 0 of \d+$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-where]")).to_have_text(re.compile(r"^Tick 1 of \d+$"))
    expect(page.locator('[data-moves] [aria-current="step"]')).to_contain_text("1")
    page.keyboard.press("End")
    expect(page.locator("[data-status]")).to_contain_text("resigned")
    expect(page.get_by_role("tab", name="Analysis")).to_have_count(0)
    assert violations(page) == []
