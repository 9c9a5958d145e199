"""Reading and writing the line of a position (RULES 1)."""

from __future__ import annotations

import re

from engine import checks
from engine.cards import FACES, UNKNOWN, Card, join
from engine.errors import NotationError, quoted
from engine.parts import Counters, SeatPiles, Tally
from engine.variants import Variant, variant

Fields = tuple[
    str,
    int,
    str,
    Card | None,
    tuple[tuple[Card, ...], ...],
    tuple[tuple[int, ...], ...],
    tuple[SeatPiles, ...],
    Counters,
    Tally,
]
"""The fields of a `position.Position`, in their order."""

NUMBER = re.compile(r"0|[1-9][0-9]{0,3}", re.ASCII)
PHASE = re.compile(r"lay([0-3])\.([0-2])", re.ASCII)
FIXED = 8  # the fields besides the seats


def parse(line: str) -> Fields:
    """Read a line; every fault that RULES 1 names is an error.

    Raises:
        NotationError: it is no position.
        UnknownVariant: it names no variant, or one not played by so many seats.
    """
    fields = line.split(" ")
    rules = variant(fields[0])
    if not rules.turn_based:
        raise NotationError(f"expected a turn-based variant, got {quoted(rules.name)}")
    players = len(fields) - FIXED
    if players not in rules.players:
        allowed = " or ".join(str(FIXED + each) for each in rules.players)
        raise NotationError(f"expected {allowed} fields for {rules.name}, each after one space, got {len(fields)}")
    turn = _number(fields[1], "the seat to move", players - 1)
    if fields[2] != "play" and not (rules.laying and PHASE.fullmatch(fields[2])):
        wanted = "play or lay<k>.<q>, k to 3, q to 2" if rules.laying else "play"
        raise NotationError(f"expected the phase as {wanted}, got {quoted(fields[2])}")
    drawn = None if fields[3] == "-" else _card(fields[3], "a drawn card or -")
    if drawn == UNKNOWN:
        raise NotationError("expected a drawn card that is known, got '??'")
    houses = tuple(_pile(text, f"house t{i}") for i, text in enumerate(_split(fields[4], "/", 4 * players, "houses"), 1))
    foundations = _foundations(fields[5], players)
    seats = tuple(_seat(text, seat) for seat, text in enumerate(fields[6 : 6 + players]))
    counted = counters(fields[-2], rules, players)
    tally = _tally(fields[-1], players)
    found = (rules.name, turn, fields[2], drawn, houses, foundations, seats, counted, tally)
    checks.check(rules, *found[1:])
    return found


def line(
    name: str,
    turn: int,
    phase: str,
    drawn: Card | None,
    houses: tuple[tuple[Card, ...], ...],
    foundations: tuple[tuple[int, ...], ...],
    seats: tuple[SeatPiles, ...],
    counters: Counters,
    tally: Tally,
) -> str:
    """Write the line: the inverse of `parse`."""
    tableau = "/".join(map(join, houses))
    heights = "/".join(",".join(map(str, suit)) for suit in foundations)
    piles = " ".join(map(str, seats))
    return f"{name} {turn} {phase} {drawn or '-'} {tableau} {heights} {piles} {counters} {tally}"


def phase(text: str) -> tuple[int, int] | None:
    """*k* and *q* of a laying phase, None for ``play``.

    >>> phase("lay2.1"), phase("play")
    ((2, 1), None)
    """
    match = PHASE.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def _split(text: str, separator: str, count: int, what: str) -> list[str]:
    parts = text.split(separator)
    if len(parts) != count:
        raise NotationError(f"expected {count} {what} separated by {separator!r}, got {len(parts)} in {quoted(text)}")
    return parts


def _number(text: str, what: str, most: int) -> int:
    if not NUMBER.fullmatch(text) or int(text) > most:
        raise NotationError(f"expected {what} from 0 to {most}, got {quoted(text)}")
    return int(text)


def _card(text: str, what: str) -> Card:
    if text not in FACES and text != UNKNOWN:
        raise NotationError(f"expected {what}, got {quoted(text)}")
    return text


def _pile(text: str, what: str) -> tuple[Card, ...]:
    """A pile bottom to top; ``.`` is the empty one."""
    if text == ".":
        return ()
    if not text or len(text) % 2:
        raise NotationError(f"expected {what} as cards of two letters, or . if empty, got {quoted(text)}")
    return tuple(_card(text[i : i + 2], f"a card in {what}") for i in range(0, len(text), 2))


def _foundations(text: str, players: int) -> tuple[tuple[int, ...], ...]:
    suits = []
    for name, part in zip(("spades", "hearts", "diamonds", "clubs"), _split(text, "/", 4, "suits"), strict=True):
        heights = _split(part, ",", players, f"foundations of {name}")
        suit = tuple(_number(height, f"a height of {name}", 13) for height in heights)
        if any(low > high for high, low in zip(suit, suit[1:], strict=False)):
            raise NotationError(f"expected the heights of {name} highest first, got {quoted(part)}")
        suits.append(suit)
    return tuple(suits)


def _seat(text: str, seat: int) -> SeatPiles:
    parts = _split(text, "/", 3, f"piles of seat {seat}")
    names = ("reserve", "hand", "discard")
    return SeatPiles(
        *(_pile(part, f"the {name} of seat {seat}") for name, part in zip(names, parts, strict=True))
    )


def _seats(text: str, what: str, players: int) -> tuple[int, ...]:
    """Digits of seats, each once; ``.`` for none."""
    if text == ".":
        return ()
    allowed = "0123"[:players]
    if not text or len(set(text)) != len(text) or not set(text) <= set(allowed):
        raise NotationError(f"expected {what} as digits of {allowed}, each at most once, or ., got {quoted(text)}")
    return tuple(map(int, text))


def counters(text: str, rules: Variant, players: int) -> Counters:
    """Read ``idle,stall,passes,mute,last``.

    Raises:
        NotationError: it is not that.
    """
    parts = _split(text, ",", 5, "counters")
    mute, last = parts[3], parts[4]
    if rules.stop_calls:
        if list(mute) != sorted(mute):
            raise NotationError(f"expected the mute seats in ascending order, got {quoted(mute)}")
        if last not in {"+", "!", "?", "."}:
            raise NotationError(f"expected the last action as +, !, ? or ., got {quoted(last)}")
    elif (mute, last) != (".", "."):
        raise NotationError(f"expected . for mute and last, as {rules.name} has no stop calls, got {quoted(text)}")
    return Counters(
        _number(parts[0], "idle", checks.IDLE_LIMIT),
        _number(parts[1], "stall", checks.STALL_LIMIT),
        _number(parts[2], "passes", players),
        _seats(mute, "the mute seats", players),
        last,
    )


def _tally(text: str, players: int) -> Tally:
    parts = _split(text, "/", 3, "parts of the tally")
    completed = _split(parts[0], ",", players, "numbers of completed foundations")
    return Tally(
        tuple(_number(number, "completed foundations", 9999) for number in completed),
        _seats(parts[1], "the seats with emptied reserve", players),
        _seats(parts[2], "the seats that went out", players),
    )
