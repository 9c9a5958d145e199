"""The games as data (RULES, table at the top): nothing here is code that plays; the core reads it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.cards import COURT_KJQ, RANKS
from engine.errors import UnknownVariant, quote

if TYPE_CHECKING:
    from collections.abc import Mapping


class Build(IntEnum):
    """How the houses build down (RULES 4, 5)."""

    COLOURS = 0  # alternating colours
    COLOURS_TO_TWO = 1  # the same, but an ace is never built (crapo)
    SUIT = 2  # in the same suit (crapette)


class Draw(IntEnum):
    """When `draw` is legal in play, besides that hand or discard must have cards."""

    ALWAYS = 0
    FLIP_WITHOUT_ROOM = 1  # turning the discard over only when no house is empty (RULES 4)
    FILL_FROM_DISCARD = 2  # from the hand only if no house is empty, or your discard is (RULES 5, crapo)
    FILL_FROM_RESERVE = 3  # nor pass, while a house is empty and the reserve is not (RULES 6, russian-bank)


class Order(IntEnum):
    """What is said about the order of the moves (RULES 6)."""

    FREE = 0
    STOPPABLE = 1  # precedence, policed by the opponent's stop (crapette-it)
    STRICT = 2  # irregular moves are illegal (crapette-it-strict)
    FOUNDATION = 3  # foundations first, the reserve's top before all (russian-bank)


class Start(IntEnum):
    """Who starts (RULES 2)."""

    LOWEST_CARD = 0  # lower reserve top with suits, then the hands from the bottom
    SEAT_0 = 1
    LOWEST_VALUE = 2  # lowest value of reserve top, then the houses one by one
    HIGHEST_CARD = 3


class Points(IntEnum):
    """What a game is worth (RULES 5, 6)."""

    NONE = 0
    CRAPETTE = 1
    CARDS = 2  # crapette-it
    RUSSIAN_BANK = 3
    TICKS = 4  # vitesse (RULES 7)


@dataclass(frozen=True, slots=True)
class Variant:
    """One game of RULES.md as data.

    >>> VARIANTS["crapette"].players
    (2, 3, 4)
    >>> str(VARIANTS["russian-bank"])
    'russian-bank'
    """

    name: str
    title: str
    summary: str
    players: tuple[int, ...] = (2,)
    ranks: str = RANKS  # the order of the values
    has_reserve: bool = True
    one_pack: bool = False  # both packs shuffled as one (RULES 2)
    build: Build = Build.COLOURS
    needs_room: bool = False  # the reserve moves, and reserves are loaded, only with room (RULES 4)
    own_discard: bool = True  # its top may be moved
    must_place: bool = False  # a drawn card is discarded only if nothing else is legal (RULES 5)
    draw: Draw = Draw.ALWAYS
    order: Order = Order.FREE
    laying: bool = False  # begins with the laying phase (RULES 6)
    start: Start = Start.LOWEST_CARD
    points: Points = Points.NONE
    in_ticks: bool = False  # both seats act at once (RULES 7)
    targets: tuple[int, ...] = ()  # points to which matches are played, the usual one first (RULES 6, 7)

    @property
    def unit(self) -> str:
        """What the length of a game is counted in: plies, or ticks where both act at once."""
        return "ticks" if self.in_ticks else "plies"

    @property
    def has_points(self) -> bool:
        """Whether games are counted in points."""
        return self.points is not Points.NONE

    @property
    def stop_calls(self) -> bool:
        """Whether the opponent may call stop (RULES 6)."""
        return self.order is Order.STOPPABLE

    def check_players(self, players: int) -> int:
        """Return `players` if the game can be played by that many.

        Raises:
            UnknownVariant: it is not.
        """
        if type(players) is not int or players not in self.players:
            allowed = ", ".join(map(str, self.players))
            raise UnknownVariant(f"expected {allowed} players for {self.name}, got {quote(players)}")
        return players

    def __str__(self) -> str:
        return self.name


_ALL = (
    Variant(
        "crapaud",
        "Crapaud",
        "The reserve moves only when a house is empty. No move is compulsory.",
        one_pack=True,
        needs_room=True,
        draw=Draw.FLIP_WITHOUT_ROOM,
    ),
    Variant(
        "crapaud-kjq",
        "Crapaud, king-jack-queen order",
        "Crapaud with the Portuguese order of the face cards: king, jack, queen, ten.",
        ranks=COURT_KJQ,
        one_pack=True,
        needs_room=True,
        draw=Draw.FLIP_WITHOUT_ROOM,
    ),
    Variant(
        "crapo",
        "Crapô",
        "No reserve. You fill empty houses from your discard before you draw.",
        has_reserve=False,
        build=Build.COLOURS_TO_TWO,
        draw=Draw.FILL_FROM_DISCARD,
        start=Start.SEAT_0,
    ),
    Variant(
        "crapette",
        "Crapette",
        "Houses build down in suit, and you must play a drawn card if you can. Two to four players.",
        players=(2, 3, 4),
        build=Build.SUIT,
        must_place=True,
        start=Start.LOWEST_VALUE,
        points=Points.CRAPETTE,
    ),
    Variant(
        "crapette-it",
        "Crapette all'italiana",
        "The houses are laid first, moves have an order of precedence, and your opponent may call stop.",
        order=Order.STOPPABLE,
        laying=True,
        start=Start.HIGHEST_CARD,
        points=Points.CARDS,
    ),
    Variant(
        "crapette-it-strict",
        "Crapette all'italiana, strict",
        "The same game, with moves out of order illegal. Nobody calls stop.",
        order=Order.STRICT,
        laying=True,
        start=Start.HIGHEST_CARD,
        points=Points.CARDS,
    ),
    Variant(
        "russian-bank",
        "Russian Bank",
        "Foundation moves are compulsory, and you never play from your own discard.",
        own_discard=False,
        draw=Draw.FILL_FROM_RESERVE,
        order=Order.FOUNDATION,
        start=Start.LOWEST_VALUE,
        points=Points.RUSSIAN_BANK,
        targets=(300,),
    ),
    Variant(
        "vitesse",
        "Crapette vitesse",
        "Both players move at once, onto the foundations only. Empty your reserve, and you may call stop.",
        points=Points.TICKS,
        in_ticks=True,
        targets=(250, 500, 1000),
    ),
)

VARIANTS: Mapping[str, Variant] = MappingProxyType({each.name: each for each in _ALL})
"""Every game by its name."""


def variant(name: str) -> Variant:
    """The variant of that name.

    Raises:
        UnknownVariant: there is none.

    >>> variant("crapo").has_reserve, variant("vitesse").in_ticks
    (False, True)
    >>> variant("x")
    Traceback (most recent call last):
    engine.errors.UnknownVariant: expected one of crapaud, crapaud-kjq, crapo, crapette, crapette-it, \
crapette-it-strict, russian-bank, vitesse, got 'x'
    """
    found = VARIANTS.get(name) if isinstance(name, str) else None
    if found is None:
        raise UnknownVariant(f"expected one of {', '.join(VARIANTS)}, got {quote(name)}")
    return found
