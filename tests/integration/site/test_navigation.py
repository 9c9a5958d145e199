"""The main navigation says in which part of the site a page is, and panels about now renew themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("/play/", "/play/"),
        ("/puzzles/", "/play/"),
        ("/series/", "/tournaments/"),
        ("/tournaments/", "/tournaments/"),
        ("/bots/", "/bots/"),
    ],
)
def test_a_page_marks_the_part_of_the_site_that_it_belongs_to(
    client: Client, address: str, part: str
) -> None:
    page = client.get(address).content.decode()

    assert re.findall(r'<a href="([^"]+)" aria-current="page">', page) == [part]


@pytest.mark.parametrize(
    ("address", "panel"),
    [("/", "news"), ("/games/", "games"), ("/queue/", "queue"), ("/tournaments/", "tournaments")],
)
def test_a_panel_about_now_asks_its_own_page_for_itself(client: Client, address: str, panel: str) -> None:
    page = client.get(address).content.decode()
    found = re.search(rf'<[^>]* id="{panel}"[^>]*data-renew="\d+"[^>]*>', page)
    assert found is not None
    for word in (f'hx-get="{address}"', 'hx-trigger="renew"', f'hx-select="#{panel}"', 'hx-swap="outerHTML"'):
        assert word in found[0]
    assert f'id="{panel}"' in client.get(address, headers={"HX-Request": "true"}).content.decode()
