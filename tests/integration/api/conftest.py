"""A cache that counts nothing from before."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    """Requests of other tests do not count."""
    cache.clear()
    yield
    cache.clear()
