"""The site in French, Italian and Portuguese: nothing is too wide for a phone, and no heading is English."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.test_pages import address
from tests.thorough import THOROUGH

PAGES = ("/", "TOURNAMENT", "GAME", "/play/", "/accounts/signup/")
SMALL = {"width": 360, "height": 740}
ENGLISH = re.compile(r"\b(the|of|and|with|games?|rules|sign|bots? by|how|your|latest|this)\b", re.IGNORECASE)
"""Words of headings that none of the other languages has, nor the name of any bot that these tests upload."""
HEADINGS = "[...document.querySelectorAll('h1, h2, nav a, label')].map((one) => one.innerText)"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


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
