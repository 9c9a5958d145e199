"""The loop that plays one game of `vitesse`: asks both at once, checks, carries out, records (RULES 7).

What both said is looked at in order of priority, never of arrival: if both do something wrong in one tick,
the first in priority has lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee import endings, protocol
from referee.clock import Clocks
from referee.conductor import BATCH_NS, Conductor
from referee.endings import Termination
from referee.errors import Forfeit
from referee.log import encode
from referee.ticks.stopwatch import SEATS, Stopwatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine import TickGame
    from referee.endings import GameEnding
    from referee.job import ClockRule
    from referee.player import Player
    from referee.protocol import Ready

WAIT: Final = "wait"
LATE_LIMIT: Final = 50
"""A bot that is late in this many ticks in a row loses by `silence`."""


def check_ticks(seat: int, ready: Ready) -> None:
    """Raise Forfeit if a bot did not say that it answers ticks."""
    if not ready.ticks:
        detail = f'Seat {seat} does not play vitesse: it was ready, but without "ticks": true.'
        raise Forfeit(seat, Termination.STARTUP, detail)


def late_too_often(seat: int) -> Forfeit:
    """Return the forfeit of a seat that was late in `LATE_LIMIT` ticks in a row."""
    return Forfeit(seat, Termination.SILENCE, f"Seat {seat} was late in {LATE_LIMIT} ticks in a row.")


class TickReferee(Conductor):
    """Plays one game between two ``players``, used as `game.Referee` is."""

    _asking: Stopwatch

    def __init__(
        self,
        game: TickGame,
        players: Sequence[Player],
        rules: Sequence[ClockRule],
        ids: Iterator[str],
        *,
        start_seconds: float = 10.0,
        idle: Callable[[], object] = lambda: None,
    ) -> None:
        asking = Stopwatch(players, Clocks(rules), idle)
        super().__init__(game.variant.name, asking, ids, start_seconds)
        self.game = game
        self._late = [0, 0]

    @property
    def _order(self) -> tuple[int, int]:
        """Return the seats in order of priority (RULES 7)."""
        first = self.game.tick % 2
        return first, 1 - first

    def _start(self) -> None:
        """Greet both bots, which must play in ticks. Raises Forfeit, Infrastructure."""
        super()._start()
        for seat in self._order:
            check_ticks(seat, self.ready[seat])

    def _moves(self) -> Iterator[list[str]]:
        """Ask, carry out and record until the game is over. Raises Forfeit, Infrastructure."""
        asking, told = self._asking, self._asking.now
        tick_ms = self.clocks.rules[0].tick_ms
        while not self.game.finished:
            nonces = [next(self._ids) if asking.willing(seat) else "" for seat in SEATS]
            questions = [self._question(seat, nonces[seat]) if nonces[seat] else None for seat in SEATS]
            if not asking.put(questions, nonces, tick_ms):
                yield self._written()
                told = asking.now
                asking.wait_for_both()
            asking.close_tick(self._order)
            self._carry_out()
            if asking.now - told > BATCH_NS:
                told = asking.now
                yield self._written()
        self.result = self._ended(endings.by_rules(self.game.position))

    def _carry_out(self) -> None:
        """Play the tick that both have answered or were late for, and record it. Raises Forfeit."""
        heard = self._asking.heard
        for seat in self._order:
            self._asking.seat = seat
            self._check(seat)
        self._asking.seat = None
        first, second = (WAIT if said is None else said.action for said in heard)
        event = encode(self.game.push(first, second).as_dict())
        late = [seat for seat in SEATS if heard[seat] is None]
        if late:
            event = f'{event[:-1]},"late":{encode(late)}}}'
        for seat in SEATS:
            self.clocks.turn_ended(seat)
        self._events.append(event[1:])
        self._lines.append(
            self._log.tick(
                event,
                self.game.ply,
                self._asking.charged,
                self.clocks.text,
                [None if said is None else (said.comment, said.evaluation) for said in heard],
            )
        )

    def _check(self, seat: int) -> None:
        """Raise Forfeit if the seat forfeits by its answer or its silence."""
        said = self._asking.heard[seat]
        if said is None:
            self._late[seat] += 1
            if self._late[seat] >= LATE_LIMIT:
                raise late_too_often(seat)
            return
        self._late[seat] = 0
        if said.resign:
            raise Forfeit(seat, Termination.RESIGNATION, f"Seat {seat} resigned.")
        legal = self.game.legal(seat)
        if said.action not in legal:
            raise Forfeit(
                seat,
                Termination.ILLEGAL_MOVE,
                f"Seat {seat} chose {protocol.quote(said.action)} in tick {self.game.tick}:"
                f" expected one of {', '.join(legal)}.",
            )

    def _question(self, seat: int, nonce: str) -> bytes:
        """Return the ``tick`` question, with only what the seat wants."""
        game, ready = self.game, self.ready[seat]
        legal = '","'.join(game.legal(seat))
        more = ""
        if ready.position or not self._asked[seat]:
            self._asked[seat] = True
            more = f',"position":"{game.position.public()}"'
        if ready.events:
            more += self._news(seat)
        return (
            f'{{"type":"tick","id":"{nonce}","tick":{game.tick},"clocks":{self.clocks.text},'
            f'"legal":["{legal}"]{more}}}\n'
        ).encode()

    def _forfeited(self, forfeit: Forfeit) -> GameEnding:
        position = self.game.position
        return endings.by_forfeit(position, forfeit.seat, forfeit.termination, forfeit.detail)

    def _length(self) -> tuple[int, int]:
        return self.game.ply, self.game.ply
