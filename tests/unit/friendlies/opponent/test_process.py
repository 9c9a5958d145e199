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


VARIANTS = pytest.mark.parametrize("variant", ["crapaud", "vitesse"])


def opponent(bot: Scripted, job: Job, seat: int = 1) -> Opponent:
    return Opponent(job, seat, cast("Player", bot), Lines().idle)


def bot_of(variant: str) -> Scripted:
    return TickPlayer() if variant == "vitesse" else Scripted()


@VARIANTS
def test_a_bot_is_told_its_level_whenever_it_is_started(variant: str) -> None:
    for level, seat in ((None, 0), (2, 0), (2, 1)):
        bot = bot_of(variant)
        seats = (replace(JOB.seats[0], level=level),)
        opponent(bot, replace(JOB, variant=variant, seats=seats), seat).greet()
        assert (bot.heard[0]["seat"], bot.heard[0].get("level")) == (seat, level)


@pytest.mark.parametrize("method", ["send", "receive", "pause"])
@VARIANTS
def test_whatever_goes_wrong_with_its_process_is_the_bots_fault(variant: str, method: str) -> None:

    def fail(*_: object) -> None:
        raise ValueError("invalid literal for int() with base 10: b'x'")

    kind = "tick" if variant == "vitesse" else "move"
    question = BotQuestion(kind, 0, (1000, 1000), "", (), ("draw",))
    for greeted in (False, True):
        bot = bot_of(variant)
        asked = opponent(bot, replace(JOB, variant=variant))
        if greeted:
            asked.greet()
        setattr(bot, method, fail)
        with pytest.raises(Forfeit, match=r"^Seat 1 .*caused an error that the arena did not expect") as lost:
            asked.answer(question) if greeted else asked.greet()
        assert lost.value.seat == 1
