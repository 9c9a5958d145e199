"""The bots of the house, registered once for all tests of a module."""

import pytest

from bots.house_bots import register_house_bots
from bots.models import Version
from tests.conftest import ForAllTests


@pytest.fixture(scope="module")
def house(for_all_tests: ForAllTests[object]) -> None:
    for_all_tests(register_house_bots)


@pytest.fixture
def greedy(house: None, db: None) -> Version:
    return Version.objects.get(bot__slug="greedy")
