"""The main navigation says in which part of the site a page is."""

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
