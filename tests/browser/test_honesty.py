"""The pages that say how sure something is and what is odd: tests, integrity, checks, bench, near-twins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.conftest import manage
from tests.browser.honest import BENCHED, BOT, OWNER, TWIN
from tests.browser.test_journey import PASSWORD, sign_up

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.site import RunningSite

DECIDED_MS = 300_000


@pytest.fixture(scope="module")
def honest(site: RunningSite, finished_tournament: str) -> str:
    """The page of a bot that is benched and has a near-twin."""
    manage(site.data, "shell", "-c", "from tests.browser.honest import put_in; put_in()")
    return "/bots/stone-roller-with-a-very-long-name/"


def readable(page: Page) -> None:
    """Fail where the page cannot be read by all, by day or by night, or scrolls sideways at any width."""
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)


def test_a_sequential_test_says_how_long_it_takes_draws_its_evidence_and_ends_in_a_sentence(
    page: Page,
) -> None:
    sign_up(page, "tester")
    page.goto("/tournaments/test/")
    page.get_by_label("New version", exact=True).select_option(label="Greedy v1 (house)")
    page.get_by_label("Compared with", exact=True).select_option(label="Random v1 (house)")
    page.get_by_label("Upper bound").fill("200")
    page.keyboard.press("Tab")
    expect(page.get_by_role("status").get_by_role("table")).to_contain_text("200")
    readable(page)
    page.get_by_role("button", name="Start the test").click()

    sentence = page.get_by_role("heading", name=re.compile("^(Accepted|Rejected) after "))
    expect(sentence).to_be_visible(timeout=DECIDED_MS)
    page.reload()
    curve = page.get_by_role("img", name="Evidence after each pair")
    expect(curve).to_be_visible()
    page.get_by_text("Show as a table").click()
    rows = page.locator("figure details tbody tr")
    expect(rows.first).to_be_visible()
    assert rows.count() >= 2, "a row for each pair"
    readable(page)


def test_the_integrity_page_tells_rules_flags_and_requests(page: Page, honest: str) -> None:
    page.goto("/integrity/")

    flags = page.get_by_role("table", name=re.compile("move by more than 3 standard errors"))
    expect(flags).to_contain_text(OWNER)
    odd = page.get_by_role("table", name=re.compile("more than 4 standard errors"))
    expect(odd).to_contain_text("1,240")
    expect(page.get_by_text("oom-kill")).to_be_visible()
    readable(page)


def test_a_bots_page_tells_its_bench_and_near_twins(page: Page, honest: str) -> None:
    page.goto(honest, wait_until="networkidle")

    expect(page.get_by_text(BENCHED)).to_be_visible()
    twins = page.locator("section.panel", has=page.get_by_role("heading", name="Near-twins"))
    expect(twins).to_contain_text(f"agrees with {TWIN} v1 in 94 % of 70 positions")
    readable(page)


def test_its_author_sees_on_which_boards_it_passed_and_why_not_on_the_others(page: Page, honest: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(OWNER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button").first.click()
    page.goto(honest)
    page.get_by_role("rowheader").get_by_role("link", name="v1", exact=True).click()

    boards = page.locator("table.trials tbody tr")
    expect(boards).to_have_count(10)
    expect(boards.filter(has_text="passed").first).to_be_visible()
    failed = boards.filter(has_text="failed").first
    expect(failed.get_by_text("ModuleNotFoundError")).to_be_visible()
    expect(page.get_by_role("button", name="Check again to take it off the bench")).to_be_visible()
    readable(page)
    page.goto("/bots/account/")
    expect(page.get_by_text(f"{BOT} v1 is benched")).to_be_visible()
    readable(page)
