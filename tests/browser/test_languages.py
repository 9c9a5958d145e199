"""The site in French, Italian and Portuguese: nothing is too wide for a phone, and no heading is English."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_pages import address
from tests.thorough import THOROUGH

PAGES = (
    *("/", "/leaderboard/", "TOURNAMENT", "GAME", "/games/", "/bots/", "/play/", "/puzzles/"),
    *("/rules/crapette-it/", "/accounts/signup/"),
)
SMALL = {"width": 360, "height": 740}
ENGLISH = re.compile(r"\b(the|of|and|with|games?|rules|sign|bots? by|how|your|latest|this)\b", re.IGNORECASE)
"""Words of headings that none of the other languages has, nor the name of any bot that these tests upload."""
HEADINGS = "[...document.querySelectorAll('h1, h2, nav a, label')].map((one) => one.innerText)"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOLD = """([detail, names]) => import("arena/shared/table")
  .then(({ $replay_details: module }) => module.detailWords(detail, names))"""
SAID = (
    ("Seat 1 exited with status 3.", ("Bob", "3")),
    ("Seat 0 offered a draw and seat 1 accepted.", ("Ada", "Bob")),
    ("Seat 1 was not ready to play: it gave no answer in time.", ("Bob",)),
    ("Seat 0 played 'a (b)' at ply 7: expected one of draw, h-d and 4 more.", ("Ada", "'a (b)'", "h-d", "4")),
    ("Won by going out.", ()),
)


@pytest.mark.parametrize("language", ["fr", "it", "pt-BR"] if THOROUGH else ["fr"])
def test_pages_speak_the_readers_language_and_fit_a_small_phone(
    page: Page, language: str, finished_game: str, finished_tournament: str
) -> None:
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    page.set_extra_http_headers({"Accept-Language": language})
    for path in PAGES:
        page.goto(address(path, finished_game, finished_tournament), wait_until="networkidle")
        assert page.locator("html").get_attribute("lang") == language, path
        assert page.evaluate(TOO_WIDE) == 0, path
        assert [words for words in page.evaluate(HEADINGS) if ENGLISH.search(words)] == [], path
    # Why a game ended is told there too, with names for seats.
    page.goto("/games/open/")
    for detail, kept in SAID:
        told = page.evaluate(TOLD, [detail, ["Ada", "Bob"]])
        named = detail.replace("Seat 0", "Ada").replace("Seat 1", "Bob").replace("seat 1", "Bob")
        assert told != named
        assert "eat " not in told
        assert [one for one in kept if one not in told] == [], told
    # What no page knows stays as it was said.
    assert page.evaluate(TOLD, ["Seat 1 danced with seat 0.", ["Ada", "Bob"]]) == "Bob danced with Ada."


def test_the_switch_at_the_foot_keeps_the_language(lasting_page: Page) -> None:
    page = lasting_page
    page.goto("/rules/")
    page.get_by_role("button", name="Italiano").click()
    expect(page.locator("html")).to_have_attribute("lang", "it")
    expect(page).to_have_url(re.compile(r"/rules/$"))
    page.goto("/bots/")
    expect(page.locator("html")).to_have_attribute("lang", "it")
    expect(page.get_by_role("button", name="Italiano")).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
