"""Why a game ended, as a page in another language tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.site import RunningSite

TOLD = """([detail, names]) => import("arena/shared/table")
  .then(({ $replay_details: module }) => module.detailWords(detail, names))"""
SAID = (
    ("Seat 1 exited with status 3.", ("Bob", "3")),
    ("Seat 0 offered a draw and seat 1 accepted.", ("Ada", "Bob")),
    ("Seat 1 was not ready to play: it gave no answer in time.", ("Bob",)),
    ("Seat 0 played 'a (b)' at ply 7: expected one of draw, h-d and 4 more.", ("Ada", "'a (b)'", "h-d", "4")),
    ("Won by going out.", ()),
)


def test_a_sentence_of_the_referee_is_in_the_readers_language_with_names_for_seats(
    browser: Browser, site: RunningSite
) -> None:
    context = browser.new_context(base_url=site.url, locale="fr", service_workers="block")
    page = context.new_page()
    page.goto("/games/open/")
    for detail, kept in SAID:
        told = page.evaluate(TOLD, [detail, ["Ada", "Bob"]])
        named = detail.replace("Seat 0", "Ada").replace("Seat 1", "Bob").replace("seat 1", "Bob")
        assert told != named
        assert "eat " not in told
        assert [one for one in kept if one not in told] == [], told
    # What no page knows stays as it was said.
    assert page.evaluate(TOLD, ["Seat 1 danced with seat 0.", ["Ada", "Bob"]]) == "Bob danced with Ada."
    context.close()
