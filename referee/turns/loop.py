"""The loop that plays a game with turns: asks, checks, makes moves, records.

It runs for every ply of every game, and a round trip through two pipes takes 3 to 9 µs. So the loop
recognises the SDK's form of an answer without a JSON parser, puts only what the bot wants into a question,
and formats events once and later: when a bot wants them, when one is slow, or after `BATCH_NS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee import endings, protocol
from referee.clock import Clocks
from referee.conductor import BATCH_NS, Conductor
from referee.endings import GameResult, Termination
from referee.errors import Forfeit
from referee.log import remark
from referee.protocol import MoveAnswer, ProtocolError
from referee.timed_questions import TimedQuestions
from referee.turns.whole import NotLegal, QuickSeat, play_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.endings import GameEnding
    from referee.job import ClockRule
    from referee.log import Played
    from referee.player import Player
    from referee.turns.whole import RefereeTable

_HEAD: Final = len('{"id":"01234567","moves":["')


class Referee(Conductor):
    """Plays one game between ``players``. Iterate over `play` for the lines of the record, then read
    ``result``.

    ``idle`` is called before long waits. It can flush what was yielded, and raise if nobody wants the game
    any more.
    """

    def __init__(
        self,
        table: RefereeTable,
        players: Sequence[Player],
        rules: Sequence[ClockRule],
        ids: Iterator[str],
        *,
        start_seconds: float = 10.0,
        idle: Callable[[], object] = lambda: None,
    ) -> None:
        asking = TimedQuestions(players, Clocks(rules), idle)
        super().__init__(table.variant.name, asking, ids, start_seconds)
        self.table = table
        self._stepper = table.stepper()
        self._played: list[Played] = []
        self._telling = True
        self._plain = [False] * len(players)
        self._quick: list[QuickSeat | None] = [None] * len(players)
        self._polled = False
        self._deal_line = table.public_line()
        self._told_deal = [False] * len(players)
        self._offer: int | None = None

    def _moves(self) -> Iterator[list[str]]:
        """Ask, make moves and record until the game is over. Raises Forfeit, Infrastructure."""
        stepper, asking = self._stepper, self._asking
        self._telling = any(ready.events for ready in self.ready)
        may_stop = self.table.variant.stop_calls
        pollers = [seat for seat, ready in enumerate(self.ready) if may_stop and ready.stops]
        self._polled = bool(pollers)
        told = asking.now
        while not stepper.finished:
            if self._quick[stepper.turn] is None or self._offer is not None:
                seat, nonce = stepper.turn, next(self._ids)
                reply = asking.ask(seat, self._question(seat, nonce))
            else:
                left = self._play_on(told + BATCH_NS)
                if left is None:
                    if asking.now - told > BATCH_NS:
                        told = asking.now
                        yield self._written()
                    continue
                seat, nonce, reply = left
            if reply is None:
                yield self._written()
                reply = asking.wait(seat)
            moves, remarks = self._understood(seat, nonce, reply)
            if self.result is not None:
                return
            if pollers:
                self._play_polled(seat, moves, remarks, pollers)
            else:
                self._play(seat, moves, asking.ms, remarks)
            if asking.now - told > BATCH_NS:
                told = asking.now
                yield self._written()
        self._write()
        self.result = self._finished()

    def _play_on(self, until: int) -> tuple[int, str, bytes | None] | None:
        """Ask and play on the short way; return the seat, id and answer that this leaves to be judged.

        Raises Forfeit.
        """
        try:
            return play_on(self._stepper, self._asking, self._quick, self._ids, self._played, until)
        except NotLegal as wrong:
            raise self._illegal(self._stepper.turn, wrong.move) from None

    def _play(self, seat: int, moves: Sequence[str], ms: int, remarks: str) -> None:
        """Make the moves of an answer and note them for the record. Raises Forfeit."""
        stepper, clocks = self._stepper, self.clocks
        before = clocks.text
        try:
            numbers = stepper.advance(moves)
        except NotLegal as wrong:
            self._played.append((wrong.carried_out, ms, before, before, remarks))
            raise self._illegal(seat, wrong.move) from None
        if stepper.turn != seat or stepper.finished:
            clocks.turn_ended(seat)
        self._played.append((numbers, ms, before, clocks.text, remarks))

    def _play_polled(self, seat: int, moves: Sequence[str], remarks: str, pollers: list[int]) -> None:
        """Make the moves of an answer one by one, polling in between. Raises Forfeit, Infrastructure."""
        ms = self._asking.ms
        for move in self._stepper.reachable(moves):
            before = self._public()
            self._play(seat, (move,), ms, remarks)
            if self._poll(before, move, pollers):
                return
            ms, remarks = 0, ""

    def _write(self) -> None:
        """Bring the table up to date and write the events of what was played."""
        played, table = self._played, self.table
        if played:
            self._played = []  # at once: what cannot be written is not tried again
            events, lines = table.write(played, self._log.n)
            if self._telling:
                self._events += events
            self._lines += lines
            self._log.n += len(lines)

    def _public(self) -> str:
        """Return the position as everyone may see it."""
        return self._stepper.public_line()

    def _illegal(self, seat: int, move: str) -> Forfeit:
        self._write()
        legal = self.table.legal_moves()
        shown = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return Forfeit(
            seat,
            Termination.ILLEGAL_MOVE,
            f"Seat {seat} played {protocol.quote(move)} at ply {self.table.ply + 1}:"
            f" expected one of {shown}.",
        )

    def _understood(self, seat: int, nonce: str, reply: bytes) -> tuple[Sequence[str], str]:
        """Parse an answer, handle offers and resignations, and return its moves and remarks.

        The form that the SDK writes needs no parser: without escapes and extra quotes, the moves are what
        stands between the separators, even if they are wrong otherwise.
        """
        text = reply.decode("utf-8", "replace")
        if self._offer is None and text[:_HEAD] == f'{{"id":"{nonce}","moves":["' and text[-3:] == '"]}':
            said = text[_HEAD:-3]
            if said in self._stepper.lone:
                return (said,), ""
            moves = said.split('","')
            count = len(moves)
            if "\\" not in said and said.count('"') == 2 * count - 2 and count <= protocol.MOVES_PER_ANSWER:
                return moves, ""
        try:
            answer = protocol.parse_answer(reply, nonce)
        except ProtocolError as error:
            raise Forfeit(seat, Termination.PROTOCOL, f"Seat {seat} answered wrongly: {error}.") from error
        self._talk(seat, answer)
        return answer.moves, remark(answer.comment, answer.evaluation)

    def _question(self, seat: int, nonce: str) -> bytes:
        """Return the ``move`` question, with only what the seat wants."""
        stepper = self._stepper
        more = "" if self._plain[seat] and self._offer is None else self._more(seat)
        return (
            f'{{"type":"move","id":"{nonce}","ply":{stepper.ply},"clocks":{self.clocks.text},'
            f'"legal":{stepper.legal_text()}{more}}}\n'
        ).encode()

    def _more(self, seat: int) -> str:
        """Return the parts of a question beside the legal moves and the clocks."""
        ready = self.ready[seat]
        more = ""
        if ready.position or not self._asked[seat]:
            self._asked[seat] = True
            more = f',"position":"{self._public()}"'
        more += self._beginning(seat)
        if ready.events:
            more += self._news(seat)
        if self._offer is not None and self._offer != seat:
            more += ',"draw_offered":true'
        self._plain[seat] = not (ready.position or ready.events)
        if self._quick[seat] is None and not ready.events and not self._polled:
            way = self.players[seat].short_way()
            self._quick[seat] = None if way is None else QuickSeat(way, position=ready.position)
        return more

    def _beginning(self, seat: int) -> str:
        """Return the position in which the game began, once, if the seat wants it."""
        if self._told_deal[seat] or not self.ready[seat].start:
            return ""
        self._told_deal[seat] = True
        return f',"start":"{self._deal_line}"'

    def _poll(self, before: str, move: str, pollers: list[int]) -> bool:
        """Ask the opponent whether it calls stop, if it may; return whether it did (RULES 6)."""
        self._write()
        table = self.table
        seat = 1 - table.turn
        if seat not in pollers or not table.can_stop():
            return False
        nonce = next(self._ids)
        news = self._beginning(seat) + (self._news(seat) if self.ready[seat].events else "")
        line = (
            f'{{"type":"stop","id":"{nonce}","ply":{table.ply},"clocks":{self.clocks.text},'
            f'"before":"{before}","move":"{move}"{news}}}\n'
        )
        asking = self._asking
        reply = asking.ask(seat, line.encode())
        if reply is None:
            reply = asking.wait(seat)
        try:
            called = protocol.parse_stop(reply, nonce)
        except ProtocolError as error:
            raise Forfeit(
                seat, Termination.PROTOCOL, f"Seat {seat} answered a poll wrongly: {error}."
            ) from error
        if not called:
            return False
        mover = table.turn
        event = table.stop()
        self._stepper.stop()
        self._events.append(event)
        if table.turn != mover:
            self.clocks.turn_ended(mover)
        self._lines.append(self._log.move(event, table.ply, asking.ms, self.clocks.text))
        return True

    def _talk(self, seat: int, answer: MoveAnswer) -> None:
        """Handle what an answer says beside its moves.

        With more than two players there are no draw offers.
        """
        self._write()
        ply, clocks, lines = self.table.ply, self.clocks.text, self._lines
        if answer.resign:
            raise Forfeit(seat, Termination.RESIGNATION, f"Seat {seat} resigned.")
        if self._offer is not None and self._offer != seat:
            if answer.accept_draw:
                self.result = self._drawn(seat)
                return
            self._offer = None
            lines.append(self._log.note("decline", ply, clocks, seat=seat))
        if not answer.moves:
            raise Forfeit(
                seat,
                Termination.PROTOCOL,
                f"Seat {seat} accepted a draw that nobody had offered, and played nothing.",
            )
        if answer.offer_draw and len(self.players) == 2 and self._offer is None:
            self._offer = seat
            lines.append(self._log.note("offer", ply, clocks, seat=seat))

    def _finished(self) -> GameResult:
        """Return the result of a game that ended by its rules (RULES 3)."""
        return self._ended(endings.by_rules(self.table.position))

    def _forfeited(self, forfeit: Forfeit) -> GameEnding:
        position = self.table.position
        return endings.by_forfeit(position, forfeit.seat, forfeit.termination, forfeit.detail)

    def _drawn(self, seat: int) -> GameResult:
        return self._ended(endings.by_agreement(self.table.position, seat))

    def _length(self) -> tuple[int, int]:
        return self.table.ply, self.table.turn_number
