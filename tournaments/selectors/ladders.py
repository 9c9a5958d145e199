"""Ladders: which board each one is for, and which are idle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Exists, OuterRef, Q

from engine.boards import board_name
from tournaments.models import Entry, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet

MEASURES_HOUSE: Final = "measures_house"
"""Option of a ladder that plays with house bots alone, too: a new site is to have something to show."""


def ladder_slug(board: str) -> str:
    """The address of a board's ladder.

    >>> ladder_slug("crapette/3")
    'ladder-crapette-3'
    """
    return f"ladder-{board.replace('/', '-')}"


def board_of(tournament: Tournament) -> str:
    """The board that a tournament is played on."""
    return board_name(tournament.variant, tournament.players)


def asleep() -> Q:
    """A filter for ladders that are idle because only house bots are on them."""
    authors = Entry.objects.filter(tournament=OuterRef("pk"), withdrawn=False, version__bot__is_house=False)
    for_authors = Q(**{f"options__{MEASURES_HOUSE}__isnull": True})
    return Q(~Exists(authors), format=Tournament.Format.LADDER) & for_authors


def running_ladders() -> QuerySet[Tournament]:
    """Every running ladder, idle or not."""
    return Tournament.objects.filter(format=Tournament.Format.LADDER, status=Tournament.Status.RUNNING)
