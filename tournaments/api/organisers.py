"""Several organisers of an event: they are listed, invited, answer, and stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest
from ninja import Body, Path, Router, Status
from pydantic import Field

from arena.api.bearer import user_of
from arena.api.operations import route
from arena.api.schemas.common import Schema, Slug
from bots.models import Scope
from tournaments.api.tournaments import find, find_managed
from tournaments.api.tournaments_schemas import Done
from tournaments.events import organisers
from tournaments.events.organiser_rights import co_organisers, invitation, organises
from tournaments.models import Organiser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arena.accounts.models import User
    from tournaments.models import Tournament

router = Router()
ANSWERS: Final[Mapping[str, Callable[[Tournament, User], None]]] = {
    "accept": organisers.accept,
    "decline": organisers.decline,
    "leave": organisers.leave,
}


OrganiserAnswer = Literal["accept", "decline", "leave"]


class OrganisersOut(Schema):
    """Everybody who organises an event, its founder first; empty where the house does."""

    items: list[str] = Field(examples=[["ada", "bob"]])


class OrganiserIn(Schema):
    """Whom to invite."""

    user: str = Field(min_length=1, max_length=150, description="Their user name.", examples=["bob"])


class OrganiserAnswerIn(Schema):
    """What you say to an invitation; `leave` to stop organising."""

    answer: OrganiserAnswer


def organisers_out(tournament: Tournament, others: list[User]) -> dict[str, Any]:
    """The organisers of an event by name."""
    founder = [tournament.owner] if tournament.owner else []
    return {"items": [one.get_username() for one in (*founder, *others)]}


@route(router, "GET", "tournaments/{slug}/organisers/", OrganisersOut)
def list_organisers(request: HttpRequest, slug: Path[Slug]) -> dict[str, Any]:
    """Who organises an event, its founder first."""
    tournament = find(slug)
    return organisers_out(tournament, co_organisers(tournament.pk))


@route(
    router, "POST", "tournaments/{slug}/organisers/", Done, needs=Scope.COMPETE, status=201, refuses=(409,)
)
def invite_organiser(request: HttpRequest, slug: Path[Slug], who: Body[OrganiserIn]) -> Status[Any]:
    """Invite somebody to organise your event with you. They are told, and may decline."""
    made = organisers.invite(find_managed(request, slug), user_of(request), who.user)
    return Status(201, {"message": f"{made.user.get_username()} is invited."})


@route(router, "POST", "tournaments/{slug}/invitation/", OrganisersOut, needs=Scope.COMPETE, refuses=(409,))
def answer_invitation(
    request: HttpRequest, slug: Path[Slug], said: Body[OrganiserAnswerIn]
) -> dict[str, Any]:
    """Accept or decline an invitation to organise an event, or leave an event that you organise.

    Who was not invited is told that there is no invitation.
    """
    tournament, user = find(slug), user_of(request)
    asked = invitation(tournament, user, *Organiser.Status.values)
    if asked is None and not organises(tournament, user):
        raise Http404(f"Expected an invitation to organise {slug!r}, got none.")
    ANSWERS[said.answer](tournament, user)
    return organisers_out(find(slug), co_organisers(tournament.pk))


@route(
    router,
    "DELETE",
    "tournaments/{slug}/organisers/{user}/",
    needs=Scope.COMPETE,
    status=204,
    refuses=(409,),
)
def remove_organiser(request: HttpRequest, slug: Path[Slug], user: Path[str]) -> Status[Any]:
    """Remove an organiser of your event, or take an invitation back. Nobody removes the founder."""
    tournament = find_managed(request, slug)
    person = get_user_model().objects.filter(username=user[:150]).first()
    if person is None:
        raise Http404(f"Expected an organiser of {slug!r}, got {user[:150]!r}.")
    organisers.remove(tournament, user_of(request), person)
    return Status(204, None)
