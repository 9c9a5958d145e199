"""Addresses made of names: words that are pages already, and addresses that somebody else has."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

from django.db import IntegrityError, transaction
from django.urls import URLPattern, get_resolver, reverse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Made = TypeVar("Made")

TRIES = 20
"""How often an address is looked for again after another request took it in the meantime."""


def is_page(view: str, slug: str) -> bool:
    """Whether the address that a slug would have, or any below it, belongs to another page.

    `view` names the page of one thing by its slug, such as ``tournaments:detail``.
    """
    return slug in _first_words(view)


@cache
def _first_words(view: str) -> frozenset[str]:
    """The fixed words that stand where this view has its slug, in addresses of any length."""
    marker = "a-slug-like-no-other"
    start = reverse(view, args=[marker]).partition(marker)[0].removeprefix("/")
    words = (
        route.removeprefix(start).partition("/")[0]
        for route in _routes(get_resolver(), "")
        if route.startswith(start)
    )
    return frozenset(word for word in words if word and "<" not in word)


def _routes(resolver: object, before: str) -> Iterator[str]:
    for pattern in getattr(resolver, "url_patterns", ()):
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from _routes(pattern, route)


def store(make: Callable[[str], Made], find: Callable[[], str]) -> Made:
    """What `make` stores under the free slug that `find` names; both again if another request was faster."""
    for _ in range(TRIES - 1):
        slug = find()
        try:
            with transaction.atomic():
                return make(slug)
        except IntegrityError:
            if find() == slug:
                # It was not the slug that was refused.
                raise
    return make(find())
