"""What happened on the table, as everyone saw it: one event for a ply or a call of stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.cards import Card


@dataclass(frozen=True, slots=True)
class Event:
    """A ply or a call of stop, with nothing in it that a seat may not know.

    Piles are absolute: ``t1``…, ``r0`` a reserve, ``d0`` a discard, ``h0`` a hand, ``x`` the drawn card in
    the air, ``fS0`` a foundation by suit and place (highest first).
    """

    type: str
    """``move`` or ``stop``."""
    seat: int
    """The mover, or the caller of a stop."""
    move: str
    """As RULES 1 writes it; ``stop`` for a call."""
    turn: int
    """The seat to move after it."""
    turn_number: int
    """Turns ended after it, from 0 at the start."""
    counters: str
    """``idle,stall,passes,mute,last`` after it, the last mark as ``?`` (RULES 6)."""
    card: Card | None = None
    """The card that moved or was drawn."""
    source: str | None = None
    target: str | None = None
    flip: int | None = None
    """The seat whose discard was first turned over to become its hand."""
    reveal: tuple[str, Card] | None = None
    """The reserve or discard whose next card is now on top, and that card."""
    completed: str | None = None
    """The foundation that got its last card."""
    out: int | None = None
    """The seat that went out."""
    phase: str | None = None
    """The phase after it, if it changed."""

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Event:
        """The event of a JSON object as `as_dict` makes it; further keys are left aside.

        >>> event = Event("move", 0, "r-t1", 0, 2, "0,2,0,.,.", "4S", "r0", "t1", reveal=("r0", "QD"))
        >>> Event.from_dict(event.as_dict()) == event
        True
        """
        reveal = found.get("reveal")
        return cls(
            type=found["type"],
            seat=found["seat"],
            move=found["move"],
            turn=found["turn"],
            turn_number=found["turn_number"],
            counters=found["counters"],
            card=found["card"],
            source=found["from"],
            target=found["to"],
            flip=found.get("flip"),
            reveal=(reveal[0], reveal[1]) if reveal else None,
            completed=found.get("completed"),
            out=found.get("out"),
            phase=found.get("phase"),
        )

    def as_dict(self) -> dict[str, object]:
        """The event as JSON: what does not apply is absent, except card, from and to.

        >>> Event("move", 0, "pass", 1, 3, "0,4,1,.,.").as_dict()["to"] is None
        True
        """
        found: dict[str, object] = {
            "type": self.type,
            "seat": self.seat,
            "move": self.move,
            "card": self.card,
            "from": self.source,
            "to": self.target,
        }
        for key, value in (("flip", self.flip), ("completed", self.completed), ("out", self.out)):
            if value is not None:
                found[key] = value
        if self.reveal is not None:
            found["reveal"] = list(self.reveal)
        found["turn"] = self.turn
        found["turn_number"] = self.turn_number
        if self.phase is not None:
            found["phase"] = self.phase
        found["counters"] = self.counters
        return found
