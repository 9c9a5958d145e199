"""The process that runs a person's opponent, without one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from friendlies.opponent.process import Opponent
from referee.job import Job, SeatJob
from referee.lines import Lines
from tests.unit.referee.scripted import Scripted, TickPlayer

if TYPE_CHECKING:
    from referee.player import Player

JOB = Job("crapaud", "-", (SeatJob("/a", "python", "bot.py"),))


@pytest.mark.parametrize("level", [None, 2])
@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_a_bot_is_told_its_level_whenever_it_is_started(variant: str, level: int | None) -> None:
    job = replace(JOB, variant=variant, seats=(replace(JOB.seats[0], level=level),))
    for seat in (0, 1):
        bot = TickPlayer() if variant == "vitesse" else Scripted()
        Opponent(job, seat, cast("Player", bot), Lines()).greet()
        assert (bot.heard[0]["seat"], bot.heard[0].get("level")) == (seat, level)
