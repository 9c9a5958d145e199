"""Games that a value learns from: self-play inside the core, and what the net saw in it (`valuing`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cython

from engine.turns.core.applying import apply, call_stop, stoppable
from engine.turns.core.features import TO_DRAW, TURN_OVER, TURNED_DISCARD, TURNED_RESERVE, look_at_hands, see
from engine.turns.core.lines import best_line
from engine.turns.core.planning import NO_PLANS, plan_turn
from engine.turns.core.tables import IRREGULAR, P_HAND, P_RESERVE, SOURCE
from engine.turns.core.valuing import Valuer, check_seats

if TYPE_CHECKING:
    from engine.turns.core.core import Core


def self_play(valuer: Valuer, other: Valuer | None, start: Core, rows) -> tuple[int, int]:
    """Play a game between two valuers until a seat is out, and write down where each line ended.

    Args:
        valuer: plays seat 0.
        other: plays the others; None: the house planner with as many nodes.
        start: a game of their variant; it stays as it is.
        rows: a writable buffer of 64-bit floats, as many for each line as the net has inputs and one more, as
            far as they fit in: the seat that played it and what the net saw at its end.

    Returns:
        The seat that went out first, -1 for a draw; and how many rows were written.

    Raises:
        ValueError: another number of seats, or rows that cannot be written to.
    """
    check_seats(valuer, start)
    game: Core = start.clone()
    opponent: Valuer = valuer if other is None else other
    check_seats(opponent, start)
    view = memoryview(rows).cast("B").cast("d")
    if view.readonly:
        raise ValueError("expected a buffer that can be written to, got one that cannot")
    most: cython.int = len(view) // (valuer.width + 1)
    count: cython.int
    if not cython.compiled:
        count = self_played(valuer, opponent, other is None, game, view, most)
    else:
        count = self_played(
            valuer, opponent, other is None, game, cython.cast(cython.p_double, core_address(view)), most
        )
    return (game.out & 15 if game.n_out else -1), count


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def self_played(
    valuer: Valuer,
    other: Valuer,
    planner: cython.int,
    game: Core,
    rows: cython.p_double,
    most: cython.int,
) -> cython.int:
    """`self_play`, from `game` on."""
    length: cython.int
    index: cython.int
    number: cython.int
    seat: cython.int
    move: cython.int
    source: cython.int
    end: cython.int
    count: cython.int = 0
    while not game._over and not game.n_out:
        seat = game._turn
        if seat and planner:
            length = plan_turn(game, valuer.nodes, valuer.plan, NO_PLANS, 0)
        elif seat:
            length = best_line(other, game)
        else:
            length = best_line(valuer, game)
        if not length:
            break  # every move is irregular, or there is none
        number = game._turn_number
        for index in range(length):
            move = valuer.plan[index] if seat == 0 or planner else other.plan[index]
            source = SOURCE[game.base + move]
            if index == length - 1 and source == P_HAND + seat and count < most:
                record_row(valuer, game, seat, TO_DRAW, rows, count)
                count += 1
            apply(game, move)
            if game._over or game.n_out:
                break
            if index == length - 1 and source != P_HAND + seat and count < most:
                end = TURNED_DISCARD
                if game._turn != seat:
                    end = TURN_OVER
                elif source == P_RESERVE + seat:
                    end = TURNED_RESERVE
                record_row(valuer, game, seat, end, rows, count)
                count += 1
            if game.last == IRREGULAR and stoppable(game):
                call_stop(game)
            if game._over or game._turn_number != number:
                break
    return count


@cython.cfunc
@cython.exceptval(check=False)
@cython.nogil
def record_row(
    valuer: Valuer, game: Core, seat: cython.int, end: cython.int, rows: cython.p_double, row: cython.int
) -> cython.void:
    """Write a row of `self_play`."""
    index: cython.int
    look_at_hands(game, valuer.hands)
    see(game, seat, end, valuer.one_pack, valuer.hands, valuer.seen)
    row *= valuer.width + 1
    rows[row] = seat
    for index in range(valuer.width):
        rows[row + 1 + index] = valuer.seen[index]
