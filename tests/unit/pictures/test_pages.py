"""No page is forgotten when pictures of all pages are taken."""

from tools.pictures.data import MADE
from tools.pictures.pages import MADE_WHEN_SERVED, PAGES, WITHOUT, is_djangos, routes


def test_every_address_has_a_page_that_is_looked_at_or_a_reason_and_no_other_has() -> None:
    looked_at = {page.route for page in PAGES}
    assert {route for route in routes() if not is_djangos(route)} - looked_at - WITHOUT.keys() == set()
    assert (looked_at | WITHOUT.keys()) - set(routes()) == set()
    assert looked_at & WITHOUT.keys() == set()


def test_every_page_has_an_example_that_is_made() -> None:
    made = {*MADE, *MADE_WHEN_SERVED}
    for page in PAGES:
        assert page.wanted <= made, page.name
        assert "<" not in page.address(dict.fromkeys(made, "x")), page.name
