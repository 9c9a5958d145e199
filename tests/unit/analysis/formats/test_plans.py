"""How large tournaments will be."""

from typing import Any

import pytest

from analysis.errors import InvalidTournament
from analysis.formats.groups import GroupRule
from analysis.formats.plans import Size, size

USUAL: dict[str, Any] = {"players": 2, "cycles": 1, "rounds": 0, "pairs": 10}


@pytest.mark.parametrize(
    ("kind", "entrants", "more", "expected"),
    [
        ("round-robin", 5, {"cycles": 2}, Size(10, 20, 200, 400)),
        ("round-robin", 200, {"pairs": 1}, Size(199, 19_900, 19_900, 39_800)),
        ("round-robin", 5, {"players": 3}, Size(10, 10, 100, 300)),
        ("gauntlet", 6, {}, Size(1, 5, 50, 100)),
        ("swiss", 9, {"rounds": 4}, Size(4, 16, 160, 320)),
        ("single-elimination", 6, {}, Size(3, 5, 50, 100)),
        ("double-elimination", 8, {}, Size(7, 15, 150, 300)),
        ("groups", 7, {"groups": GroupRule(2, 2, 4)}, Size(5, 12, 102, 204)),
        ("groups", 13, {"groups": GroupRule(0, 2), "cycles": 2}, Size(13, 49, 490, 980)),
        ("sprt", 2, {"pairs": 1000}, Size(1, 1, 1000, 2000)),
        ("swiss", 6, {"rounds": 6}, "With 6 entrants, a Swiss has 1 to 5 rounds. You asked for 6."),
        ("sprt", 3, {}, "A test compares two versions. You chose 3."),
        ("round-robin", 1, {}, "Choose at least 2 bots. You chose 1."),
        ("swiss", 6, {"players": 4}, "With 4 seats, only a round-robin is possible."),
        ("groups", 5, {"groups": GroupRule(2, 2)}, "choose at least 6 bots. You chose 5."),
        ("groups", 5, {}, "Choose a format from the list."),
        ("arena", 6, {}, "Choose a format from the list."),
    ],
)
def test_sizes_and_refusals(kind: str, entrants: int, more: dict[str, Any], expected: Size | str) -> None:
    if isinstance(expected, Size):
        assert size(kind, entrants, **USUAL | more) == expected
    else:
        with pytest.raises(InvalidTournament) as refused:
            size(kind, entrants, **USUAL | more)
        assert str(refused.value).endswith(expected)
