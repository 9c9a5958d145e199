"""What happened in each tick, as everyone saw it (RULES 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.cards import RANKS, SUITS, Card, value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.ticks.position import TickPosition, TickSeat


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """What became of one seat's action in a tick, with nothing in it that the other may not know."""

    seat: int
    move: str
    """The action, as RULES 7 names it; never ``wait``."""
    card: Card | None = None
    """The card that moved, or that came too late to move."""
    source: str | None = None
    """``r0``, ``h0`` or ``d0`` as in `events.Event`, or a slot, ``s0.1`` to ``s1.4``."""
    target: str | None = None
    """``d0``, or a foundation, ``fS0``; for a card that came too late the one that it was meant for."""
    missed: bool = False
    """Whether the other came first, so that the card stays where it was."""
    refill: Card | None = None
    """The card of the reserve that filled the slot."""
    reveal: tuple[str, Card] | None = None
    """The reserve or discard whose next card is now on top, and that card."""
    completed: str | None = None
    """The foundation that got its king."""
    flip: int | None = None
    """The seat whose discard was first turned over to become its hand."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON: what does not apply is absent, except card, from and to."""
        found: dict[str, Any] = {
            "seat": self.seat,
            "move": self.move,
            "card": self.card,
            "from": self.source,
            "to": self.target,
        }
        for key in ("refill", "completed", "flip"):
            said = getattr(self, key)
            if said is not None:
                found[key] = said
        if self.missed:
            found["missed"] = True
        if self.reveal is not None:
            found["reveal"] = list(self.reveal)
        return found

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> ActionOutcome:
        """Read what `as_dict` made."""
        reveal = found.get("reveal")
        return cls(
            seat=found["seat"],
            move=found["move"],
            card=found["card"],
            source=found["from"],
            target=found["to"],
            missed=found.get("missed", False),
            refill=found.get("refill"),
            reveal=(reveal[0], reveal[1]) if reveal else None,
            completed=found.get("completed"),
            flip=found.get("flip"),
        )


@dataclass(frozen=True, slots=True)
class Tick:
    """What happened in one tick."""

    tick: int
    """Its number."""
    actions: tuple[str, str]
    """What each seat chose, by seat."""
    done: tuple[ActionOutcome, ...]
    """What became of it in order of priority; a seat that waited is not in it."""
    stall: int
    """Ticks without a card played, after it."""
    stopper: int | None
    """Who ended the game by it."""

    def as_dict(self) -> dict[str, Any]:
        """As JSON.

        >>> from engine.protocol import Game
        >>> Game.deal("vitesse", "00" * 32).push("s2-f", "wait").as_dict()["done"][0]["refill"]
        '4H'
        """
        return {
            "type": "tick",
            "tick": self.tick,
            "actions": list(self.actions),
            "done": [each.as_dict() for each in self.done],
            "stall": self.stall,
            "stopper": self.stopper,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Tick:
        """The tick of a JSON object as `as_dict` makes it; further keys are left aside."""
        first, second = found["actions"]
        done = tuple(map(ActionOutcome.from_dict, found["done"]))
        return cls(found["tick"], (first, second), done, found["stall"], found["stopper"])


def describe_tick(before: TickPosition, actions: tuple[str, str], after: TickPosition) -> Tick:
    """What everyone saw of a tick, given the positions before and after it."""
    heights = [list(suit) for suit in before.foundations]
    order = (before.tick % 2, 1 - before.tick % 2)
    done = tuple(
        _done(seat, actions[seat], before.seats[seat], after.seats[seat], heights)
        for seat in order
        if actions[seat] != "wait"
    )
    return Tick(before.tick, actions, done, after.stall, after.stopper)


def _done(seat: int, action: str, own: TickSeat, after: TickSeat, heights: list[list[int]]) -> ActionOutcome:
    """What became of one seat's action; `heights` is brought to where it left the foundations."""
    if action == "stop":
        return ActionOutcome(seat, action)
    if action == "turn":
        flip = None if own.hand else seat
        return ActionOutcome(seat, action, after.discard[-1], f"h{seat}", f"d{seat}", flip=flip)
    source, card, below = _taken(seat, action[:-2], own)
    suit = SUITS.index(card[1])
    due = heights[suit]
    missed = after == own
    index = _place(due, card)
    target = f"f{card[1]}{index}"
    if missed:
        return ActionOutcome(seat, action, card, source, target, missed=True)
    due[index] += 1
    refill = after.slots[int(source[-1]) - 1] if source[0] == "s" else None
    pile = source if source[0] == "d" else f"r{seat}"
    return ActionOutcome(
        seat,
        action,
        card,
        source,
        target,
        refill=refill,
        reveal=(pile, below) if below else None,
        completed=target if due[index] == len(RANKS) else None,
    )


def _taken(seat: int, pile: str, own: TickSeat) -> tuple[str, Card, Card | None]:
    """Where the card of an action lies, the card, and the one that lies open once it is gone."""
    if pile[0] == "s":
        card = own.slots[int(pile[1]) - 1]
        if card is None:
            raise AssertionError("a legal action takes a card")
        return f"s{seat}.{pile[1]}", card, own.reserve[-2] if len(own.reserve) > 1 else None
    cards = own.reserve if pile == "r" else own.discard
    return f"{pile}{seat}", cards[-1], cards[-2] if len(cards) > 1 else None


def _place(heights: list[int], card: Card) -> int:
    """Which foundation of its suit a card goes to; if none is due it any more, the one it was meant for."""
    rank = value(card)
    return heights.index(rank - 1 if rank - 1 in heights else rank)
