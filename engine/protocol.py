"""What every game can do, whether its seats take turns or act at once: its positions, and a game in progress.

`engine.turns` and `engine.ticks` implement it. A *word* is what a record holds of a step: a move such as
``t8-f``, or ``stop``, where seats take turns; in a game of ticks both actions joined by a comma.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Self

from engine.errors import EngineError, IllegalMove, NotationError, Unfinished, UnknownVariant, quote
from engine.observation import Observation
from engine.variants import variant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from engine.points.outcome import Outcome
    from engine.points.sheet import Parts
    from engine.variants import Variant


@dataclass(frozen=True, slots=True)
class GameKind:
    """One of the two kinds of game: how it is dealt, and the classes of its positions, games and trackers."""

    deal: Callable[..., Position]
    position: type[Position]
    game: type[Game]
    tracker: Callable[[Any], SeenCards]


class SeenCards(Protocol):
    """Remembers the cards turned up in a game (`engine.turns.Tracker`, `engine.ticks.TickTracker`)."""

    def see(self, event: Any, /) -> None:
        """Take in the next event."""

    def known(self, position: Any, /) -> Position:
        """The public position that the events led to, with every card that was seen in its place."""


@cache
def kind_of(rules: Variant) -> GameKind:
    """The kind of a variant's game. It is imported when it is first needed: a bot pays for what it plays."""
    found: GameKind = import_module(".ticks" if rules.in_ticks else ".turns", __package__).KIND
    return found


def deal(name: str | Variant, seed: str | bytes, players: int = 2) -> Position:
    """The position at the start of a game (RULES 2).

    Args:
        name: a variant or its name.
        seed: 64 hex digits, or 32 bytes; any other text stands for its SHA-256.
        players: how many seats, as the variant allows.

    Raises:
        UnknownVariant: there is no such variant, or it is not for this number of players.
        NotationError: not such a seed.

    >>> deal("crapaud", "00" * 32).variant, deal("vitesse", "00" * 32).variant
    ('crapaud', 'vitesse')
    """
    rules = variant(str(name))
    rules.check_players(players)
    return kind_of(rules).deal(rules, seed, players)


class Position(ABC):
    """A position of any game as a value: hashable, equal when the lines are equal.

    `Position.parse` reads a line, ``str(position)`` writes it back.

    >>> Position.parse(str(deal("vitesse", "00" * 32))) == deal("vitesse", "00" * 32)
    True
    """

    __slots__ = ()
    variant: str
    """The variant's name."""

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read a line of RULES 1 or of RULES 7, and check what those sections call bad input.

        Raises:
            NotationError: it is no position; the message says what was expected and what was found.
            UnknownVariant: the variant is unknown, not for this number of seats, or of the other kind.
        """
        if not isinstance(line, str):
            raise NotationError(f"expected a position as a line of text, got {quote(line)}")
        return cls._of_kind(kind_of(variant(line.partition(" ")[0])).position.read(line))

    @classmethod
    def deal(cls, name: str | Variant, seed: str | bytes, players: int = 2) -> Self:
        """The position at the start of a game, as `deal`; of a kind, the same with its type."""
        return cls._of_kind(deal(name, seed, players))

    @classmethod
    def _of_kind(cls, found: Position) -> Self:
        """The position, if it is of this class."""
        if not isinstance(found, cls):
            raise UnknownVariant(f"expected a variant of {cls.__name__}, got {quote(found.variant)}")
        return found

    @classmethod
    @abstractmethod
    def read(cls, line: str) -> Self:
        """`parse` for the lines of a kind."""

    @property
    @abstractmethod
    def rules(self) -> Variant:
        """The variant as data."""

    @property
    @abstractmethod
    def players(self) -> int:
        """How many seats."""

    @property
    @abstractmethod
    def acting(self) -> tuple[int, ...]:
        """The seats that act next: the one to move, or both in a game in ticks; none once it is over."""

    @property
    @abstractmethod
    def left(self) -> tuple[int, ...]:
        """How many cards each seat still has; a card in the air is the mover's."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def public(self) -> Self:
        """What every seat and spectator sees: hands and cards below tops are ``??`` (RULES 1)."""

    @abstractmethod
    def relabelled(self, suits: str) -> Self:
        """The same position with S, H, D, C renamed to these letters. Raises ValueError if they are not."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Who won and the points; None while the game goes on."""

    @abstractmethod
    def ending(self) -> str:
        """How the game ended by its rules, as a sentence for people."""

    @abstractmethod
    def parts(self) -> Parts:
        """What makes up the points of both seats in a two-seat game that has ended here."""

    @abstractmethod
    def parts_given_up(self, loser: int | None) -> Parts:
        """The same if `loser` gives up here, or if both agree to a draw (None)."""

    def check_seat(self, seat: int | None) -> None:
        """Raise IllegalMove unless it is a seat of this position, or None."""
        if seat is None or (type(seat) is int and 0 <= seat < self.players):
            return
        raise IllegalMove(f"expected a seat from 0 to {self.players - 1}, got {quote(seat)}")

    @abstractmethod
    def given_up(self, loser: int | None) -> Outcome:
        """The outcome if a seat gives up here: it is last, and scored as the loser of this position.

        RULES.md scores only games that are played to their end, so this is a ruling: giving up is never
        cheaper than what was still on the table. With None the seats agree to a draw.
        """


