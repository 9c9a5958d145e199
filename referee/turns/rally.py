"""Questions and answers in turn as long as each answer comes at once and needs no judgement.

So it is with nearly all answers. What is said beside moves, what comes late, and whatever is wrong is left to
the loop, as are bots that want to be told events.
"""

from __future__ import annotations

from time import monotonic_ns
from typing import TYPE_CHECKING

import cython

from engine.turns.moves import texts
from referee.protocol import MOVES_PER_ANSWER
from referee.timed_questions import GRACE_MS, LOOK_NS
from referee.turns.stepper import NotLegal, Stepper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.log import Played
    from referee.player import ShortWay
    from referee.timed_questions import TimedQuestions
    from sandbox.exchange import Exchange

MOVES_START = b',"moves":["'
MOVES_END = b'"]}'


@cython.cclass
class QuickSeat:
    """A seat whose player has a short ``way``, and whether it is asked with the ``position``."""

    exchange: Exchange
    position: cython.bint
    remember: Callable[[tuple[bytes, bytes | None]], object]
    way: ShortWay

    def __init__(self, way: ShortWay, *, position: bool) -> None:
        self.way = way
        self.exchange = way.exchange
        self.remember = way.remember
        self.position = position


def play_on(
    stepper: Stepper,
    asking: TimedQuestions,
    seats: Sequence[QuickSeat | None],
    ids: Iterator[str],
    played: list[Played],
    until: int,
) -> tuple[int, str, bytes | None] | None:
    """Ask and play on, and note in ``played`` what was played.

    Return the seat and the id of a question and an answer that the loop must look at, None in its place if it
    did not come at once. Return None if the game is over, it is later than ``until`` (`time.monotonic_ns`),
    or the seat to move has no short way. Raises NotLegal, Forfeit.
    """
    clocks, core, unread, paused = asking.clocks, stepper.core, asking.unread, asking.paused
    wall_left = clocks.wall_left
    quick: QuickSeat
    seat: cython.int
    count: cython.int
    begun: cython.longlong
    wall: cython.longlong
    ms: cython.int
    ms = 0
    while not stepper.finished:
        seat = stepper.turn
        quick = seats[seat]
        if quick is None:
            return None
        nonce = next(ids)
        before = clocks.text
        place = f',"position":"{stepper.public_line()}"' if quick.position else ""
        line = (
            f'{{"type":"move","id":"{nonce}","ply":{stepper.ply},"clocks":{before},'
            f'"legal":{stepper.legal_text()}{place}}}\n'
        ).encode()
        asking.seat = seat
        exchange = quick.exchange
        begun = monotonic_ns()
        if begun >= exchange.due or (paused and seat in paused):
            reply = asking.ask(seat, line)
            ms = asking.ms
        else:
            asking.now = begun
            reply = exchange.ask(line, GRACE_MS)
            quick.remember((line, reply))
            if reply is None:
                asking.send_rest(seat, quick.way, line)
            else:
                wall = monotonic_ns() - begun
                waited = unread[seat] + wall
                if waited < LOOK_NS:
                    unread[seat] = waited
                    wall_left[seat] -= wall
                    ms = 0
                else:
                    asking.charge(seat, wall)
                    ms = asking.ms
        if reply is None:
            return seat, nonce, None
        numbers = understand(stepper, nonce, reply)
        if numbers is None:
            asking.ms = ms
            return seat, nonce, reply
        count = core.advance(numbers)
        if count < 0:
            count = ~count
            stepper.ply += count
            played.append((numbers[:count], ms, before, before, ""))
            raise NotLegal(texts(stepper.players, seat)[numbers[count]] or "", numbers[:count])
        stepper.ply += count
        if core.turn != seat or core.over:
            stepper.look()
            clocks.turn_ended(seat)
        played.append((numbers if count == len(numbers) else numbers[:count], ms, before, clocks.text, ""))
        if begun > until:
            return None
    return None


def understand(stepper: Stepper, nonce: str, reply: bytes) -> list[int] | None:
    """The numbers of the moves of an answer in the SDK's form; None if it has another, or names no moves."""
    head = len(nonce) + 8
    if reply[:head] != b'{"id":"%b"' % nonce.encode():
        return None
    said = reply[head:]
    lone: list[int] | None = stepper.lone_answers.get(said)
    if lone is not None:
        return lone
    if not said.startswith(MOVES_START) or not said.endswith(MOVES_END):
        return None
    known = stepper.numbers
    moves = said[len(MOVES_START) : -len(MOVES_END)].decode("utf-8", "replace").split('","')
    numbers = [known.get(move, -1) for move in moves]
    return None if -1 in numbers or len(numbers) > MOVES_PER_ANSWER else numbers
