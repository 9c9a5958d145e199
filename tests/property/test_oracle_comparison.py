"""The engine and the oracle play the same games."""

import pytest

from tests.oracle import moves, play, scoring
from tests.oracle.compare import Disagreement, compare
from tests.oracle.rulesets import RULESETS, TABLES
from tests.property.command_line import COMPILED
from tests.thorough import THOROUGH

GAMES = (2000 if THOROUGH else 200) if COMPILED else (64 if THOROUGH else 20)
"""Games of each variant; fewer uncompiled, where it is the same source and slower."""


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_engine_and_oracle_agree_at_every_ply(variant: str, players: int, part: int) -> None:
    size = -(-GAMES // (4 * len(RULESETS[variant].players)))
    assert compare(variant, players, range(part * size, (part + 1) * size)) > 100 * size


@pytest.mark.parametrize(
    ("variant", "place", "name", "planted", "found"),
    [
        ("crapaud", moves, "IDLE_LIMIT", 99, "legal moves in "),
        ("crapaud", moves, "room", lambda state: state.houses.count("") > 1, "legal moves in "),
        ("crapette-it", moves, "precedence", lambda move: 4 if "-f" in move else 1, "legal moves in "),
        ("crapette-it", play, "can_stop", lambda state: state.last == "!", "can_stop in "),
        ("russian-bank", scoring, "left", lambda state, seat: 0, "score in "),
    ],
    ids=["idle", "room", "precedence", "can_stop", "left"],
)
def test_a_difference_that_is_planted_is_found(
    variant: str, place: object, name: str, planted: object, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, name, planted)
    with pytest.raises(Disagreement) as caught:
        compare(variant, 2, range(60))
    report = str(caught.value).splitlines()
    assert report[0].startswith(found)
    assert [line.split()[0] for line in report[1:]] == ["position", "oracle", "engine"]
