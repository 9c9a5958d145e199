"""A played game, and counts of questions that begin at none."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from arena.accounts.models import User
from bots.models import Version
from tests.factories.played import finish
from tests.factories.tournaments import running
from tournaments.models import Game


@pytest.fixture
def no_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def greedy_game(ada: User, trio: list[Version]) -> Game:
    running(ada, trio[:2], pairs=1, variant="crapette")
    return finish()
