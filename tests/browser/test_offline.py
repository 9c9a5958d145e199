"""Whoever has opened rules can read them without a connection, and is told what else can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser_context_args(service_workers="allow")
RULES = "/rules/crapaud/"
KEPT = """async (path) => Boolean(await caches.match(path, { ignoreVary: true }))"""
PATIENCE_MS = 60_000


def test_rules_that_were_opened_can_be_read_offline(page: Page, context: BrowserContext) -> None:
    page.goto(RULES)
    heading = page.locator("h1").inner_text()
    for _ in range(PATIENCE_MS // 250):
        if page.evaluate(KEPT, RULES) and page.evaluate(KEPT, "/offline/"):
            break
        page.wait_for_timeout(250)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    context.set_offline(True)
    page.goto(RULES)
    expect(page.locator("h1")).to_have_text(heading)
    page.goto("/tournaments/")
    expect(page.locator("h1")).to_have_text("No connection")
    expect(page.locator(f"[data-kept] a[href='{RULES}']")).to_be_visible()
    context.set_offline(False)
    page.goto("/tournaments/")
    expect(page.locator("h1")).to_have_text("Tournaments")
