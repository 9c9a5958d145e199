"""Authors with accepted bots, a bot of the house, and the bots that wait for persons."""

from collections.abc import Iterator

import pytest

from arena.accounts.models import User
from bots import services as bots
from bots.models import Bot, Version
from friendlies.services.opponents import Engagements
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


@pytest.fixture
def greedy(transactional_db: None) -> Version:
    """The house's greedy bot."""
    bots.register_house_bots()
    found = Bot.objects.get(slug="greedy").active_version
    assert found is not None
    return found


@pytest.fixture
def opponents() -> Iterator[Engagements]:
    """Bots that wait, of this test alone."""
    made = Engagements(2)
    yield made
    made.dismiss()
