"""What bots/README.md shows is what happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.referee.conftest import START
from tests.integration.referee.transcript import README, first_bot, made, written
from tournaments.referee.job import Job
from tournaments.referee.result import Termination

if TYPE_CHECKING:
    from tests.integration.referee.conftest import Arena


def test_the_transcript_is_what_a_real_game_says(arena: Arena) -> None:
    assert written() == made(arena)


def test_the_first_bot_of_the_page_plays(arena: Arena) -> None:
    seat = first_bot(arena)
    game = arena.run(Job("crapaud", str(START), (seat, seat)))
    assert game.result["termination"] in {"win", "stall", "passes"}


def test_every_termination_is_explained() -> None:
    page = README.read_text()
    assert [each.value for each in Termination if f"`{each.value}`" not in page] == []
