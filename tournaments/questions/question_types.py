"""What can be asked: each kind of question with its arguments and the version of the function that answers.

A new version is a new question: what an older one answered is not read any more, and goes with its age.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from analysis import values
from analysis.event_log import canonical
from analysis.ratings import inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from analysis.questions.whatif import Asked
    from tournaments.models import Game

    Arguments = Mapping[str, Any]

BRANCH_VERSION: Final = 3
MISTAKES_VERSION: Final = 5
VALUES_VERSION: Final = 4
PERFORMANCE_VERSION: Final = 1
DATASET_VERSION: Final = 1
RATINGS_VERSION: Final = 1
DEEP_VERSION: Final = 3
PASSAGE_VERSION: Final = 2
"""Versions of the searches and of the form of their answers; of the value functions there is one more."""

FOR_PEOPLE: Final = 0
FOR_SHARING: Final = 8
FOR_PAGES: Final = 9
FOR_THE_ARENA: Final = 10
WHEN_IDLE: Final = 11
FOR_DEPTH: Final = 20
"""Ranks: what a person asked for, pictures that somebody will share, figures that pages are shown without
meanwhile, luck that is subtracted from results, luck that is only shown, and games judged by oracle, which
have a worker of their own."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of some `kind`; two with equal arguments and version are the same one."""

    kind: str
    arguments: Mapping[str, Any]
    version: int
    rank: int = FOR_PEOPLE

    @property
    def key(self) -> str:
        """SHA-256 of all that the answer depends on."""
        return hashlib.sha256(canonical([self.kind, self.arguments, self.version])).hexdigest()


def branch(game: Game, asked: Asked) -> Question:
    """A finished game played on."""
    return Question("branch", {"game": str(game.pk), **asked.as_dict()}, BRANCH_VERSION)


def mistakes(game: Game) -> Question:
    """Where the planner would have done clearly better."""
    return Question("mistakes", {"game": str(game.pk)}, with_values(MISTAKES_VERSION))


def deep(game: Game) -> Question:
    """A finished game as oracle judges it."""
    return Question("deep", {"game": str(game.pk)}, DEEP_VERSION, FOR_DEPTH)


def passage(game: Game, first: int, last: int, names: Sequence[str]) -> Question:
    """An animated picture of a game from after one ply until after another, with these names of its
    seats."""
    asked = {"game": str(game.pk), "first": first, "last": last, "names": list(names)}
    return Question("passage", asked, PASSAGE_VERSION, FOR_SHARING)


def expected_question(game: Game) -> Question:
    """The expected result after every event of a game."""
    return Question("values", {"game": str(game.pk)}, with_values(VALUES_VERSION))


def luck(pair: int, rank: int = FOR_THE_ARENA) -> Question:
    """The luck of the finished games of a pair, kept as their `GameLuck`."""
    return Question("luck", {"pair": pair}, values.VERSION, rank)


def performance(tournament: int) -> Question:
    """How well each entrant did in an event so far; asked again when pairs were played since."""
    return Question("performance", {"tournament": tournament}, PERFORMANCE_VERSION, FOR_PAGES)


def ratings(of: inputs.FitInputs) -> Question:
    """The ratings that follow from these results, which the question carries: they may have changed since."""
    return Question("ratings", {"inputs": base64.b85encode(inputs.pack(of)).decode()}, RATINGS_VERSION)


def rated_results(arguments: Mapping[str, Any]) -> inputs.FitInputs:
    """The results that `ratings` asks about."""
    return inputs.unpack(base64.b85decode(arguments["inputs"]))


def dataset(name: str) -> Question:
    """A file of public data, kept as `Dataset`."""
    return Question("dataset", {"name": name}, DATASET_VERSION, FOR_THE_ARENA)


def with_values(version: int) -> int:
    """A version that changes with the function's own and with the value functions'."""
    return 1000 * values.VERSION + version


class Gone(Exception):
    """What was asked about has changed or is no longer there."""


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """How a kind of question is answered, and after how many seconds nobody should wait for it any more.

    The answer is JSON; None says that it is kept elsewhere. `tell` is called once it is stored. One that
    `reports` is also given a function to be told what share of the work is done, from 0 to 1. If several
    are answered `together`, `answer` takes the arguments of each and keeps the answers elsewhere.
    """

    answer: Callable[..., Any | None]
    seconds: float
    tell: Callable[[Arguments], None] | None = None
    reports: bool = False
    together: bool = False
