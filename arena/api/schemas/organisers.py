"""Several organisers of an event: who they are, and invitations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from arena.api.schemas.common import Schema

if TYPE_CHECKING:
    from arena.accounts.models import User
    from tournaments.models import Tournament

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
