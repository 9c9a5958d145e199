"""Authors with accepted bots, a bot of the house, and the bots that wait for persons."""

from collections.abc import Iterator, Mapping

import pytest

from arena.accounts.models import User
from bots.files import archive_of
from bots.models import Version
from friendlies.tables.waiting_bots import Engagements
from sandbox.uploads import digest
from tests.factories.accounts import author
from tests.factories.tournaments import entrants


@pytest.fixture(scope="session", autouse=True)
def packed_once() -> Iterator[None]:
    """Pack the same files once, which gives the same bytes: many tests register all bots of the house."""
    packed: dict[str, bytes] = {}

    def once(files: Mapping[str, bytes]) -> bytes:
        name = digest(files)
        if name not in packed:
            packed[name] = archive_of(files)
        return packed[name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots.uploads.archive_of", once)
        yield


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
def opponents() -> Iterator[Engagements]:
    """Bots that wait, of this test alone."""
    made = Engagements(2)
    yield made
    made.dismiss()
