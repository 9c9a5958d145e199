"""What docs/author/protocol.md shows is what happens."""

import pytest

from referee.endings import Termination
from tests.integration.referee.conftest import Arena
from tests.integration.referee.transcript import GAMES, PROTOCOL, made, written


@pytest.mark.parametrize("name", GAMES)
def test_the_transcript_is_what_a_real_game_says(arena: Arena, name: str) -> None:
    assert written(name) == made(arena, name)


def test_every_termination_is_explained() -> None:
    page = PROTOCOL.read_text()
    assert [each.value for each in Termination if f"`{each.value}`" not in page] == []
