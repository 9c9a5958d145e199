"""A bot of two people: invited, accepted, written together, and still there when its owner has left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.test_journey import BOT, LIVE_MS, PASSWORD, sign_up, upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OWNERS = "/bots/two-heads/owners/"


@pytest.mark.at_length
@pytest.mark.usefixtures("uploads")
def test_a_bot_of_two_people_outlives_the_account_of_its_owner(page: Page, browser: Browser) -> None:
    sign_up(page, "headone")
    upload(page, "Two Heads")
    base = page.url.partition("/bots/")[0]
    context = browser.new_context(base_url=base, reduced_motion="reduce")
    other = context.new_page()
    sign_up(other, "headtwo")

    page.goto("/bots/two-heads/")
    page.get_by_role("link", name="Owners").click()
    page.get_by_label("Invite by user name").fill("headtwo")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_text("We asked headtwo.")).to_be_visible()
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)

    other.goto("/notices/")
    other.get_by_role("link", name=re.compile("headone asks you to be a co-owner")).click()
    expect(other.get_by_role("heading", name="You are invited")).to_be_visible()
    assert serious(other) == []
    other.get_by_role("button", name="Accept").click()
    expect(other.get_by_role("heading", name="Activity")).to_be_visible()

    other.goto("/bots/two-heads/upload/")
    other.get_by_label("Bot file").set_input_files(
        FilePayload(name="bot.py", mimeType="text/x-python", buffer=BOT + b"# of the second head\n")
    )
    other.get_by_role("button", name=re.compile("Upload")).click()
    expect(other.get_by_role("heading", name=re.compile("v2"))).to_be_visible()
    expect(other.get_by_text("by headtwo")).to_be_visible()
    expect(other.get_by_role("link", name="Enter it in a tournament")).to_be_visible(timeout=LIVE_MS)

    page.goto("/bots/account/")
    page.get_by_label("Type your user name to confirm").fill("headone")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete my account").click()
    deleted, asked = (
        page.get_by_text("Your account has been deleted."),
        page.get_by_label("Password", exact=True),
    )
    # Whoever signed in a few minutes ago is asked for the password once more.
    expect(deleted.or_(asked)).to_be_visible()
    if asked.is_visible():
        asked.fill(PASSWORD)
        page.get_by_role("button", name="Confirm").click()
    expect(deleted).to_be_visible()

    page.goto("/bots/two-heads/")
    expect(page.get_by_role("heading", name="Two Heads")).to_be_visible()
    expect(page.get_by_role("link", name="headtwo")).to_be_visible()
    expect(page.get_by_text("headone")).to_have_count(0)
    expect(page.get_by_text("plays as v2")).to_be_visible()
    other.goto(OWNERS)
    expect(other.get_by_text("took the bot over from its owner")).to_be_visible()
    readable_in_the_dark_and_nowhere_too_wide(other)
    context.close()
