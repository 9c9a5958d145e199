"""No page is forgotten when pictures of all pages are taken."""

from collections import Counter

from tools.pictures.data import MADE
from tools.pictures.pages import MADE_WHEN_SERVED, PAGES, WITHOUT, is_djangos, routes


def test_every_address_has_a_page_that_is_looked_at_or_a_reason() -> None:
    known = {page.route for page in PAGES} | WITHOUT.keys()
    assert {route for route in routes() if not is_djangos(route)} - known == set()


def test_no_page_is_looked_at_and_no_reason_given_for_an_address_that_is_no_more() -> None:
    known = {page.route for page in PAGES} | WITHOUT.keys()
    assert known - set(routes()) == set()


def test_no_address_has_both() -> None:
    assert {page.route for page in PAGES} & WITHOUT.keys() == set()


def test_pages_are_told_apart_by_their_names() -> None:
    assert [name for name, count in Counter(page.file for page in PAGES).items() if count > 1] == []


def test_every_page_has_an_example_that_is_made() -> None:
    made = {*MADE, *MADE_WHEN_SERVED}
    for page in PAGES:
        assert page.wanted <= made, page.name
        assert "<" not in page.address(dict.fromkeys(made, "x")), page.name
