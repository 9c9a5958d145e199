"""Addresses of pages, cached: a list of games has a hundred, and each takes as long as reading a row."""

from functools import lru_cache

from django.urls import get_script_prefix, reverse


def path(name: str, *arguments: object) -> str:
    """The address of the page of this name, as `django.urls.reverse` gives it."""
    return _path(get_script_prefix(), name, arguments)


@lru_cache(maxsize=16_384)
def _path(prefix: str, name: str, arguments: tuple[object, ...]) -> str:
    return reverse(name, args=arguments)
