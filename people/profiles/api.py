"""People, as they show themselves."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest
from ninja import Path, Router
from pydantic import Field

from arena.api.operations import route
from arena.api.schemas.common import Schema, Slug, Url
from people.profiles.person import ENOUGH_GAMES, bots_of, find_person, ratings_of

if TYPE_CHECKING:
    from arena.accounts.models import User
    from bots.models import Bot
    from friendlies.models import PersonRating

router = Router()


class PersonRatingOut(Schema):
    """A person's rating on the scale of the bots, from rated games against house bots."""

    variant: str
    elo: float | None = Field(description=f"Null with fewer than {ENOUGH_GAMES} games.")
    low: float | None = Field(description="The lower end of the 95 % interval; null if it has none.")
    high: float | None
    games: int
    wins: int
    draws: int
    losses: int
    computed_at: datetime


class PersonOut(Schema):
    """A person, as everyone sees them."""

    name: str = Field(examples=["ada"])
    url: Url
    bots: list[Slug] = Field(description="Bots in play that the person owns, also with others, by name.")
    shows_play: bool = Field(description="Whether the person lets everyone see how they play.")
    ratings: list[PersonRatingOut] = Field(description="Empty while the person does not show them.")


def person_out(user: User, bots: list[Bot], ratings: list[PersonRating]) -> dict[str, Any]:
    """A person with what everyone may see."""
    return {
        "name": user.get_username(),
        "url": user.get_absolute_url(),
        "bots": [bot.slug for bot in bots],
        "shows_play": user.shows_play,
        "ratings": [_rating_out(one) for one in ratings],
    }


def _rating_out(one: PersonRating) -> dict[str, Any]:
    enough = one.games >= ENOUGH_GAMES
    names = ("variant", "games", "wins", "draws", "losses", "computed_at")
    known = {name: getattr(one, name) if enough else None for name in ("elo", "low", "high")}
    return {name: getattr(one, name) for name in names} | known


@route(router, "GET", "people/{user}/", PersonOut)
def get_person(request: HttpRequest, user: Path[str]) -> dict[str, Any]:
    """A person: their bots in play and, if they show how they play, their ratings."""
    found = find_person(user)
    if found is None:
        raise Http404(f"Expected a user name, got {user!r}.")
    ratings = ratings_of(found) if found.shows_play else []
    return person_out(found, bots_of(found), ratings)
