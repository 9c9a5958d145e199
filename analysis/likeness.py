"""Measures how alike two bots play: both get the same questions, and their choices are compared.

The questions are positions of recorded games, the same for every bot. Only positions with a real choice are
used, spread evenly over each game: in all others every bot plays alike. `vitesse` is left out because the
best action is hardly ever in doubt: greedy and planner chose the same one in all of 12 positions.

Each question is put twice, to two fresh processes, and counts only if both chose the same move. So a
randomised bot is compared only where it is sure, and a copy of it with another seed is still recognised.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_CHOICE: Final = 4
"""A position needs at least this many legal moves to be asked about."""
THRESHOLD: Final = 0.9
LEAST_COMMON: Final = 24
"""A verdict needs at least this many questions that both have answered."""
TIMES: Final = 2
"""How often each question is put."""
CLOCK_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Probe:
    """A position of a recorded game, put to a bot as if it joined the game there in ``seat``.

    ``question`` are the fields of `friendlies.opponent.process.Question`.
    """

    variant: str
    seat: int
    question: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """The JSON object that the probing process reads."""
        return asdict(self)


def probes_of(start: str, events: Sequence[Mapping[str, Any]], count: int) -> list[Probe]:
    """At most `count` questions from a game's start (a full position) and the events of its record."""
    found = _probes(engine.TurnPosition.parse(start), events)
    if len(found) <= count:
        return found
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]


def _probes(start: engine.TurnPosition, events: Sequence[Mapping[str, Any]]) -> list[Probe]:
    game, told, found = engine.TurnGame(start), list[dict[str, Any]](), list[Probe]()
    public = str(start.public())
    for event in events:
        if event["type"] not in {"move", "stop"}:
            continue
        legal = game.legal_moves()
        if event["type"] == "move" and len(legal) >= LEAST_CHOICE:
            question = {
                "kind": "move",
                "ply": game.ply,
                "clocks": [CLOCK_MS] * start.players,
                "position": str(game.position.public()),
                "events": list(told),
                "legal": list(legal),
                "start": public,
            }
            found.append(Probe(start.variant, game.turn, question))
        happened = game.stop() if event["type"] == "stop" else game.push(event["move"])
        told.append(happened.as_dict())
    return found


@dataclass(frozen=True, slots=True)
class Likeness:
    """How many of their common questions two versions answered alike."""

    same: int
    common: int

    @property
    def share(self) -> float:
        """The share answered alike; 0 if they have no question in common."""
        return self.same / self.common if self.common else 0.0

    @property
    def near_twins(self) -> bool:
        """Whether the two count as one bot."""
        return self.common >= LEAST_COMMON and self.share >= THRESHOLD


def settled(answers: Sequence[str]) -> str:
    """The choice a bot made every time it was asked; empty if it wavered or was not asked often enough."""
    return answers[0] if len(answers) == TIMES and len(set(answers)) == 1 else ""


def likeness(one: Mapping[str, str], other: Mapping[str, str]) -> Likeness:
    """How alike two sets of answers (choices by question key) are."""
    common = one.keys() & other.keys()
    return Likeness(sum(one[key] == other[key] for key in common), len(common))
