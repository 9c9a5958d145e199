"""An organiser's way: create a series, play two events of house bots, close the season, see the archive."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.test_journey import LIVE_MS, sign_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOTS = ("Greedy", "Random")


def wait_for_finished(page: Page, count: int) -> None:
    """Look at the page of the series until so many events are finished."""
    finished = page.get_by_text(f"{count} of 2 events finished")
    for _ in range(LIVE_MS // 1000):
        page.goto("/series/journey-league/")
        if finished.count():
            return
        page.wait_for_timeout(1000)
    expect(finished).to_be_visible()


@pytest.mark.at_length
def test_a_series_of_two_events_is_played_closed_and_kept(page: Page) -> None:
    sign_up(page, "leaguer")
    page.goto("/series/")
    page.get_by_role("link", name="New series").click()
    page.get_by_label("Name", exact=True).fill("Journey League")
    page.get_by_label("Planned events").fill("2")
    page.get_by_role("button", name="Create the series").click()
    page.get_by_role("link", name="First event").click()
    expect(page.get_by_label("Series")).to_have_value("journey-league")
    page.get_by_label("Name", exact=True).fill("Journey 1")
    for bot in BOTS:
        page.get_by_role("checkbox", name=re.compile(rf"^{bot} v1")).check()
    page.get_by_label("Pairs of games").fill("1")
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("link", name="Journey League")).to_be_visible()
    wait_for_finished(page, 1)
    expect(page.get_by_role("table").get_by_role("row")).to_have_count(3)

    page.get_by_role("link", name="Next event").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Journey 2")
    page.get_by_role("button", name="Create tournament").click()
    expect(page.get_by_role("heading", name="Journey 2")).to_be_visible()
    wait_for_finished(page, 2)
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)

    page.on("dialog", lambda dialog: dialog.accept())
    page.goto("/series/journey-league/")
    page.get_by_role("button", name="Close the season and start the next").click()
    expect(page.locator("[aria-current=page]", has_text="Season 2")).to_be_visible()
    page.get_by_role("link", name="All seasons").click()
    expect(page.locator(".event__won").first).to_be_visible()
    assert serious(page) == []
    page.get_by_role("link", name=re.compile("Season 1")).click()
    expect(page.locator(".story--over")).to_be_visible()
    readable_in_the_dark_and_nowhere_too_wide(page)
