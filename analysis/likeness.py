"""How alike two bots play: the same questions put to both, and how often they choose the same.

The questions are positions of recorded games, for everyone the same. Only positions with a real choice are
taken, spread evenly over each game: in the others all bots play alike. `vitesse` is left out, since what to
do in a tick is hardly ever in doubt: greedy and planner choose the same in all of 12 positions.

Every question is put twice, to two fresh processes, and counts only if both chose the same: so a bot that
draws its guesses by lot is compared where its mind is made up, and a copy with another seed is found out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST_CHOICE: Final = 4
"""Legal moves of a position that is asked about."""
THRESHOLD: Final = 0.9
LEAST_COMMON: Final = 24
"""Questions that both have answered, for a verdict."""
TIMES: Final = 2
"""How often each question is put."""
CLOCK_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Probe:
    """A question of a recorded game, put to a bot as if it joined there in ``seat``.

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
    """How many of so many common questions two answered alike."""

    same: int
    common: int

    @property
    def share(self) -> float:
        """The part answered alike; 0 if nothing was asked of both."""
        return self.same / self.common if self.common else 0.0

    @property
    def near_twins(self) -> bool:
        """Whether the two are taken for one bot."""
        return self.common >= LEAST_COMMON and self.share >= THRESHOLD


def settled(answers: Sequence[str]) -> str:
    """What a bot chose each time it was asked; empty if it wavered, or was not asked often enough."""
    return answers[0] if len(answers) == TIMES and len(set(answers)) == 1 else ""


def likeness(one: Mapping[str, str], other: Mapping[str, str]) -> Likeness:
    """How alike two sets of answers are, by the question's key."""
    common = one.keys() & other.keys()
    return Likeness(sum(one[key] == other[key] for key in common), len(common))
