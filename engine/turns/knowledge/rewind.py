"""The position from before some events: what a bot that joins late needs to remember from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import SUITS
from engine.errors import EngineError, quote
from engine.turns.position import TurnPosition
from engine.turns.position_parts import Counters, SeatPiles, Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cards import Card
    from engine.turns.events import Event

LAYING = "lay3.2"
"""The phase that a deal with a laying phase begins with (RULES 6)."""


def rewind(position: TurnPosition, events: Sequence[Event]) -> TurnPosition:
    """The position before the events that led to `position`; cards that are ``??`` stay unknown.

    It works on full positions and on public lines. No event says what phase and counters came before the
    first of them: they are taken to be those of a deal.

    Args:
        position: the position after the last event.
        events: in the order in which they happened.

    Raises:
        EngineError: the events cannot have led to the position.

    >>> from engine.turns.game import TurnGame
    >>> game = TurnGame.deal("crapette", "00" * 32)
    >>> for word in "draw h-r1 draw h-t6".split():
    ...     event = game.push(word)
    >>> rewind(game.position, game.history) == game.start
    True
    """
    if not events:
        return position
    table = _Table(position)
    for event in reversed(events):
        try:
            table.take_back(event)
        except (LookupError, ValueError):
            raise EngineError(
                f"expected events that led to the position, got {quote(event.as_dict())}"
            ) from None
    first = events[0]
    turn = first.seat if first.type == "move" else 1 - first.seat
    return table.position(turn, _phase(position, events))


def _phase(position: TurnPosition, events: Sequence[Event]) -> str:
    """The phase before the first event."""
    if all(event.phase is None for event in events):
        return position.phase
    return LAYING if position.rules.laying else "play"


class _Table:
    """A position as lists, to take events back from."""

    def __init__(self, position: TurnPosition):
        self._now = position
        self._piles: dict[str, list[Card]] = {"x": [position.drawn] if position.drawn else []}
        for number, house in enumerate(position.houses, start=1):
            self._piles[f"t{number}"] = list(house)
        for seat, piles in enumerate(position.seats):
            for letter, pile in zip("rhd", piles.piles, strict=True):
                self._piles[f"{letter}{seat}"] = list(pile)
        self._heights = [list(suit) for suit in position.foundations]
        tally = position.tally
        self._completed, self._emptied, self._out = (
            list(each) for each in (tally.completed, tally.emptied, tally.out)
        )

    def take_back(self, event: Event) -> None:
        """Undo one event. Raises LookupError, ValueError where it does not fit."""
        if event.out is not None:
            self._out.remove(event.out)
        if event.completed is not None:
            self._completed[event.seat] -= 1
        if event.card is None or event.source is None or event.target is None:
            return
        if event.target[0] == "f":
            self._heights[SUITS.index(event.target[1])][int(event.target[2])] -= 1
        else:
            self._piles[event.target].pop()
        source = self._piles[event.source]
        if event.source[0] == "r" and not source:
            self._emptied.remove(int(event.source[1]))
        source.append(event.card)
        if event.flip is not None:
            self._piles[f"d{event.flip}"] = source[::-1]
            source.clear()

    def position(self, turn: int, phase: str) -> TurnPosition:
        """What stands on the table now."""
        now, piles = self._now, self._piles
        return TurnPosition(
            variant=now.variant,
            turn=turn,
            phase=phase,
            drawn=piles["x"][-1] if piles["x"] else None,
            houses=tuple(tuple(piles[f"t{number}"]) for number in range(1, len(now.houses) + 1)),
            foundations=tuple(map(tuple, self._heights)),
            seats=tuple(
                SeatPiles(*(tuple(piles[f"{letter}{seat}"]) for letter in "rhd"))
                for seat in range(now.players)
            ),
            counters=Counters(),
            tally=Tally(tuple(self._completed), tuple(self._emptied), tuple(self._out)),
        )
