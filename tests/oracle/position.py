"""A position as RULES 1 describes it: read from its line, checked, written back.

Piles are texts, bottom to top, two characters a card, exactly as the line has them; "" is an empty pile.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from tests.oracle.rulesets import PACK, RULESETS, SUITS, Ruleset

HIDDEN = "??"
LAYING_TURNS = 4
IDLE_LIMIT = 100  # RULES 3
STALL_LIMIT = 200
_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")
_PILE = re.compile(r"(?:[A23456789TJQK][SHDC]|\?\?)+")
_PHASE = re.compile(r"lay([0-3])\.([0-2])")


class BadPosition(ValueError):
    """The line is no position by RULES 1."""


class Unruled(ValueError):
    """The position is one that no game reaches, but RULES does not say that it is bad input."""


@dataclass
class State:
    """One position; changed in place by `tests.oracle.play`."""

    rules: Ruleset
    turn: int
    laying: tuple[int, int] | None  # RULES 6: (k, q) of lay<k>.<q>; None is the phase `play`
    drawn: str
    houses: list[str]
    foundations: dict[str, list[int]]  # suit -> heights, highest first
    reserves: list[str]
    hands: list[str]
    discards: list[str]
    idle: int = 0
    stall: int = 0
    passes: int = 0
    mute: str = ""
    last: str = "."
    completed: list[int] | None = None  # set to zeros where not given
    emptied: str = ""
    out: str = ""

    def __post_init__(self) -> None:
        if self.completed is None:
            self.completed = [0] * self.players

    @property
    def players(self) -> int:
        """How many seats there are, those gone out included."""
        return len(self.hands)

    @property
    def seats_in(self) -> int:
        """How many seats have not gone out."""
        return len(self.hands) - len(self.out)

    @property
    def result(self) -> str | None:
        """`win`, `stall` or `passes` (RULES 3: stall goes before passes), None while the game goes on."""
        seats_in = self.seats_in
        if seats_in <= 1:
            return "win"
        if self.stall >= STALL_LIMIT:
            return "stall"
        return "passes" if self.passes >= seats_in else None

    def copy(self) -> State:
        """A state that shares nothing mutable with this one."""
        return replace(
            self,
            houses=self.houses[:],
            foundations={suit: heights[:] for suit, heights in self.foundations.items()},
            reserves=self.reserves[:],
            hands=self.hands[:],
            discards=self.discards[:],
            completed=self.completed[:] if self.completed else None,
        )

    def __str__(self) -> str:
        """The position line."""
        completed = self.completed or []
        seats = zip(self.reserves, self.hands, self.discards, strict=True)
        return " ".join(
            (
                self.rules.name,
                str(self.turn),
                "play" if self.laying is None else "lay{}.{}".format(*self.laying),
                self.drawn or "-",
                "/".join([house or "." for house in self.houses]),
                "/".join([",".join(map(str, heights)) for heights in self.foundations.values()]),
                *[f"{reserve or '.'}/{hand or '.'}/{discard or '.'}" for reserve, hand, discard in seats],
                f"{self.idle},{self.stall},{self.passes},{self.mute or '.'},{self.last}",
                f"{','.join(map(str, completed))}/{self.emptied or '.'}/{self.out or '.'}",
            )
        )


def parse(line: str) -> State:
    """Read a position line; BadPosition says why it is none."""
    fields = line.split(" ")
    if fields[0] not in RULESETS:
        raise BadPosition(f"no turn-based variant {fields[0]!r}")
    rules = RULESETS[fields[0]]
    players = len(fields) - 8
    if players not in rules.players:
        raise BadPosition(f"{len(fields)} fields")
    seats = [split(text, "/", 3) for text in fields[6:-2]]
    idle, stall, passes, mute, last = split(fields[-2], ",", 5)
    completed, emptied, out = split(fields[-1], "/", 3)
    state = State(
        rules=rules,
        turn=read_number(fields[1]),
        laying=_phase(fields[2], rules),
        drawn=_drawn(fields[3]),
        houses=[read_pile(text) for text in split(fields[4], "/", 4 * players)],
        foundations={
            suit: [read_number(height) for height in split(text, ",", players)]
            for suit, text in zip(SUITS, split(fields[5], "/", 4), strict=True)
        },
        reserves=[read_pile(seat[0]) for seat in seats],
        hands=[read_pile(seat[1]) for seat in seats],
        discards=[read_pile(seat[2]) for seat in seats],
        idle=read_number(idle),
        stall=read_number(stall),
        passes=read_number(passes),
        mute=_digits(mute, players),
        last=last,
        completed=[read_number(text) for text in split(completed, ",", players)],
        emptied=_digits(emptied, players),
        out=_digits(out, players),
    )
    _check_cards(state)
    _check_seats(state)
    _check_words(state)
    return state


def split(text: str, separator: str, count: int) -> list[str]:
    """Exactly `count` parts of the text."""
    parts = text.split(separator)
    if len(parts) != count:
        raise BadPosition(f"{len(parts)} parts in {text!r}, not {count}")
    return parts


def read_number(text: str) -> int:
    """A count: decimal digits without leading zeros."""
    if not _NUMBER.fullmatch(text):
        raise BadPosition(f"no number: {text!r}")
    return int(text)


def read_pile(text: str) -> str:
    """Cards bottom to top, `.` if empty (RULES 1)."""
    if text == ".":
        return ""
    if not _PILE.fullmatch(text):
        raise BadPosition(f"no pile: {text!r}")
    return text


def _digits(text: str, players: int) -> str:
    """Seats, each once, as digits, `.` for none."""
    if text == ".":
        return ""
    if not text or len(set(text)) != len(text) or not set(text) <= set("0123"[:players]):
        raise BadPosition(f"no seats: {text!r}")
    return text


def _drawn(text: str) -> str:
    """RULES 1: a card, or `-`; it lies open."""
    if text == "-":
        return ""
    if text not in PACK:
        raise BadPosition(f"no drawn card: {text!r}")
    return text


def _phase(text: str, rules: Ruleset) -> tuple[int, int] | None:
    if text == "play":
        return None
    match = _PHASE.fullmatch(text)
    if not match or not rules.laying:
        raise BadPosition(f"no phase: {text!r}")
    return int(match[1]), int(match[2])


def cards(pile: str) -> list[str]:
    """The cards of a pile, bottom first."""
    return [pile[i : i + 2] for i in range(0, len(pile), 2)]


def _check_cards(state: State) -> None:
    for pile in (*state.houses, *state.reserves, *state.discards):
        if pile[-2:] == HIDDEN:  # RULES 1: `??` may stand only in hands and below tops
            raise BadPosition("a top is open")
    held: Counter[str] = Counter([state.drawn] if state.drawn else [])
    for pile in (*state.houses, *state.reserves, *state.hands, *state.discards):
        held.update(cards(pile))
    for suit, heights in state.foundations.items():
        if heights != sorted(heights, reverse=True) or heights[0] > 13:  # RULES 1: 0-13, highest first
            raise BadPosition(f"foundations {heights}")
        for height in heights:
            held.update(rank + suit for rank in state.rules.order[:height])
    for card in PACK:
        if held[card] > state.players:  # RULES 1: no card more often than the packs have it
            raise BadPosition(f"{card} {held[card]} times")


def _check_seats(state: State) -> None:
    if state.turn >= state.players:
        raise BadPosition(f"no seat {state.turn}")
    for seat in range(state.players):
        piles = state.reserves[seat] + state.hands[seat] + state.discards[seat]
        if seat == state.turn:
            piles += state.drawn
        is_out = str(seat) in state.out
        if bool(piles) == is_out:  # RULES 1
            raise BadPosition(f"seat {seat} is {'out with' if is_out else 'in without'} cards")
        if not state.rules.reserve_size:
            if state.emptied or state.reserves[seat]:  # RULES 5: no reserves
                raise BadPosition("there are no reserves")
        elif bool(state.reserves[seat]) == (str(seat) in state.emptied):
            # RULES 1: an `emptied` that disagrees with the reserves; an empty one cannot be loaded again
            raise BadPosition(f"emptied {state.emptied!r} disagrees with the reserve of seat {seat}")
    if state.result is None and str(state.turn) in state.out:  # RULES 1
        raise BadPosition(f"the turn at seat {state.turn}, which is out")


def _check_words(state: State) -> None:
    if state.last not in (list(".+!?") if state.rules.stop_calls else ["."]):
        raise BadPosition(f"no mark {state.last!r}")
    if list(state.mute) != sorted(state.mute):  # RULES 1: ascending digits
        raise BadPosition(f"mute {state.mute!r}")
    if state.mute and not state.rules.stop_calls:  # RULES 1: both are `.`
        raise BadPosition("nobody can be mute")
    if state.laying:
        k, q = state.laying
        needed = 2 * k + q + bool(state.drawn)
        if state.houses.count("") < needed:  # RULES 6: at least 2k+q, one more with a card drawn
            raise BadPosition(f"fewer than {needed} empty houses")


def check_reachable(state: State) -> None:
    """Unruled if no game could reach this position though RULES does not call it bad input."""
    completed = state.completed or []
    heights = [height for suit in state.foundations.values() for height in suit]
    piles = state.drawn + "".join(state.houses + state.reserves + state.hands + state.discards)
    if len(piles) // 2 + sum(heights) > 52 * state.players:
        raise Unruled("more cards, the unknown ones counted, than the packs have")
    if any(HIDDEN in house for house in state.houses):
        raise Unruled("an unknown card in a house, where all is open, though below its top")
    if len(state.out) == state.players:
        raise Unruled("everybody out, though the game ends with one seat left")
    if state.idle > IDLE_LIMIT or state.stall > STALL_LIMIT or state.passes > state.seats_in:
        raise Unruled("a counter above its limit")
    if max(completed) > 4 * state.players or sum(completed) > 4 * state.players:
        raise Unruled("more foundations completed than there are")
    if state.passes and (state.idle or state.drawn or state.last != "." or state.laying):
        raise Unruled("a pass that was not the last move")
    if state.result is not None and (state.drawn or state.last != "."):
        raise Unruled("a game that ended with an action open")
    if state.result == "win" and str(state.turn) != state.out[-1]:
        raise Unruled("the turn is not with the seat that went out last")
    if state.result in ("stall", "passes") and str(state.turn) in state.out:
        raise Unruled("a draw with the turn at a seat that is out")
    if state.drawn and state.idle:
        raise Unruled("a card drawn and idle counted since")
