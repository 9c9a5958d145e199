"""Authors with accepted bots."""

import pytest

from arena.accounts.models import User
from bots.models import Version
from tests.authors import author
from tests.competition import entrants


@pytest.fixture
def ada(db: None) -> User:
    """An author."""
    return author("ada")


@pytest.fixture
def bob(db: None) -> User:
    """Another author."""
    return author("bob")


@pytest.fixture
def trio(ada: User) -> list[Version]:
    """Three accepted versions of Ada's."""
    return entrants(ada, 3)
