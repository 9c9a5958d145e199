"""Whole ways of people through the site: an organiser, a follower, a player on a phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.checks import serious
from tests.browser.test_journey import LIVE_MS, sign_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page


FOUR = ("Cautious", "Greedy", "Random", "Random (C)")


@pytest.fixture
def another(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """A page of another person, with a browser of their own."""
    context = browser.new_context(**browser_context_args)
    context.set_default_timeout(LIVE_MS)
    yield context.new_page()
    context.close()


def create(page: Page, name: str) -> str:
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    return page.url


def press(page: Page, button: str, then: str | re.Pattern[str]) -> None:
    """Press a button and wait for what the next page says of it."""
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.get_by_text(then).first).to_be_visible()


def start_now(page: Page) -> None:
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start now").click()


def play_it_out(page: Page) -> Locator:
    expect(page.locator("[data-status]")).to_have_attribute("data-status", "finished", timeout=LIVE_MS)
    return page.locator(".story__headline")


def test_a_cup_goes_from_a_preset_through_an_edit_to_a_champion_of_whom_a_follower_is_told(
    page: Page, another: Page
) -> None:
    another.goto("/bots/greedy/")
    another.get_by_role("link", name="Follow", exact=True).click()
    expect(another).to_have_url(re.compile(r"/accounts/login/\?next=/bots/greedy/follow/$"))
    sign_up(another, "fan")
    another.goto("/bots/?owner=house")
    for bot in FOUR:
        another.get_by_role("button", name=f"Follow {bot}", exact=True).click()
        expect(another.get_by_role("button", name=f"Unfollow {bot}", exact=True)).to_be_visible()

    sign_up(page, "chair")
    page.goto("/tournaments/")
    page.get_by_role("link", name="New tournament").first.click()
    page.get_by_role("link", name=re.compile("Weekend cup")).click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Weekend cup")
    for bot in FOUR:
        page.get_by_role("checkbox", name=re.compile(rf"^{re.escape(bot)} v\d+ ")).check()
    page.get_by_text("How long", exact=True).click()
    page.get_by_label("Pairs of games").fill("2")
    event = create(page, "Weekend cup")
    state = page.locator("[data-status] .chip")
    expect(state).to_have_text("Registration open")
    zone = page.evaluate("new Intl.DateTimeFormat('en-GB', {timeZoneName: 'short'}).format().split(', ')[1]")
    page.reload()
    expect(page.locator(".panel__title time")).to_contain_text(zone)
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Name", exact=True).fill("Rainy weekend cup")
    page.get_by_label("Pairs of games").fill("1")
    press(page, "Save", "Your changes have been saved.")
    expect(page.get_by_role("heading", name="Rainy weekend cup")).to_be_visible()
    assert page.url == event
    page.get_by_role("link", name="Organisers and what they did").click()
    expect(page.get_by_text("Pairs of games 2 → 1")).to_be_visible()
    page.goto(event)
    start_now(page)
    expect(page.get_by_role("button", name="Start now", exact=True)).to_have_count(0)
    page.goto("about:blank")  # one page that renews itself is enough

    # The page renews itself until the bracket has its champion.
    another.goto(event)
    play_it_out(another)
    bracket = another.locator(".panel", has=another.get_by_role("heading", name="Bracket"))
    name = re.sub(r" v\d+$", "", bracket.locator(".panel__note b").inner_text())
    assert name in FOUR
    bracket.locator(".bracket__round").last.get_by_role("link", name=re.compile("games")).first.click()
    another.locator('main a[href^="/games/"]').first.click()
    another.wait_for_selector("[data-ready]")
    label = another.locator("[data-label]").first
    expect(label).to_have_text(re.compile("^(Finished|Replay)"))
    another.keyboard.press("End")
    expect(label).to_have_text(re.compile("^(Finished|Replay)"))
    expect(another.get_by_role("heading", level=1)).to_contain_text(name)
    assert another.locator(".chip--live").count() == 0, "nothing is live that is over"
    # A task tells followers, after the event is over.
    told = another.locator(".rows__what").get_by_role("link", name=f"{name} won Rainy weekend cup.")
    for _ in range(LIVE_MS // 1000):
        another.goto("/notices/")
        if told.count():
            break
        another.wait_for_timeout(1000)
    told.click()
    assert another.url == event
    another.goto("/followed/")
    assert serious(another) == []
    for bot in FOUR:
        another.get_by_role("button", name=f"Unfollow {bot}", exact=True).click()
        expect(another.get_by_role("button", name=f"Unfollow {bot}", exact=True)).to_have_count(0)
    expect(another.get_by_role("heading", name="You don’t follow any bots yet")).to_be_visible()

    page.goto(event)
    expect(play_it_out(page)).to_contain_text("is the champion")
    expect(page.locator(".podium__points").first).to_contain_text("won")
    page.emulate_media(media="print")
    printed = page.locator(".bracketed")
    width, height = printed.evaluate("it => [it.scrollWidth, it.getBoundingClientRect().height]")
    assert printed.evaluate("it => it.clientWidth") >= width  # nothing is cut off
    assert height < 700  # a landscape page of either paper
