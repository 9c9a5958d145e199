"""Whoever opens a page without a connection is told so by a page of the site."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

pytestmark = pytest.mark.browser_context_args(service_workers="allow")


def test_a_page_that_cannot_be_reached_is_replaced_by_one_that_says_so(
    page: Page, context: BrowserContext
) -> None:
    page.goto("/rules/crapaud/")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    context.set_offline(True)
    page.goto("/tournaments/")
    expect(page.locator("h1")).to_have_text("No connection")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgba(0, 0, 0, 0)", "no style"
    context.set_offline(False)
    page.goto("/tournaments/")
    expect(page.locator("h1")).to_have_text("Tournaments")
