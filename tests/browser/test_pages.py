"""Every page: no sideways scrolling, nothing serious for axe, light and dark, and light in weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Response

PAGES = (
    "/",
    "/games/",
    "GAME",
    "/tournaments/",
    "TOURNAMENT",
    "/bots/",
    "/bots/greedy/",
    "/leaderboard/",
    "/rules/",
    "/rules/crapaud/",
    "/rules/crapette-it/",
    "/docs/",
    "/accounts/login/",
    "/accounts/signup/",
)
WIDTHS = (360, 768, 1440)
BUDGET = 150_000


def address(page: str, game: str, tournament: str) -> str:
    """The address for one of PAGES."""
    return {"GAME": game, "TOURNAMENT": tournament}.get(page, page)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_scrolls_sideways(
    page: Page, path: str, finished_game: str, finished_tournament: str
) -> None:
    page.goto(address(path, finished_game, finished_tournament))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert over <= 0, f"{path} at {width} px is {over} px too wide"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_serious(
    page: Page, path: str, scheme: str, finished_game: str, finished_tournament: str
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    page.goto(address(path, finished_game, finished_tournament), wait_until="networkidle")

    found = Axe().run(page).response["violations"]

    serious = [
        f"{one['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
    assert serious == []


@pytest.mark.parametrize("path", ["/", "GAME", "TOURNAMENT", "/bots/"])
def test_the_first_load_is_light(
    context: BrowserContext, path: str, finished_game: str, finished_tournament: str
) -> None:
    page = context.new_page()
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)

    page.goto(address(path, finished_game, finished_tournament), wait_until="networkidle")

    sizes = {one.url: one.request.sizes()["responseBodySize"] for one in answers if one.ok}
    assert sum(sizes.values()) < BUDGET, sizes


@pytest.mark.parametrize("path", ["/", "GAME", "TOURNAMENT"])
def test_nothing_moves_while_a_page_loads(
    page: Page, path: str, finished_game: str, finished_tournament: str
) -> None:
    page.add_init_script(
        """window.shifts = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
        }).observe({type: "layout-shift", buffered: true});"""
    )
    page.goto(address(path, finished_game, finished_tournament), wait_until="networkidle")

    assert page.evaluate("window.shifts") < 0.05


def test_the_theme_button_changes_the_theme_and_is_remembered(page: Page) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/")
    page.get_by_role("button", name="Change between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.goto("/games/")

    assert dark != "rgb(244, 239, 227)"
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_an_address_that_is_nothing_answers_with_a_page_of_ours(page: Page, context: BrowserContext) -> None:
    answer = context.request.get("/nowhere/")

    assert answer.status == 404
    assert "No such card in the pack" in answer.text()


def test_a_bad_form_says_in_a_sentence_what_was_wrong(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("wrong wrong wrong")
    page.get_by_role("main").get_by_role("button").first.click()

    assert "not correct" in page.get_by_role("alert").inner_text()
