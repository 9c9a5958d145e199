"""Ladders and leaderboards: which board each one is for, its ratings in order, and which are idle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db.models import Case, CharField, Count, Exists, F, Max, Min, OuterRef, Q, When
from django.db.models.functions import Coalesce, Greatest, Least
from django.urls import reverse

from arena.web.cache.values import shared_rows
from arena.web.database.prepared_sql import Param
from arena.web.variants import OPEN, board_title
from bots.models import Language, prefetch_co_owners
from engine.boards import BOARDS, board_name
from tournaments.models import Entry, Rating, Tournament
from tournaments.models.embargo import prepare_query
from tournaments.ratings.twins import shadowed_versions

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

MEASURES_HOUSE: Final = "measures_house"
"""Option of a ladder that plays with house bots alone, too: a new site is to have something to show."""


def ladder_slug(board: str) -> str:
    """The address of a board's ladder.

    >>> ladder_slug("crapette/3")
    'ladder-crapette-3'
    """
    return f"ladder-{board.replace('/', '-')}"


def open_slug(board: str) -> str:
    """The address of an open board's ladder.

    >>> open_slug("crapette/3")
    'ladder-open-crapette-3'
    """
    return f"ladder-open-{board.replace('/', '-')}"


def board_of(tournament: Tournament) -> str:
    """The board that a tournament is played on."""
    return board_name(tournament.variant, tournament.players)


def rated_board(tournament: Tournament) -> str:
    """The board under whose name a rated tournament's ratings are kept: an open one has its own."""
    return OPEN + board_of(tournament) if tournament.admits_remote else board_of(tournament)


def asleep() -> Q:
    """A filter for ladders that are idle: only house bots are on them, or no remote bot on an open board."""
    authors = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn=False, version__bot__is_house=False)
    authors = authors.filter(Q(tournament__admits_remote=False) | Q(version__language=Language.REMOTE))
    for_authors = Q(**{f"options__{MEASURES_HOUSE}__isnull": True})
    return Q(~Exists(authors), format=Tournament.Format.LADDER) & for_authors


def running_ladders() -> QuerySet[Tournament]:
    """Every running ladder but those of open boards, idle or not."""
    return _running().filter(admits_remote=False)


def open_boards() -> QuerySet[Tournament]:
    """The running ladders of open boards; none where remote bots are switched off."""
    return _running().filter(admits_remote=True) if settings.REMOTE else Tournament.objects.none()


def _running() -> QuerySet[Tournament]:
    return Tournament.objects.filter(format=Tournament.Format.LADDER, status=Tournament.Status.RUNNING)


def list_tournaments(**narrowed: Any) -> QuerySet[Tournament]:
    """Tournaments newest first, with the counts a row needs."""
    return (
        Tournament.objects.filter(**narrowed)
        .select_related("owner")
        .annotate(
            entrants=Count("entries", distinct=True),
            idle=Case(When(asleep(), then=True), default=False),
        )
        .order_by("-created_at", "-id")
    )


@shared_rows
def ladders() -> list[Tournament]:
    """Every ladder in the order of the boards, with the counts a row needs."""
    places = {ladder_slug(board): place for place, board in enumerate(BOARDS)}
    found = list_tournaments(format=Tournament.Format.LADDER, admits_remote=False)
    return sorted(found, key=lambda one: places.get(one.slug, len(places)))


MOST_SHOWN = 400.0
"""Elo: a first interval may be wider than all that is known later, and would flatten the drawing."""


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard of which parts are shown; every part is drawn on the scale of the whole.

    Versions of bots that are withdrawn, or whose owner left, are on the `all_time` board only, and so are the
    `shadowed_versions` ones, near-twins of the same owner's; `gone` counts them.
    """

    variant: str
    versions: int
    least: float
    most: float
    gone: int = 0
    all_time: bool = False
    shadowed: frozenset[int] = frozenset()

    def ratings(self, start: int, count: int) -> list[Rating]:
        """Ratings from place `start` (from 0) on and so many after it, best first, in two queries."""
        # One more than are shown: what the last is compared with.
        found = _best(None if self.all_time else self.shadowed, start, count + 1).rows(variant=self.variant)
        if self.gone and not self.all_time:
            self._forget_superiority_over_hidden(found)
        return found[:count]

    def _forget_superiority_over_hidden(self, ratings: list[Rating]) -> None:
        """Leave out the superiority over the next in strength where that is not the next on this board."""
        hidden = [_order(one) for one in _rated(self.variant).exclude(in_play(self.shadowed))]
        for rating, following in zip(ratings, [*ratings[1:], None], strict=True):
            if any(_order(rating) <= one and (not following or one <= _order(following)) for one in hidden):
                rating.superiority = None


def board(variant: str, *, all_time: bool = False) -> Board:
    """The leaderboard of a variant, or a board's name: its size and scale."""
    hidden = shadowed_versions(variant.removeprefix(OPEN))
    found = _ends(hidden, all_time=all_time).first(variant=variant)
    count, least, most, gone = found or (0, None, None, 0)
    return Board(variant, count, least or 0.0, most or 0.0, gone, all_time, hidden)


