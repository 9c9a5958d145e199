"""The first line that a bot receives."""

import json
from typing import Any

from referee.greeting import hello
from referee.job import ClockRule
from referee.messages import Hello


def said(**more: Any) -> Any:
    return json.loads(hello("crapaud", 2, 1, ClockRule(), **more))


def test_a_level_is_said_only_below_full_strength_and_fields_of_later_versions_as_they_are() -> None:
    for level in (None, 3):
        found = said(level=level)
        assert found.get("level") == level
        assert Hello.__required_keys__ <= found.keys() <= Hello.__required_keys__ | Hello.__optional_keys__
    assert said(future=[1]) == {**said(), "future": [1]}
