"""The main navigation says in which part of the site a page is, and panels about now renew themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_page_marks_the_part_of_the_site_that_it_belongs_to(client: Client) -> None:
    for address, part in (("/puzzles/", "/play/"), ("/series/", "/tournaments/"), ("/bots/", "/bots/")):
        page = client.get(address).content.decode()
        assert re.findall(r'<a href="([^"]+)" aria-current="page">', page) == [part]


def test_a_panel_about_now_asks_its_own_page_for_itself(client: Client) -> None:
    panels = {"/": "news", "/games/": "games", "/queue/": "queue", "/tournaments/": "tournaments"}
    for address, panel in panels.items():
        found = re.search(
            rf'<[^>]* id="{panel}"[^>]*data-renew="\d+"[^>]*>', client.get(address).content.decode()
        )
        assert found is not None, address
        for word in (f'hx-get="{address}"', 'hx-trigger="renew"', f'hx-select="#{panel}"', "outerHTML"):
            assert word in found[0]
        assert f'id="{panel}"' in client.get(address, headers={"HX-Request": "true"}).content.decode()