@prepare_query
def _ends(hidden: frozenset[int], *, all_time: bool) -> QuerySet[Rating, tuple[Any, ...]]:
    """How many ratings a board shows, its scale, and how many it leaves out; nothing without any rating."""
    shown = Q() if all_time else in_play(hidden)
    rated = Rating.every.filter(variant=Param("variant", CharField()), games__gt=0)
    return (
        rated.order_by()
        .values("variant")
        .annotate(
            count=Count("pk", filter=shown),
            least=Min(Greatest(Coalesce("low", F("elo") - MOST_SHOWN), F("elo") - MOST_SHOWN), filter=shown),
            most=Max(Least(Coalesce("high", F("elo") + MOST_SHOWN), F("elo") + MOST_SHOWN), filter=shown),
            gone=Count("pk", filter=~in_play(hidden)),
        )
        .values_list("count", "least", "most", "gone")
    )


@prepare_query
def _best(hidden: frozenset[int] | None, start: int, count: int) -> QuerySet[Rating]:
    """Ratings of a board from a place on, the best first; all of them where no versions are `hidden`."""
    rated = Rating.every.filter(variant=Param("variant", CharField()), games__gt=0)
    found = rated.filter(Q() if hidden is None else in_play(hidden))
    found = found.select_related("version__bot__owner").prefetch_related(prefetch_co_owners("version__bot__"))
    found = found.order_by("provisional", "-elo", "version")
    return found[start : start + count]


def in_play(hidden: Collection[int]) -> Q:
    """Of ratings: those of bots that can still be met, one of each owner's near-twins."""
    return Q(version__bot__withdrawn_at=None) & ~Q(version__in=hidden)


def _rated(variant: str) -> QuerySet[Rating]:
    return Rating.every.filter(variant=variant, games__gt=0)


def _order(rating: Rating) -> tuple[bool, float]:
    """What a board is ordered by."""
    return rating.provisional, -rating.elo


@dataclass(frozen=True, slots=True)
class BoardName:
    """Which leaderboard: those of three and four seats are kept apart as ``crapette/3``, ``crapette/4``.

    An `is_open` one is that of an open board, where remote bots play.
    """

    variant: str
    players: int = 2
    is_open: bool = False

    @classmethod
    def parse(cls, text: str) -> BoardName:
        """A board by the name that its ratings carry."""
        variant, _, players = text.removeprefix(OPEN).partition("/")
        return cls(variant, int(players) if players else 2, text.startswith(OPEN))

    def __str__(self) -> str:
        return OPEN * self.is_open + board_name(self.variant, self.players)

    @property
    def exists(self) -> bool:
        """Whether this engine plays it."""
        return str(self).removeprefix(OPEN) in BOARDS

    @property
    def title(self) -> str:
        """The variant's title, with the number of seats if it is not two."""
        return board_title(str(self))

    @property
    def url(self) -> str:
        """The board's page."""
        words: tuple[str | int, ...] = (self.variant,) if self.players == 2 else (self.variant, self.players)
        return reverse("open-board" if self.is_open else "leaderboard", args=words)


@shared_rows
def rated_boards() -> tuple[BoardName, ...]:
    """Boards on which anything is rated, in the engine's order."""
    rated = set(_boards().rows())
    return tuple(BoardName.parse(name) for name in BOARDS if name in rated)


@prepare_query
def _boards() -> QuerySet[Rating, str]:
    return Rating.objects.filter(games__gt=0).order_by().values_list("variant", flat=True).distinct()


def rated_variants() -> list[str]:
    """Variants in which anything is rated between two, in the engine's order."""
    return [name.variant for name in rated_boards() if name.players == 2]
