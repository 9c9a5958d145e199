"""Reads the line of a position (RULES 1), and finds what may be wrong in one that was read (RULES 3, 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import notation
from engine.cards import UNKNOWN
from engine.errors import NotationError, quote
from engine.notation import check_packs
from engine.turns.position_parts import (
    IDLE_LIMIT,
    STALL_LIMIT,
    Counters,
    Fields,
    SeatPiles,
    Tally,
    is_over,
    seats_text,
)
from engine.variants import Variant, variant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cards import Card
    from engine.variants import Variant

PHASE = re.compile(r"lay([0-3])\.([0-2])", re.ASCII)
FIXED = 8  # the fields besides the seats


def parse(line: str) -> Fields:
    """Read a line; every fault that RULES 1 names is an error.

    Raises:
        NotationError: it is no position.
        UnknownVariant: the variant is unknown, or not for this number of seats.
    """
    if not isinstance(line, str):
        raise NotationError(f"expected a position as a line of text, got {quote(line)}")
    fields = line.split(" ")
    rules = variant(fields[0])
    players = len(fields) - FIXED
    if players not in rules.players:
        allowed = " or ".join(str(FIXED + each) for each in rules.players)
        raise NotationError(
            f"expected {allowed} fields for {rules.name}, each after one space, got {len(fields)}"
        )
    turn = notation.whole_number(fields[1], "the seat to move", players - 1)
    if fields[2] != "play" and not (rules.laying and PHASE.fullmatch(fields[2])):
        wanted = "play or lay<k>.<q>, k to 3, q to 2" if rules.laying else "play"
        raise NotationError(f"expected the phase as {wanted}, got {quote(fields[2])}")
    drawn = None if fields[3] == "-" else notation.card_of(fields[3], "a drawn card or -")
    if drawn == UNKNOWN:
        raise NotationError("expected a drawn card that is known, got '??'")
    houses = tuple(
        notation.pile_of(text, f"house t{i}")
        for i, text in enumerate(notation.split(fields[4], "/", 4 * players, "houses"), 1)
    )
    foundations = notation.foundation_heights(fields[5], players)
    seats = tuple(_seat(text, seat) for seat, text in enumerate(fields[6 : 6 + players]))
    counted = counters(fields[-2], rules, players)
    tally = _tally(fields[-1], players)
    found = Fields(rules.name, turn, fields[2], drawn, houses, foundations, seats, counted, tally)
    check(rules, found)
    return found


def phase(text: str) -> tuple[int, int] | None:
    """*k* and *q* of a laying phase, None for ``play``.

    >>> phase("lay2.1"), phase("play")
    ((2, 1), None)
    """
    match = PHASE.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def _seat(text: str, seat: int) -> SeatPiles:
    parts = notation.split(text, "/", 3, f"piles of seat {seat}")
    names = ("reserve", "hand", "discard")
    return SeatPiles(
        *(
            notation.pile_of(part, f"the {name} of seat {seat}")
            for name, part in zip(names, parts, strict=True)
        )
    )


def _seats(text: str, what: str, players: int) -> tuple[int, ...]:
    """Digits of seats, each once; ``.`` for none."""
    if text == ".":
        return ()
    allowed = "0123"[:players]
    if not text or len(set(text)) != len(text) or not set(text) <= set(allowed):
        raise NotationError(
            f"expected {what} as digits of {allowed}, each at most once, or ., got {quote(text)}"
        )
    return tuple(map(int, text))


def counters(text: str, rules: Variant, players: int) -> Counters:
    """Read ``idle,stall,passes,mute,last``.

    Raises:
        NotationError: it is not that.
    """
    parts = notation.split(text, ",", 5, "counters")
    mute, last = parts[3], parts[4]
    if rules.stop_calls:
        if list(mute) != sorted(mute):
            raise NotationError(f"expected the mute seats in ascending order, got {quote(mute)}")
        if last not in {"+", "!", "?", "."}:
            raise NotationError(f"expected the last action as +, !, ? or ., got {quote(last)}")
    elif (mute, last) != (".", "."):
        raise NotationError(
            f"expected . for mute and last, as {rules.name} has no stop calls, got {quote(text)}"
        )
    return Counters(
        notation.whole_number(parts[0], "idle", IDLE_LIMIT),
        notation.whole_number(parts[1], "stall", STALL_LIMIT),
        notation.whole_number(parts[2], "passes", players),
        _seats(mute, "the mute seats", players),
        last,
    )


def _tally(text: str, players: int) -> Tally:
    parts = notation.split(text, "/", 3, "parts of the tally")
    completed = notation.split(parts[0], ",", players, "numbers of completed foundations")
    return Tally(
        tuple(notation.whole_number(number, "completed foundations", 9999) for number in completed),
        _seats(parts[1], "the seats with emptied reserve", players),
        _seats(parts[2], "the seats that went out", players),
    )


def check(rules: Variant, found: Fields) -> None:
    """Raise for what no position of the variant can be.

    Raises:
        NotationError: says what was expected and what was found.
    """
    _check_tops(found.houses, found.seats)
    own = [pile for seat in found.seats for pile in seat.piles]
    drawn = [found.drawn] if found.drawn else []
    check_packs(len(found.seats), rules.ranks, [*found.houses, *own, drawn], found.foundations)
    _check_reserves(rules, found.seats, found.tally)
    _check_seats(found)
    _check_counters(found)
    _check_laying(found)


def _check_tops(houses: Sequence[Sequence[Card]], seats: Sequence[SeatPiles]) -> None:
    """``??`` may stand only in hands and below tops."""
    for number, house in enumerate(houses, start=1):
        if house and house[-1] == UNKNOWN:
            raise NotationError(f"expected a known card on top of house t{number}, got '??'")
    for seat, piles in enumerate(seats):
        for name, pile in (("reserve", piles.reserve), ("discard", piles.discard)):
            if pile and pile[-1] == UNKNOWN:
                raise NotationError(f"expected a known card on top of the {name} of seat {seat}, got '??'")


def _check_reserves(rules: Variant, seats: Sequence[SeatPiles], tally: Tally) -> None:
    """`emptied` names exactly the seats whose reserve is empty: once empty it cannot be loaded again."""
    if not rules.has_reserve:
        for seat, piles in enumerate(seats):
            if piles.reserve:
                raise NotationError(
                    f"expected no reserve of seat {seat} in {rules.name}, got {piles.reserve[-1]!r}"
                )
        if tally.emptied:
            raise NotationError(f"expected . for emptied in {rules.name}, got {seats_text(tally.emptied)!r}")
        return
    empty = tuple(seat for seat, piles in enumerate(seats) if not piles.reserve)
    if tuple(sorted(tally.emptied)) != empty:
        raise NotationError(
            f"expected emptied to name the seats with an empty reserve, {seats_text(empty)}, "
            f"got {seats_text(tally.emptied)!r}"
        )


def _check_seats(found: Fields) -> None:
    """A seat is in `out` if and only if it has no card; the turn is never there while the game goes on."""
    out, turn, players = found.tally.out, found.turn, len(found.seats)
    for seat, piles in enumerate(found.seats):
        cards = piles.left + (1 if found.drawn and seat == turn else 0)
        if cards and seat in out:
            raise NotationError(f"expected no card left to seat {seat}, which is out, got {cards}")
        if not cards and seat not in out:
            raise NotationError(f"expected seat {seat}, which has no card, in out, got {seats_text(out)!r}")
    if len(out) == players:
        raise NotationError(f"expected a seat that is not out, got {seats_text(out)!r}")
    if len(out) == players - 1:
        if turn != out[-1]:
            raise NotationError(
                f"expected the turn to stay with seat {out[-1]}, the last to go out, got {turn}"
            )
    elif turn in out and not is_over(found.counters, found.tally, players):
        raise NotationError(f"expected the turn at a seat that is not out, got {turn}")


def _check_counters(found: Fields) -> None:
    """With a card drawn what a draw resets is 0; in a game that is over nothing is in the air or to stop."""
    counters, drawn = found.counters, found.drawn
    still_in = len(found.seats) - len(found.tally.out)
    if counters.passes > still_in:
        raise NotationError(
            f"expected passes from 0 to {still_in}, the seats still in, got {counters.passes}"
        )
    if found.phase != "play" and counters.passes:
        raise NotationError(f"expected passes 0 in the laying phase, got {counters.passes}")
    if drawn and (counters.idle or counters.passes):
        raise NotationError(
            f"expected idle and passes 0 with a card drawn, got {counters.idle} and {counters.passes}"
        )
    if is_over(counters, found.tally, len(found.seats)):
        if drawn:
            raise NotationError(f"expected no drawn card in a game that is over, got {drawn!r}")
        if counters.last != ".":
            raise NotationError(
                f"expected . for the last action in a game that is over, got {counters.last!r}"
            )


def _check_laying(found: Fields) -> None:
    """At least ``2k + q`` houses are empty, and one more with a card drawn (RULES 6)."""
    if found.phase == "play":
        return
    needed = 2 * int(found.phase[3]) + int(found.phase[5]) + (1 if found.drawn else 0)
    empty = sum(not house for house in found.houses)
    if empty < needed:
        raise NotationError(f"expected at least {needed} empty houses in {found.phase}, got {empty}")
