"""The piles of a position by the names that records use, and what events do to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SUITS: Final = "SHDC"

Piles = dict[str, list[str]]


def piles_of(start: str) -> Piles:
    """The piles of a position line by the names that records use, cards bottom first.

    >>> line = str(engine.deal("crapo", "0" * 64))
    >>> piles = piles_of(line)
    >>> sorted(name for name in piles if name[0] in "dr"), len(piles["h0"])
    (['d0', 'd1', 'r0', 'r1'], 48)
    """
    position: Any = engine.Position.parse(start)
    ranks = engine.variant(position.variant).ranks
    piles: Piles = {"x": []}
    for suit, heights in zip(SUITS, position.foundations, strict=True):
        for index, height in enumerate(heights):
            piles[f"f{suit}{index}"] = [f"{rank}{suit}" for rank in ranks[:height]]
    for seat, own in enumerate(position.seats):
        piles |= {f"r{seat}": list(own.reserve), f"h{seat}": list(own.hand), f"d{seat}": list(own.discard)}
        for slot, card in enumerate(getattr(own, "slots", ()), start=1):
            piles[f"s{seat}.{slot}"] = [card] if card else []
    for number, house in enumerate(getattr(position, "houses", ()), start=1):
        piles[f"t{number}"] = list(house)
    return piles


def carry_out(piles: Piles, events: Iterable[Mapping[str, Any]]) -> None:
    """Move the cards of `piles` as recorded events say, which need no rules: of turns, or of ticks."""
    for event in events:
        for step in event.get("done", (event,)):
            if step.get("missed"):
                continue
            if step.get("flip") is not None:
                seat = step["flip"]
                piles[f"h{seat}"], piles[f"d{seat}"] = piles[f"d{seat}"][::-1], []
            if step.get("from") and step.get("to"):
                piles[step["from"]].pop()
                piles[step["to"]].append(step["card"])
            if step.get("refill"):
                piles[f"r{step['seat']}"].pop()
                piles[step["from"]].append(step["refill"])
            if step.get("reveal"):
                pile, card = step["reveal"]
                piles[pile][-1] = card
