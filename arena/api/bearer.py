"""Who asks: nobody in particular, or the owner of a bearer token with its scopes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from ninja.security import HttpBearer

from arena.api import idempotency_key
from arena.api.limits import WRONG_TOKENS, Cost, set_left, spend
from arena.web.http.rate_limits import counted_address
from bots import tokens
from bots.errors import TokenRefused

if TYPE_CHECKING:
    from django.http import HttpRequest

    from arena.accounts.models import User
    from bots.models import Token

SCHEME = "Bearer "


class Forbidden(Exception):
    """The token lacks a scope, or its owner may not do this."""


class UnknownParameter(Exception):
    """A query parameter that the route does not have; its name."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. Without a token `user` is anonymous."""

    user: User | AnonymousUser
    token: Token | None
    address: str

    @property
    def owner(self) -> User:
        """The token's owner, on a route that needs a token."""
        if self.token is None:
            raise TokenRefused("Expected the header 'Authorization: Bearer <token>', got none.")
        return self.token.owner

    @property
    def account(self) -> str:
        """The name by which the account is counted; empty without a token."""
        return f"user-{self.token.owner_id}" if self.token is not None else ""


def address_of(request: HttpRequest) -> str:
    """The address that limits are counted by: the peer's, or the one a trusted proxy reports."""
    address = request.META.get("REMOTE_ADDR") or ""
    if settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        address = request.META.get("HTTP_X_FORWARDED_FOR", address).rpartition(",")[2].strip()
    return counted_address(address)


def caller_of(request: HttpRequest) -> Caller:
    """Who sent a request. Raises TokenRefused for a header that names no valid token."""
    address = address_of(request)
    header = request.headers.get("Authorization")
    if header is None:
        return Caller(AnonymousUser(), None, address)
    try:
        if not header.startswith(SCHEME):
            raise TokenRefused("Expected the header 'Authorization: Bearer <token>', got none.")
        token = tokens.authenticate(header.removeprefix(SCHEME).strip())
    except TokenRefused:
        # Whoever tries tokens is slowed down; whoever has a good one is not counted here.
        spend(WRONG_TOKENS, address, signed_in=False)
        raise
    return Caller(token.owner, token, address)


def user_of(request: HttpRequest) -> User:
    """The owner of the token a request was sent with."""
    caller: Caller = request.auth  # type: ignore[attr-defined]
    return caller.owner


class Bearer(HttpBearer):
    """Lets a request in: counts it, and demands the token and scope that its route needs.

    `scope` None needs no token, and an empty one a token with any scopes.
    """

    def __init__(self, scope: str | None, cost: Cost) -> None:
        super().__init__()
        self.scope = scope
        self.cost = cost
        self.parameters: frozenset[str] = frozenset()

    def __call__(self, request: HttpRequest) -> Caller:
        """The caller, as `request.auth`. Raises TokenRefused, Forbidden, TooMany or UnknownParameter,
        and what `idempotency_key.begin` raises for a request that was sent before."""
        caller = caller_of(request)
        left = spend(self.cost, caller.account or caller.address, signed_in=caller.token is not None)
        set_left(request, left)
        for name in request.GET:
            if name not in self.parameters:
                raise UnknownParameter(name)
        if self.scope is not None:
            if caller.token is None:
                raise TokenRefused("Expected the header 'Authorization: Bearer <token>', got none.")
            if self.scope and not caller.token.allows(self.scope):
                raise Forbidden(f"This needs a token with the scope {str(self.scope)!r}.")
        if caller.token is not None:
            idempotency_key.begin(request, caller.token)
        return caller

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        """Never called: :meth:`__call__` does all of it."""
        raise NotImplementedError
