"""Two-factor authentication as its user meets it."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.test_journey import PASSWORD, sign_up
from tests.factories.accounts import code_of


@pytest.mark.at_length
def test_a_user_sets_up_a_second_factor_and_signs_in_with_a_recovery_code(page: Page) -> None:
    sign_up(page, "careful")
    page.goto("/bots/account/")
    page.get_by_role("link", name="Two-factor authentication").click()
    page.get_by_role("link", name="Set up").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    picture = page.get_by_alt_text("QR code")
    assert picture.evaluate("image => image.naturalWidth") > 0
    assert serious(page) == []
    secret = page.locator("#authenticator_secret").inner_text()
    page.get_by_label("Authenticator code").fill(code_of(secret, seconds=15))
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_text("10 of 10 codes are unused.")).to_be_visible()
    readable_in_the_dark_and_nowhere_too_wide(page)
    recovery = page.locator("#recovery_codes").inner_text().split()[0]
    assert re.fullmatch(r"\d{8}", recovery)

    page.context.clear_cookies()
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill("careful")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    assert serious(page) == []
    page.get_by_label("Code").fill(recovery)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("careful").first).to_be_visible()
