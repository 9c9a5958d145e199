"""Reading the line of a position (RULES 1)."""

from __future__ import annotations

import re

from engine import notation
from engine.cards import UNKNOWN
from engine.errors import NotationError, quote
from engine.turns import checks
from engine.turns.position_parts import IDLE_LIMIT, STALL_LIMIT, Counters, Fields, SeatPiles, Tally
from engine.variants import Variant, variant

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
    checks.check(rules, found)
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
