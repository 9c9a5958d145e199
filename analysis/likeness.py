"""Measures how alike two bots play: both get the same questions, and their choices are compared.

The questions are positions of recorded games, the same for every bot. Those are taken where reasonable bots
differ: where the greedy bot and its relatives, and searches of a few and of many positions, begin in the most
different ways, and of equal ones where the search finds another beginning nearly as good. In other positions
every good bot plays alike. `vitesse` is left out because the best action is hardly ever in doubt: greedy and
planner chose the same one in all of 12 positions.

Each question is put three times, to fresh processes, and counts only if all chose the same move. So a
randomised bot is compared only where it is sure, and a copy of it with another seed is still recognised.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import engine
from analysis.values.seat_policies import TARGETS, ranks
from engine.policies.greedy import EMPTIES_HOUSE
from engine.policies.planner import search

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from engine.turns.core import Core

LEAST_CHOICE: Final = 4
"""A position needs at least this many legal moves to be asked about."""
THRESHOLD: Final = 0.9
LEAST_COMMON: Final = 24
"""A verdict needs at least this many questions that both have answered."""
APART: Final = 8
"""Plies of one game between two questions, at least."""
FEW_NODES, MOST_NODES = 24, 500
"""Positions that searches look at, for the question whether they begin alike."""
TIMES: Final = 3
"""How often each question is put, as long as the answers agree."""
CLOCK_MS: Final = 60_000
ENOUGH_ANSWERS: Final = 60
"""So many answers give a verdict, even about two bots that waver in different positions."""
CPU_MS, LONGEST_CPU_MS = 150_000, 600_000
"""CPU time for all questions to a bot, if it has so many answers, and in any case."""


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


def find_contested(start: str, events: Sequence[Mapping[str, Any]], count: int) -> list[int]:
    """The plies of a game (a full position and the events of its record) at which bots differ most, in order.

    There are at most `count`, and some plies between any two of them.
    """
    found = []
    for game in _decisions(engine.TurnGame(engine.TurnPosition.parse(start)), events):
        if len(game.legal_moves()) >= LEAST_CHOICE:
            found.append((_contest(game.core), game.ply))
    chosen: list[int] = []
    for _, ply in sorted(found, key=lambda one: (one[0], -one[1]), reverse=True):
        if len(chosen) < count and all(abs(ply - other) > APART for other in chosen):
            chosen.append(ply)
    return sorted(chosen)


def _contest(core: Core) -> tuple[int, float]:
    """How many ways to begin the known policies see here, and how good the best other beginning is."""
    few, many = (search(core, nodes).lines for nodes in (FEW_NODES, MOST_NODES))
    if not few:  # a turn of which so few positions see no end
        return 0, -math.inf
    best = max(many)
    begins = {int(core.ranked(ranks((name, name)), EMPTIES_HOUSE)) for name in TARGETS}
    begins |= {max(few).moves[0], best.moves[0]}
    others = [line.worth for line in many if line.moves[0] != best.moves[0]]
    return len(begins), max(others, default=-math.inf) - best.worth


def probes_of(start: str, events: Sequence[Mapping[str, Any]], plies: Container[int]) -> list[Probe]:
    """The questions at these plies of a game: its start (a full position) and the events of its record."""
    begun, found = engine.TurnPosition.parse(start), list[Probe]()
    public = str(begun.public())
    for game in _decisions(engine.TurnGame(begun), events):
        if game.ply in plies:
            question = {
                "kind": "move",
                "ply": game.ply,
                "clocks": [CLOCK_MS] * begun.players,
                "position": str(game.position.public()),
                "events": [event.as_dict() for event in game.history],
                "legal": list(game.legal_moves()),
                "start": public,
            }
            found.append(Probe(begun.variant, game.turn, question))
    return found


def _decisions(game: engine.TurnGame, events: Sequence[Mapping[str, Any]]) -> Iterator[engine.TurnGame]:
    """The game before each of its moves."""
    for event in events:
        if event["type"] == "move":
            yield game
            game.push(event["move"])
        elif event["type"] == "stop":
            game.stop()


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


class Budget:
    """How long a bot is asked, by the CPU time it used: just as long on a busy machine as on an idle one."""

    def __init__(self) -> None:
        self.used_ms = 0

    def spend(self, cpu_ms: int) -> None:
        """Count an answer."""
        self.used_ms += cpu_ms

    def is_spent(self, answered: int) -> bool:
        """Whether to stop. A bot with too few answers for a verdict is asked for longer."""
        return self.used_ms >= (CPU_MS if answered >= ENOUGH_ANSWERS else LONGEST_CPU_MS)


def steady_choice(answers: Sequence[str]) -> str:
    """The choice a bot made every time it was asked; empty if it wavered or was not asked often enough."""
    return answers[0] if len(answers) == TIMES and len(set(answers)) == 1 else ""


def likeness(one: Mapping[str, str], other: Mapping[str, str]) -> Likeness:
    """How alike two sets of answers (choices by question key) are."""
    common = one.keys() & other.keys()
    return Likeness(sum(one[key] == other[key] for key in common), len(common))
