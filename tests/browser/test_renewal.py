"""Panels about what is going on now renew themselves, while somebody looks."""

import pytest
from playwright.sync_api import Page, Route, expect

TEN_SECONDS = 10_000


@pytest.mark.usefixtures("finished_tournament")
def test_a_panel_about_now_renews_itself_and_leaves_the_page_alone(page: Page) -> None:
    path, panel = "/", "news"
    page.clock.install()
    page.goto(path)
    page.wait_for_function("window.htmx")
    page.evaluate("document.querySelector('h1').dataset.mine = ''")
    before = page.locator(f"#{panel}")
    expect(before).to_have_count(1)

    def news(route: Route) -> None:
        found = route.fetch()
        mark = f'id="{panel}"'
        assert mark in found.text()
        route.fulfill(response=found, body=found.text().replace(mark, f"{mark} data-fresh", 1))

    page.route(f"**{path}", news)
    page.clock.run_for(TEN_SECONDS + 2000)

    fresh = page.locator(f"#{panel}[data-fresh]")
    expect(fresh).to_have_count(1)
    expect(page.locator("h1[data-mine]")).to_have_count(1)
    # It goes on renewing itself.
    fresh.evaluate("panel => panel.removeAttribute('data-fresh')")
    page.clock.run_for(TEN_SECONDS + 2000)
    expect(page.locator(f"#{panel}[data-fresh]")).to_have_count(1)
