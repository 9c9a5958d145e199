"""A position of the game in which both seats act at once, in ticks (RULES 7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import notation
from engine.cards import PACK, RANKS, SUITS, UNKNOWN, Card, conceal, join, relabel, value
from engine.errors import HiddenCard, IllegalMove, NotationError, quote
from engine.points.outcome import GIVEN_UP, Outcome, rank_seats
from engine.points.sheet import Parts, tick_parts, totals
from engine.protocol import Position
from engine.variants import VARIANTS, Variant

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "vitesse"
SLOTS = 4
STALL_LIMIT = 200  # ticks without a card played
LONGEST = 999_999_999  # ticks
ACTIONS = ("d-f", "r-f", "s1-f", "s2-f", "s3-f", "s4-f", "stop", "turn", "wait")
"""Every action there is, sorted as text."""


@dataclass(frozen=True, slots=True)
class TickSeat:
    """The piles of one seat, each bottom to top; a slot holds one card or none."""

    reserve: tuple[Card, ...]
    slots: tuple[Card | None, ...]
    hand: tuple[Card, ...]
    discard: tuple[Card, ...]

    @property
    def left(self) -> int:
        """How many cards the seat still has."""
        return len(self.reserve) + sum(map(bool, self.slots)) + len(self.hand) + len(self.discard)

    def relabelled(self, suits: str) -> TickSeat:
        """With the suits renamed."""
        slots = tuple(card and relabel((card,), suits)[0] for card in self.slots)
        reserve, hand, discard = (relabel(pile, suits) for pile in (self.reserve, self.hand, self.discard))
        return TickSeat(reserve, slots, hand, discard)

    def __str__(self) -> str:
        slots = ",".join(card or "-" for card in self.slots)
        return f"{join(self.reserve)}/{slots}/{join(self.hand)}/{join(self.discard)}"


@dataclass(frozen=True, slots=True)
class TickPosition(Position):
    """One line of RULES 7 in parts.

    >>> from engine.protocol import deal
    >>> position = deal("vitesse", "00" * 32)
    >>> [position.legal(seat) for seat in (0, 1)]
    [('s2-f', 'wait'), ('turn', 'wait')]
    >>> after = position.play("s2-f", "turn")
    >>> after.tick, after.foundations[2], after.seats[1].discard
    (1, (1, 0), ('2H',))
    """

    tick: int
    foundations: tuple[tuple[int, ...], ...]
    """For spades, hearts, diamonds, clubs two heights, highest first."""
    seats: tuple[TickSeat, TickSeat]
    stall: int = 0
    """Ticks since a card was played."""
    completed: tuple[int, int] = (0, 0)
    """Foundations completed by each seat."""
    stopper: int | None = None

    @classmethod
    def read(cls, line: str) -> TickPosition:
        """Read a line of RULES 7.

        Raises:
            NotationError: it is no position; the message says what was expected and what was found.
        """
        fields = line.split(" ")
        if fields[0] != NAME or len(fields) != 7:
            raise NotationError(f"expected {NAME} and 6 more fields, each after one space, got {quote(line)}")
        completed, stopper = _tally(fields[6])
        found = cls(
            tick=notation.whole_number(fields[1], "the tick", LONGEST),
            foundations=notation.foundation_heights(fields[2], 2),
            seats=(_seat(fields[3], 0), _seat(fields[4], 1)),
            stall=notation.whole_number(fields[5], "stall", STALL_LIMIT),
            completed=completed,
            stopper=stopper,
        )
        found._check()
        return found

    def __str__(self) -> str:
        heights = "/".join(",".join(map(str, suit)) for suit in self.foundations)
        stopper = "." if self.stopper is None else self.stopper
        completed = ",".join(map(str, self.completed))
        return (
            f"{NAME} {self.tick} {heights} {self.seats[0]} {self.seats[1]} {self.stall} {completed}/{stopper}"
        )

    @property
    def variant(self) -> str:  # type: ignore[override]
        """The variant's name."""
        return NAME

    @property
    def rules(self) -> Variant:
        """The variant as data."""
        return VARIANTS[NAME]

    @property
    def players(self) -> int:
        """How many seats."""
        return len(self.seats)

    @property
    def acting(self) -> tuple[int, ...]:
        """Both seats; none once the game is over."""
        return () if self.finished else (0, 1)

    @property
    def left(self) -> tuple[int, ...]:
        """How many cards each seat still has."""
        return self.seats[0].left, self.seats[1].left

    @property
    def finished(self) -> bool:
        """Whether somebody stopped, or nobody played a card for too long."""
        return self.stopper is not None or self.stall >= STALL_LIMIT

    def public(self) -> TickPosition:
        """What every seat sees: hands and cards below tops are ``??`` (RULES 1)."""
        first, second = (
            TickSeat(conceal(seat.reserve), seat.slots, conceal(seat.hand, 0), conceal(seat.discard))
            for seat in self.seats
        )
        return replace(self, seats=(first, second))

    def relabelled(self, suits: str) -> TickPosition:
        """The same position with S, H, D, C renamed to these four letters; the game stays the same.

        Raises:
            NotationError: not the four letters.

        >>> from engine.protocol import deal
        >>> deal("vitesse", "00" * 32).relabelled("HSDC").seats[0].slots
        ('8S', 'AD', '5S', '7C')
        """
        if not isinstance(suits, str) or sorted(suits) != sorted(SUITS):
            raise NotationError(f"expected the letters S, H, D and C in some order, got {quote(suits)}")
        first, second = (seat.relabelled(suits) for seat in self.seats)
        foundations = tuple(self.foundations[suits.index(letter)] for letter in SUITS)
        return replace(self, foundations=foundations, seats=(first, second))

    def legal(self, seat: int) -> tuple[str, ...]:
        """The actions that a seat may choose in this tick, sorted; none when the game is over."""
        if self.finished:
            return ()
        own = self.seats[seat]
        tops = {f"s{number}-f": card for number, card in enumerate(own.slots, start=1)}
        tops["r-f"] = own.reserve[-1] if own.reserve else None
        placed = {action for action, card in tops.items() if card and self._fits(card)}
        found = set(placed)
        if own.discard and self._fits(own.discard[-1]):
            found.add("d-f")
        if not placed and (own.hand or own.discard):
            found.add("turn")
        if not own.reserve:
            found.add("stop")
        found.add("wait")
        return tuple(sorted(found))

    def play(self, first: str, second: str) -> TickPosition:
        """The position after a tick in which seat 0 chose `first` and seat 1 `second`.

        Raises:
            IllegalMove: one of them may not be chosen in this tick.
            HiddenCard: it would turn up a card that is ``??``.
        """
        chosen = (first, second)
        for seat, action in enumerate(chosen):
            legal = self.legal(seat)
            if action not in legal:
                wanted = f"one of {', '.join(legal)}" if legal else "no action, as the game is over,"
                raise IllegalMove(f"expected {wanted} of seat {seat}, got {quote(action)}")
        order = (self.tick % 2, 1 - self.tick % 2)
        now = self
        played = 0
        for seat in order:
            after = now._act(seat, chosen[seat])
            played += after.foundations != now.foundations
            now = after
        stoppers = [seat for seat in order if chosen[seat] == "stop"]
        stoppers += [seat for seat in order if not now.seats[seat].left]  # stops of itself if nobody called
        return replace(
            now,
            tick=self.tick + 1,
            stall=0 if played else self.stall + 1,
            stopper=stoppers[0] if stoppers else None,
        )

    def outcome(self) -> Outcome | None:
        """Who won and the points; None while the game goes on."""
        if not self.finished:
            return None
        made = totals(self.parts())
        best = 0 if made[0] > made[1] else 1
        ranking = ((0, 1),) if made[0] == made[1] else ((best,), (1 - best,))
        return Outcome("stall" if self.stopper is None else "stop", ranking, made)

    def ending(self) -> str:
        """How the game ended by its rules, as a sentence for people."""
        if self.stopper is None:
            how = f"Nobody played a card for {STALL_LIMIT} ticks"
        else:
            left = self.seats[self.stopper].left
            how = f"Seat {self.stopper} {'called stop' if left else 'played its last card'}"
        first, second = totals(self.parts())
        return f"{how}: {first} to {second} points."

    def parts(self) -> Parts:
        """What the points of both seats are made of (RULES 7)."""
        return tick_parts(self.left, self.completed, self.stopper)

    def parts_given_up(self, loser: int | None) -> Parts:
        """The same if a seat gives up: the other scores as if it had called stop, and the loser nothing, for
        here more points win."""
        if loser is None:
            return tick_parts(self.left, self.completed, None)
        made = tick_parts(self.left, self.completed, 1 - loser)
        return ((), made[1]) if loser == 0 else (made[0], ())

    def given_up(self, loser: int | None) -> Outcome:
        """The outcome if a seat gives up, or (None) if both agree to a draw."""
        self.check_seat(loser)
        return Outcome(GIVEN_UP, rank_seats(2, (), loser), totals(self.parts_given_up(loser)))

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` pairs of actions (RULES 8)."""
        if depth == 0:
            return 1
        pairs = [(first, second) for first in self.legal(0) for second in self.legal(1)]
        if depth == 1:
            return len(pairs)
        return sum(self.play(*pair).perft(depth - 1) for pair in pairs)

    def _fits(self, card: Card) -> bool:
        """Whether a foundation of its suit is due the card."""
        return value(card) - 1 in self.foundations[SUITS.index(card[1])]

    def _act(self, seat: int, action: str) -> TickPosition:
        """Carry one seat's action out; a card that no longer fits stays where it is."""
        own = self.seats[seat]
        if action == "turn":
            return self._with(seat, _turned(own))
        if not action.endswith("-f"):
            return self
        card, after = _taken(own, action[:-2])
        if not self._fits(card):
            return self
        suit = SUITS.index(card[1])
        heights = list(self.foundations[suit])
        heights[heights.index(value(card) - 1)] += 1
        foundations = (*self.foundations[:suit], tuple(heights), *self.foundations[suit + 1 :])
        done = value(card) == len(RANKS)
        completed = (self.completed[0] + (done and seat == 0), self.completed[1] + (done and seat == 1))
        return replace(self, foundations=foundations, completed=completed)._with(seat, after)

    def _with(self, seat: int, own: TickSeat) -> TickPosition:
        """The position with the piles of a seat replaced."""
        if UNKNOWN in (*own.reserve[-1:], *own.slots, *own.discard[-1:]):
            raise HiddenCard(
                f"expected an action of seat {seat} that turns up no unknown card, got one that does"
            )
        return replace(self, seats=(own, self.seats[1]) if seat == 0 else (self.seats[0], own))

    def _check(self) -> None:
        """What no position can be (RULES 1, 7)."""
        piles: list[Iterable[Card]] = []
        for seat, own in enumerate(self.seats):
            for name, pile in (("reserve", own.reserve), ("discard", own.discard)):
                if pile and pile[-1] == UNKNOWN:
                    raise NotationError(
                        f"expected a known card on top of the {name} of seat {seat}, got '??'"
                    )
            if UNKNOWN in own.slots:
                raise NotationError(f"expected known cards in the slots of seat {seat}, got '??'")
            if own.left > len(PACK):
                raise NotationError(
                    f"expected at most {len(PACK)} cards of seat {seat}, a pack, got {own.left}"
                )
            if own.reserve and not all(own.slots):
                raise NotationError(
                    f"expected no empty slot of seat {seat} beside its reserve, got {str(own)!r}"
                )
            if own.reserve and seat == self.stopper:
                raise NotationError(
                    f"expected an empty reserve of seat {seat}, which stopped, got {str(own)!r}"
                )
            if self.stopper is None and not own.left:
                raise NotationError(f"expected a stopper, as seat {seat} has no card left, got '.'")
            piles += [own.reserve, own.hand, own.discard, [card for card in own.slots if card]]
        notation.check_packs(2, RANKS, piles, self.foundations)


def _taken(own: TickSeat, source: str) -> tuple[Card, TickSeat]:
    """The card on top of a pile, and the seat without it; a slot is refilled from the reserve at once."""
    if source == "r":
        return own.reserve[-1], replace(own, reserve=own.reserve[:-1])
    if source == "d":
        return own.discard[-1], replace(own, discard=own.discard[:-1])
    place = int(source[1:]) - 1
    card = own.slots[place]
    if card is None:
        raise AssertionError("a legal action takes a card")
    filled = own.reserve[-1] if own.reserve else None
    slots = (*own.slots[:place], filled, *own.slots[place + 1 :])
    return card, replace(own, slots=slots, reserve=own.reserve[:-1])


def _turned(own: TickSeat) -> TickSeat:
    """The top of the hand on the discard; an empty hand is first renewed from it."""
    hand, discard = own.hand, own.discard
    if not hand:
        hand, discard = discard[::-1], ()
    return replace(own, hand=hand[:-1], discard=(*discard, hand[-1]))


def _seat(text: str, seat: int) -> TickSeat:
    parts = notation.split(text, "/", 4, f"piles of seat {seat}")
    slots = notation.split(parts[1], ",", SLOTS, f"slots of seat {seat}")
    return TickSeat(
        notation.pile_of(parts[0], f"the reserve of seat {seat}"),
        tuple(None if slot == "-" else notation.card_of(slot, f"a slot of seat {seat}") for slot in slots),
        notation.pile_of(parts[2], f"the hand of seat {seat}"),
        notation.pile_of(parts[3], f"the discard of seat {seat}"),
    )


def _tally(text: str) -> tuple[tuple[int, int], int | None]:
    parts = notation.split(text, "/", 2, "parts of the tally")
    completed = notation.split(parts[0], ",", 2, "numbers of completed foundations")
    if parts[1] not in {"0", "1", "."}:
        raise NotationError(f"expected the stopper as 0, 1 or ., got {quote(parts[1])}")
    first, second = (notation.whole_number(number, "completed foundations", 9999) for number in completed)
    return (first, second), None if parts[1] == "." else int(parts[1])
