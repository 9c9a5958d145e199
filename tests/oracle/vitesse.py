"""`vitesse` (RULES 7): both seats act in ticks; there are no houses, only four slots a seat."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from tests.oracle.dealing import shuffled
from tests.oracle.play import BadMove
from tests.oracle.position import (
    HIDDEN,
    STALL_LIMIT,
    BadPosition,
    Unruled,
    cards,
    read_number,
    read_pile,
    split,
)
from tests.oracle.rulesets import PACK, RANKS, SUITS

SLOTS = 4


@dataclass
class Tick:
    """A position of `vitesse`; piles are texts as in `tests.oracle.position`, an empty slot is ""."""

    number: int
    foundations: dict[str, list[int]]
    reserves: list[str]
    slots: list[list[str]]
    hands: list[str]
    discards: list[str]
    stall: int = 0
    completed: tuple[int, int] = (0, 0)
    stopper: int | None = None

    @property
    def result(self) -> str | None:
        """`stop`, `stall` or None while the game goes on."""
        if self.stopper is not None:
            return "stop"
        return "stall" if self.stall >= STALL_LIMIT else None

    def copy(self) -> Tick:
        """A state that shares nothing mutable with this one."""
        return replace(
            self,
            foundations={suit: heights[:] for suit, heights in self.foundations.items()},
            reserves=self.reserves[:],
            slots=[row[:] for row in self.slots],
            hands=self.hands[:],
            discards=self.discards[:],
        )

    def __str__(self) -> str:
        """The position line of RULES 7."""
        seats = [
            "/".join(
                (
                    self.reserves[seat] or ".",
                    ",".join(slot or "-" for slot in self.slots[seat]),
                    self.hands[seat] or ".",
                    self.discards[seat] or ".",
                )
            )
            for seat in (0, 1)
        ]
        foundations = "/".join(",".join(map(str, heights)) for heights in self.foundations.values())
        completed = ",".join(map(str, self.completed))
        stopper = "." if self.stopper is None else self.stopper
        return f"vitesse {self.number} {foundations} {seats[0]} {seats[1]} {self.stall} {completed}/{stopper}"


def deal(seed: str) -> Tick:
    """RULES 7: own packs, 13 to the reserve, 4 to the slots, 35 to the hand."""
    packs = [shuffled(PACK, bytes.fromhex(seed), f"pack{seat}") for seat in (0, 1)]
    return Tick(
        number=0,
        foundations={suit: [0, 0] for suit in SUITS},
        reserves=["".join(pack[:13]) for pack in packs],
        slots=[pack[13:17] for pack in packs],
        hands=["".join(reversed(pack[17:])) for pack in packs],
        discards=["", ""],
    )


def legal(tick: Tick, seat: int) -> list[str]:
    """The actions of one seat, sorted; none when the game is over."""
    if tick.result is not None:
        return []
    to_centre = [
        source for source in ("r", "s1", "s2", "s3", "s4", "d") if fits(tick, card_at(tick, seat, source))
    ]
    actions = [f"{source}-f" for source in to_centre]
    if not [source for source in to_centre if source != "d"] and tick.hands[seat] + tick.discards[seat]:
        actions.append("turn")  # only if neither the reserve top nor a slot can go to a foundation
    if not tick.reserves[seat]:
        actions.append("stop")
    return sorted([*actions, "wait"])


def legal_line(tick: Tick) -> str:
    """Seat 0's actions, then " | ", then seat 1's; an empty line if finished (RULES 8)."""
    if tick.result is not None:
        return ""
    return " | ".join(" ".join(legal(tick, seat)) for seat in (0, 1))


def card_at(tick: Tick, seat: int, source: str) -> str:
    """The card that a source names, or "" if it is empty."""
    if source == "r":
        return tick.reserves[seat][-2:]
    if source == "d":
        return tick.discards[seat][-2:]
    return tick.slots[seat][int(source[1]) - 1]


def fits(tick: Tick, card: str) -> bool:
    """Whether the card can go to a foundation now."""
    return bool(card) and RANKS.index(card[0]) in tick.foundations[card[1]]


def apply(tick: Tick, pair: str) -> None:
    """Both seats' actions, or BadMove (then the position may be half changed; use a copy)."""
    actions = pair.split(",")
    if len(actions) != 2:
        raise BadMove(f"{pair!r} is not two actions")
    for seat in (0, 1):
        if actions[seat] not in legal(tick, seat):
            raise BadMove(f"{actions[seat]!r} is none of {legal(tick, seat)}")
    first = tick.number % 2  # RULES 7: in order of priority
    order = (first, 1 - first)
    played = [_act(tick, seat, actions[seat]) for seat in order]
    tick.stall = 0 if any(played) else tick.stall + 1
    tick.number += 1
    for seat in order:
        if tick.stopper is None and actions[seat] == "stop":  # if both stop, the first in priority
            tick.stopper = seat
    for seat in order:
        if tick.stopper is None and not left(tick, seat):  # stops of itself
            tick.stopper = seat


