"""Nothing is counted and nothing is open when a test of the API begins."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from arena.api import limits


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    cache.clear()
    # A server closes every answer; schemathesis's client leaves some open.
    limits.downloads._open.clear()
    yield
    cache.clear()
