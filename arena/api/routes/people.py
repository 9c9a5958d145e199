"""People, as they show themselves."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from ninja import Path, Router

from arena.api.operations import route
from arena.api.schemas.people import PersonOut, person_out
from people.profiles import selectors

router = Router()


@route(router, "GET", "people/{user}/", PersonOut)
def get_person(request: HttpRequest, user: Path[str]) -> dict[str, Any]:
    """A person: their bots in play and, if they show how they play, their ratings."""
    found = selectors.person(user)
    if found is None:
        raise Http404(f"Expected a user name, got {user!r}.")
    ratings = selectors.ratings_of(found) if found.shows_play else []
    return person_out(found, selectors.bots_of(found), ratings)
