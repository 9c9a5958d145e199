"""The clocks of a game: the CPU time of each bot, with a guard in wall time for bots that only sleep.

Each seat has a bank for the whole game and gets the increment after each of its **turns** (not for each
answer, or splitting an answer would earn time). The clock charges the CPU time of the bot's own process,
which a busy machine does not stretch. That includes what it uses while others think, although the referee
stops a bot that waits for long. A sleeping bot uses no CPU, so a second account counts wall time. It allows
three times the CPU time ever given, plus one second.

A remote seat has a clock of ``wall`` time: what a remote player calls its CPU time is the time that its
program took to answer, without the arena's own share (`remote`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.job import ClockRule

WALL_FACTOR: Final = 3
WALL_EXTRA_NS: Final = 1_000_000_000
MS: Final = 1_000_000


class Clocks:
    """The time left for each seat, in nanoseconds. ``text`` is the same as JSON, in milliseconds."""

    __slots__ = ("_increments", "_texts", "cpu_left", "given", "rules", "text", "wall_left")

    def __init__(self, rules: Sequence[ClockRule]) -> None:
        """`rules` is the clock of each seat."""
        self.rules = tuple(rules)
        self._increments = [rule.increment_ms * MS for rule in rules]
        self.cpu_left = [rule.bank_ms * MS for rule in rules]
        self.given = list(self.cpu_left)
        self.wall_left = [self.wall_given(seat) for seat in range(len(rules))]
        self._texts = [str(rule.bank_ms) for rule in rules]
        self.text = f"[{','.join(self._texts)}]"

    def charge(self, seat: int, cpu_ns: int, wall_ns: int) -> int:
        """Charge for an answer. Returns whole milliseconds, rounded so that their sum over a game is exact.

        If ``cpu_left`` is negative afterwards, the seat has lost on time.
        """
        before = self.cpu_left[seat]
        after = self.cpu_left[seat] = before - cpu_ns
        self.wall_left[seat] -= wall_ns
        shown = before // MS
        left = after // MS
        if shown != left:
            self._show(seat, max(left, 0))
        return shown - left

    def turn_ended(self, seat: int) -> None:
        """Give the seat its increment."""
        increment = self._increments[seat]
        if increment:
            self.cpu_left[seat] += increment
            self.given[seat] += increment
            self.wall_left[seat] += WALL_FACTOR * increment
            self._show(seat, self.cpu_left[seat] // MS)

    def wall_given(self, seat: int) -> int:
        """Return the total wall time that the guard has allowed the seat so far, in nanoseconds."""
        return WALL_FACTOR * self.given[seat] + WALL_EXTRA_NS

    def _show(self, seat: int, milliseconds: int) -> None:
        self._texts[seat] = str(milliseconds)
        self.text = f"[{','.join(self._texts)}]"
