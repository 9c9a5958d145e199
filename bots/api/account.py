"""Who you are, and the end of a token."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Status
from pydantic import Field

from arena.api.bearer import Caller
from arena.api.limits import READ, WRITE
from arena.api.operations import route
from arena.api.schemas.common import Schema
from bots import tokens

router = Router()


class Limits(Schema):
    """Requests a minute."""

    read: int
    write: int


class Account(Schema):
    """The owner of a token, and what the token may do."""

    user: str = Field(examples=["ada"])
    token: str = Field(description="The name of the token.", examples=["laptop"])
    scopes: list[str] = Field(examples=[["read", "upload"]])
    expires_at: datetime | None
    requests_a_minute: Limits


@route(router, "GET", "account/", Account, needs="")
def get_account(request: HttpRequest) -> dict[str, Any]:
    """Whose token this is, and what it may do."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    token = caller.token
    assert token is not None  # noqa: S101 - the route needs one
    return {
        "user": caller.owner.get_username(),
        "token": token.name,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
        "requests_a_minute": {"read": READ.account, "write": WRITE.account},
    }


@route(router, "DELETE", "account/token/", needs="", status=204)
def revoke_this_token(request: HttpRequest) -> Status[Any]:
    """Revoke the token that this request is sent with.

    To sign out of a machine.
    """
    caller: Caller = request.auth  # type: ignore[attr-defined]
    assert caller.token is not None  # noqa: S101 - the route needs one
    tokens.revoke_token(caller.token)
    return Status(204, None)
