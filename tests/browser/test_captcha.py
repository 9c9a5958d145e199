"""A captcha of another origin as a visitor meets it: its script runs, its frame shows, its token counts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import serious
from tests.browser.conftest import switch_captcha
from tests.browser.test_journey import PASSWORD
from tests.captcha_service import CaptchaService
from tests.site import RunningSite


@pytest.fixture
def _asked(site: RunningSite) -> Iterator[None]:
    """Have the site ask for the captcha, as operators switch it on, until the test ends."""
    switch_captcha(site.data, on=True)
    site.until(lambda: "cf-turnstile" in site.get("/accounts/signup/")[1], "the captcha", 30)
    yield
    switch_captcha(site.data, on=False)


@pytest.mark.usefixtures("_asked")
def test_a_visitor_signs_up_past_a_captcha_that_the_content_policy_lets_in(
    page: Page, site: RunningSite, captcha: CaptchaService
) -> None:
    page.goto("/accounts/signup/")
    expect(page.frame_locator("iframe[title=captcha]").get_by_text("captcha")).to_be_visible()
    assert serious(page) == []
    page.get_by_label("User name").fill("person")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url(lambda url: "signup" not in url)
    assert captcha.asked[-1]["response"].startswith("person-")
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=30)) as database:
        made = database.execute("SELECT count(*) FROM accounts_user WHERE username = 'person'")
        assert made.fetchone() == (1,)