def _act(tick: Tick, seat: int, action: str) -> bool:
    """Carry out one action; whether a card was played."""
    if action == "turn":
        if not tick.hands[seat]:
            tick.hands[seat] = "".join(reversed(cards(tick.discards[seat])))
            tick.discards[seat] = ""
        card = tick.hands[seat][-2:]
        _must_know(card)
        tick.hands[seat] = tick.hands[seat][:-2]
        tick.discards[seat] += card
    if not action.endswith("-f"):
        return False
    source = action[:-2]
    card = card_at(tick, seat, source)
    if not fits(tick, card):  # no longer fits because the other came first: stays where it is
        return False
    heights = tick.foundations[card[1]]
    index = heights.index(RANKS.index(card[0]))
    heights[index] += 1
    if heights[index] == 13:
        done = list(tick.completed)
        done[seat] += 1
        tick.completed = (done[0], done[1])
    if source == "d":
        tick.discards[seat] = tick.discards[seat][:-2]
        _must_know(tick.discards[seat][-2:])
        return True
    if source != "r":  # a slot that empties is refilled at once from the reserve, while it has cards
        tick.slots[seat][int(source[1]) - 1] = tick.reserves[seat][-2:]
    tick.reserves[seat] = tick.reserves[seat][:-2]
    _must_know(tick.reserves[seat][-2:])
    return True


def _must_know(card: str) -> None:
    if card == HIDDEN:  # RULES 1
        raise BadMove("an unknown card would be turned up")


def left(tick: Tick, seat: int) -> int:
    """How many cards the seat still has."""
    piles = tick.reserves[seat] + "".join(tick.slots[seat]) + tick.hands[seat] + tick.discards[seat]
    return len(piles) // 2


def score(tick: Tick) -> dict[str, object]:
    """RULES 7, points; BadPosition if the game is not over."""
    if tick.result is None:
        raise BadPosition("the game goes on")
    points = [10 * tick.completed[seat] + 52 - left(tick, seat) for seat in (0, 1)]
    if tick.stopper is not None:
        points[tick.stopper] += 20
    ranking = [[0], [1]] if points[0] > points[1] else [[1], [0]]
    if points[0] == points[1]:
        ranking = [[0, 1]]
    return {"result": tick.result, "ranking": ranking, "points": points}


def perft(tick: Tick, depth: int) -> int:
    """Sequences of `depth` pairs of actions."""
    if depth == 0:
        return 1
    total = 0
    for first in legal(tick, 0):
        for second in legal(tick, 1):
            after = tick.copy()
            apply(after, f"{first},{second}")
            total += perft(after, depth - 1)
    return total


def parse(line: str) -> Tick:
    """Read a position line of `vitesse`; BadPosition says why it is none."""
    fields = split(line, " ", 7)
    if fields[0] != "vitesse":
        raise BadPosition(f"no vitesse: {fields[0]!r}")
    seats = [split(text, "/", 4) for text in fields[3:5]]
    completed, stopper = split(fields[6], "/", 2)
    first, second = split(completed, ",", 2)
    if stopper not in (".", "0", "1"):
        raise BadPosition(f"no stopper {stopper!r}")
    tick = Tick(
        number=read_number(fields[1]),
        foundations={
            suit: [read_number(height) for height in split(text, ",", 2)]
            for suit, text in zip(SUITS, split(fields[2], "/", 4), strict=True)
        },
        reserves=[read_pile(seat[0]) for seat in seats],
        slots=[[_slot(text) for text in split(seat[1], ",", SLOTS)] for seat in seats],
        hands=[read_pile(seat[2]) for seat in seats],
        discards=[read_pile(seat[3]) for seat in seats],
        stall=read_number(fields[5]),
        completed=(read_number(first), read_number(second)),
        stopper=None if stopper == "." else int(stopper),
    )
    _check(tick)
    return tick


def _slot(text: str) -> str:
    if text == "-":
        return ""
    if text not in PACK:
        raise BadPosition(f"no card {text!r}")
    return text


def _check(tick: Tick) -> None:
    for pile in (*tick.reserves, *tick.discards):
        if pile[-2:] == HIDDEN:  # RULES 1
            raise BadPosition("a top is open")
    everything = "".join((*tick.reserves, *tick.slots[0], *tick.slots[1], *tick.hands, *tick.discards))
    held = Counter(cards(everything))
    for suit, heights in tick.foundations.items():
        if heights != sorted(heights, reverse=True) or heights[0] > 13:
            raise BadPosition(f"foundations {heights}")
        for height in heights:
            held.update(rank + suit for rank in RANKS[:height])
    if any(held[card] > 2 for card in PACK):
        raise BadPosition("a card more often than the packs have it")


def check_reachable(tick: Tick) -> None:
    """Unruled if no game could reach this position though RULES does not call it bad input."""
    heights = [height for suit in tick.foundations.values() for height in suit]
    if left(tick, 0) + left(tick, 1) + sum(heights) > 104 or any(left(tick, seat) > 52 for seat in (0, 1)):
        raise Unruled("more cards than the packs have")
    if tick.stall > STALL_LIMIT or sum(tick.completed) > 8:
        raise Unruled("a counter above its limit")
    for seat in (0, 1):
        if tick.reserves[seat] and "" in tick.slots[seat]:
            raise Unruled("a slot that was not refilled")
        if not left(tick, seat) and tick.stopper is None:
            raise Unruled("a seat without cards that did not stop")
    if tick.stopper is not None and tick.reserves[tick.stopper]:
        raise Unruled("a stop with cards in the reserve")
