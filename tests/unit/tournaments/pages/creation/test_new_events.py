"""The name of the next event of its kind."""

import pytest

from tournaments.events.creation import NAME_LENGTH
from tournaments.pages.creation.new_events import following


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Winter cup", "Winter cup 2"),
        ("Winter cup 1", "Winter cup 2"),
        ("Winter cup 9", "Winter cup 10"),
        ("Cup 2026", "Cup 2027"),
        ("9", "10"),
        ("x" * NAME_LENGTH, "x" * (NAME_LENGTH - 2) + " 2"),
        ("x" * (NAME_LENGTH - 1) + "9", "x" * (NAME_LENGTH - 2) + "10"),
    ],
)
def test_the_next_name_goes_on_counting_and_is_not_too_long(name: str, expected: str) -> None:
    assert following(name) == expected
    assert len(following(name)) <= NAME_LENGTH
