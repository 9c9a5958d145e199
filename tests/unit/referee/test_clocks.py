"""Time: what is charged, when it is up, and who is to blame for a late answer."""

import re
import time
from typing import Any

import pytest

import engine
from referee.clock import MS, Clocks
from referee.errors import Infrastructure
from referee.job import ClockRule
from tests.unit.referee.scripted import Played, Scripted


@pytest.fixture(autouse=True)
def quick_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.clock.WALL_EXTRA_NS", 100 * MS)


START = engine.TurnPosition.deal("crapaud", "0" * 64)  # seat 1 starts


def turns_of_draws(cost_ns: int = 0, **more: Any) -> Scripted:
    """A player that draws and discards, each answer at a price."""
    return Scripted(
        lambda message: {"id": message["id"], "moves": ["h-d" if "h-d" in message["legal"] else "draw"]},
        cost_ns=cost_ns,
        **more,
    )


def resign(message: dict[str, Any]) -> dict[str, Any]:
    return {"id": message["id"], "resign": True}


def silent(message: dict[str, Any]) -> None:
    """No answer."""


def ended(player: Scripted, bank: int = 50, **more: Any) -> dict[str, Any]:
    return Played(START, [Scripted(), player], ClockRule(bank, 0), **more).result


def test_charged_milliseconds_add_up_though_each_answer_takes_less_than_one() -> None:
    clocks = Clocks([ClockRule(1000, 0)] * 2)
    assert sum(clocks.charge(0, 300_000, 0) for _ in range(20)) == 6
    assert clocks.text == "[994,1000]"


def test_the_increment_comes_with_the_turn_not_with_the_answer_and_start_up_is_off_the_clock() -> None:
    played = Played(START, [Scripted(resign), turns_of_draws(10 * MS)], ClockRule(1000, 500))
    draw, discard = played.events[:2]
    assert (draw["ms"], draw["clocks"]) == (10, [1000, 990])
    assert (discard["ms"], discard["clocks"]) == (10, [1000, 1480])
    assert played.result["cpu_ms"] == (0, 20)


def test_a_bot_that_used_up_its_bank_loses_although_it_answered() -> None:
    played = Played(START, [Scripted(), turns_of_draws(600 * MS)], ClockRule(1000, 0))
    assert (played.result["termination"], played.result["seat"]) == ("timeout", 1)
    assert played.result["detail"] == "Seat 1 used up its clock: all 1 seconds of CPU time it was given."
    assert played.events[-1]["clocks"] == [1000, 0]


def test_a_bot_that_says_nothing_loses_when_the_wall_guard_trips() -> None:
    begun, result = time.monotonic(), ended(Scripted(silent))
    assert time.monotonic() - begun >= 0.25
    assert result["termination"] == "silence"
    waited = re.sub(r"\d\.\d seconds", "0.3 seconds", result["detail"])
    assert waited == "Seat 1 did not answer within 0.3 seconds. It had used 0 ms of its 50 ms of CPU time."


class Starved(Scripted):
    """Kept waiting for a core for a minute once it is asked; it slept so often."""

    naps = 0

    def receive(self, deadline: float) -> bytes | None:
        if len(self.heard) > 1:
            self.delay_ns, self.slept = 62_000_000_000, self.naps
        return super().receive(deadline)


def test_a_host_that_gives_the_bot_no_core_makes_the_game_void_but_who_only_naps_on_it_loses() -> None:
    with pytest.raises(
        Infrastructure, match=r"^seat 1 was kept from running for 62\.0 s: the host is too busy$"
    ):
        ended(Starved(silent))
    napping = Starved(silent)
    napping.naps = 5000
    assert ended(napping)["termination"] == "silence"


def test_a_bot_that_computes_on_a_busy_host_is_waited_for_until_its_clock_is_up() -> None:
    class Computing(Scripted):
        def receive(self, deadline: float) -> bytes | None:
            if len(self.heard) == 1:
                return super().receive(deadline)
            self.delay_ns += 40_000_000
            self._cpu_ns += 4_000_000
            time.sleep(0.02)
            return None

    assert ended(Computing(silent), 100)["termination"] == "timeout"


def test_a_bot_that_was_kept_waiting_is_given_the_time_back() -> None:
    class Delayed(Scripted):
        """Ready after 0.5 s, for which the host gave it no core."""

        begun = 0.0

        def receive(self, deadline: float) -> bytes | None:
            self.begun = self.begun or time.monotonic()
            if len(self.heard) > 1 and time.monotonic() - self.begun < 0.5:
                self.delay_ns = 59_000_000_000
                time.sleep(0.02)
                return None
            return super().receive(deadline)

    assert ended(Delayed(resign, late=True))["termination"] == "resignation"


def test_the_time_for_which_the_referee_itself_was_stopped_is_nobodys() -> None:
    class Outstayed(Scripted):
        """Answers when the referee looks for the third time, which is stopped for half a second before."""

        looks = 0

        def receive(self, deadline: float) -> bytes | None:
            self.looks += 1
            if self.looks % 3:
                time.sleep(0.5 if self.looks % 3 == 1 else 0)
                return None
            return super().receive(deadline)

    player = Outstayed(resign, late=True)
    assert ended(player, 100, start=0.45)["termination"] == "resignation"
    assert player.looks == 6


def test_the_others_are_stopped_while_one_thinks_and_woken_when_asked() -> None:
    waiting, thinking = turns_of_draws(), turns_of_draws(late=True)
    plain = waiting._answer
    waiting._answer = lambda message: resign(message) if len(waiting.questions) > 4 else plain(message)
    Played(START, [waiting, thinking])
    assert waiting.said[:3] == ["paused", "resumed", "paused"]
    assert thinking.said == []


class Unready(Scripted):
    """Never ready, and the host gives it a core for a tenth of the time."""

    begun, share, computed = 0.0, 0.9, 0

    def send(self, line: bytes, deadline: float) -> None:
        self.begun = time.monotonic()

    def delayed_ns(self) -> int:
        return int((time.monotonic() - self.begun) * self.share * 1e9)

    def cpu_ns(self) -> int:
        return self.computed


def test_a_host_too_busy_to_start_a_bot_makes_the_game_void() -> None:
    begun = time.monotonic()
    words = "^seat 1 was not given a core to start on: the host is too busy$"
    with pytest.raises(Infrastructure, match=words):
        ended(Unready(), start=0.1)
    assert time.monotonic() - begun > 0.5


def test_a_bot_that_computes_sleeps_or_is_silent_at_the_start_loses_on_a_busy_host_too() -> None:
    computing, sleeping, mute = Unready(), Unready(), Unready()
    computing.computed, sleeping.slept, mute.share = 20_000_000, 2000, 0.0
    for player in (computing, sleeping, mute):
        result = ended(player, start=0.1)
        assert (result["termination"], result["seat"]) == ("startup", 1)
    assert result["detail"] == "Seat 1 was not ready after 0.1 seconds."
