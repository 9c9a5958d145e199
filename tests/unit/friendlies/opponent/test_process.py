"""The process that runs a person's opponent, without one."""

from dataclasses import replace
from typing import cast

import pytest

from friendlies.opponent.process import BotQuestion, Opponent
from referee.child import Lines
from referee.errors import Forfeit
from referee.job import Job, SeatJob
from referee.player import Player
from tests.unit.referee.scripted import Scripted, TickPlayer

JOB = Job("crapaud", "-", (SeatJob("/a", "python", "bot.py"),))


@pytest.mark.parametrize("level", [None, 2])
@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_a_bot_is_told_its_level_whenever_it_is_started(variant: str, level: int | None) -> None:
    job = replace(JOB, variant=variant, seats=(replace(JOB.seats[0], level=level),))
    for seat in (0, 1):
        bot = TickPlayer() if variant == "vitesse" else Scripted()
        Opponent(job, seat, cast("Player", bot), Lines().idle).greet()
        assert (bot.heard[0]["seat"], bot.heard[0].get("level")) == (seat, level)


@pytest.mark.parametrize("method", ["send", "receive", "pause"])
@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_whatever_goes_wrong_with_its_process_is_the_bots_fault(variant: str, method: str) -> None:
    """While it is greeted, and while it is asked."""

    def fail(*_: object) -> None:
        raise ValueError("invalid literal for int() with base 10: b'x'")

    job = replace(JOB, variant=variant)
    kind = "tick" if variant == "vitesse" else "move"
    question = BotQuestion(kind, 0, (1000, 1000), "", (), ("draw",))
    for greeted in (False, True):
        bot = TickPlayer() if variant == "vitesse" else Scripted()
        opponent = Opponent(job, 1, cast("Player", bot), Lines().idle)
        if greeted:
            opponent.greet()
        setattr(bot, method, fail)
        with pytest.raises(Forfeit, match=r"^Seat 1 .*caused an error that the arena did not expect") as lost:
            opponent.answer(question) if greeted else opponent.greet()
        assert lost.value.seat == 1