def tracker(start: Position) -> SeenCards:
    """A tracker that remembers every card turned up in a game from this position on.

    >>> game = Game.deal("vitesse", "00" * 32)
    >>> seen = tracker(game.start.public())
    >>> seen.see(game.apply("s2-f,turn"))
    >>> seen.known(game.position.public()) == game.position.public()
    True
    """
    return kind_of(start.rules).tracker(start)


def outcome(position: Position) -> Outcome | None:
    """The outcome of a position, None while the game goes on.

    >>> outcome(deal("crapaud", "00" * 32)) is None
    True
    """
    return position.outcome()


def score(position: Position) -> Outcome:
    """The outcome of a finished position.

    Raises:
        Unfinished: the game goes on.
    """
    found = position.outcome()
    if found is None:
        acting = " and ".join(map(str, position.acting))
        raise Unfinished(f"expected a finished position, got one with seat {acting} to act")
    return found


class Game(ABC):
    """A game in progress from a position on. `Game.deal` and `Game.of` start one of the right kind.

    >>> Game.deal("vitesse", "00" * 32).acting, Game.deal("crapaud", "00" * 32).acting
    ((0, 1), (1,))
    >>> game = Game.of(deal("crapaud", "00" * 32))
    >>> game.apply("t6-f").as_dict()["card"]
    'AD'
    """

    variant: Variant
    players: int
    start: Any
    """The position it started from."""

    def __new__(cls, position: Any) -> Self:
        """A game of the same kind as the position, even if `Game` itself is called."""
        if not isinstance(position, Position):
            raise NotationError(f"expected a Position, got {quote(position)}: Position.parse reads a line")
        found = kind_of(position.rules).game
        if issubclass(cls, found):  # one's own kind of it
            return object.__new__(cls)
        if not issubclass(found, cls):
            raise UnknownVariant(f"expected a variant of {cls.__name__}, got {quote(position.variant)}")
        return object.__new__(found)

    def __getnewargs__(self) -> tuple[Any]:
        """What `__new__` needs where a game is copied or pickled."""
        return (self.start,)

    def __init__(self, position: Any) -> None:
        """Start from a position."""
        self.variant, self.players, self.start = position.rules, position.players, position

    @classmethod
    def of(cls, position: Position) -> Self:
        """A game from a position on.

        Raises:
            UnknownVariant: the position is of the other kind.
        """
        return cls(position)

    @classmethod
    def deal(cls, name: str | Variant, seed: str | bytes, players: int = 2) -> Self:
        """A game from its deal (RULES 2).

        Raises:
            UnknownVariant, NotationError: as `deal`.
        """
        return cls.of(deal(name, seed, players))

    @classmethod
    def replay(cls, start: Position, words: Iterable[str]) -> Replay:
        """`play` from a position: the valid part of a broken list, and the place where it breaks."""
        return cls.of(start).play(words)

    @property
    @abstractmethod
    def position(self) -> Any:
        """The position now, as a value."""

    @property
    @abstractmethod
    def acting(self) -> tuple[int, ...]:
        """The seats that act next, as `Position.acting`."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """The number of moves made, or ticks played; calls of stop do not count."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """The number of turns that have ended; in a game in ticks, the number of ticks."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether the game is over."""

    @property
    @abstractmethod
    def history(self) -> tuple[Any, ...]:
        """What has happened since the start."""

    @abstractmethod
    def options(self, seat: int) -> tuple[str, ...]:
        """What a seat may choose now, sorted; empty if it does not act now."""

    @abstractmethod
    def words(self) -> tuple[str, ...]:
        """Every word that `apply` accepts now, including calls of stop."""

    @abstractmethod
    def listing(self) -> str:
        """The options of all seats that act as RULES 8 writes them; irregular moves end in ``!``."""

    @abstractmethod
    def apply(self, word: str) -> Any:
        """Carry out a word of a record; return the event that everybody saw.

        Raises:
            IllegalMove, NotationError: the game does not allow it now; nothing has changed.
            HiddenCard: it would turn up a card that is ``??`` here.
        """

    @abstractmethod
    def pop(self) -> None:
        """Take back the last word. Raises IllegalMove: there is none."""

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy; it keeps the history."""

    def __copy__(self) -> Self:
        """`clone`."""
        return self.clone()

    def __deepcopy__(self, _memo: object) -> Self:
        """`clone`."""
        return self.clone()

    @abstractmethod
    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` steps from here, without stop calls (RULES 8)."""

    def outcome(self) -> Outcome | None:
        """Who won and the points; None while the game goes on."""
        found: Outcome | None = self.position.outcome() if self.finished else None
        return found

    def observation(self, seat: int) -> Observation:
        """What a seat may know: the public line and the events.

        Raises:
            IllegalMove: there is no such seat.
        """
        if type(seat) is not int or not 0 <= seat < self.players:
            raise IllegalMove(f"expected a seat from 0 to {self.players - 1}, got {quote(seat)}")
        return Observation(seat, self.start.public(), self.position.public(), self.history)

    def play(self, words: Iterable[str]) -> Replay:
        """Play a list of words as far as it is valid.

        >>> replay = Game.deal("crapette-it", "00" * 32).play(["draw", "h-t1", "pass"])
        >>> replay.played, str(replay.error)
        (2, "expected one of draw, got 'pass'")
        """
        if not hasattr(words, "__iter__"):
            raise NotationError(f"expected a list of words, got {quote(words)}")
        played = 0
        for word in words:
            try:
                self.apply(word)
            except EngineError as error:
                return Replay(self, played, error)
            played += 1
        return Replay(self, played, None)


@dataclass(frozen=True, slots=True)
class Replay:
    """A list of words played as far as it is valid."""

    game: Any
    """The game after the valid part."""
    played: int
    """How many words of the list were valid; the next one, if any, was not."""
    error: EngineError | None
    """Why the next one was not valid."""


def words_of(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """The words of events as JSON: moves, calls of stop and ticks; other events of a record are left out.

    >>> words_of([{"type": "move", "move": "t1-f"}, {"type": "tick", "actions": ["wait", "stop"]}])
    ['t1-f', 'wait,stop']
    """
    return [
        event["move"] if "move" in event else ",".join(event["actions"])
        for event in events
        if event["type"] in {"move", "stop", "tick"}
    ]
