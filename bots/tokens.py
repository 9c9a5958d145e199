"""Tokens for programs. They are shown once and stored as hashes."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from bots.errors import TokenRefused
from bots.locks import lock_owner
from bots.models import Scope, Token
from bots.models.bot import UPLOADING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from arena.accounts.models import User

PREFIX = "crapette_"
HINT_LENGTH = len(PREFIX) + 3
TOKENS_PER_USER = 10
# A token used in every second need not write a row in every second.
USE_NOTED_EVERY = timedelta(minutes=1)


def digest_of(secret: str) -> str:
    """Return the SHA-256 in hex. The secret has 256 random bits, so a slow hash would add no protection."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def create_token(
    owner: User, name: str, scopes: Iterable[str] = UPLOADING, lifetime: timedelta | None = None
) -> tuple[Token, str]:
    """Create a token and return it with its secret, which is not stored. Raises :class:`TokenRefused` or
    :class:`~bots.errors.OwnerGone`.

    Without a `lifetime` it never expires.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= 60:
        raise TokenRefused(
            gettext("A name has 1 to 60 characters. This one has %(count)s.") % {"count": len(name)}, "name"
        )
    asked = set(scopes)
    unknown = asked - set(Scope.values)
    if unknown:
        raise TokenRefused(
            gettext("There is no scope %(scope)s.") % {"scope": f"{sorted(unknown)[0]!r}"}, "scopes"
        )
    # One after the other, so that two requests at once cannot pass the limit together.
    lock_owner(owner)
    if tokens_of(owner).count() >= TOKENS_PER_USER:
        raise TokenRefused(
            gettext("You already have %(most)s tokens, the most one account can have. Revoke one first.")
            % {"most": TOKENS_PER_USER},
            "name",
        )
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        owner=owner,
        name=name,
        digest=digest_of(secret),
        hint=secret[:HINT_LENGTH],
        scopes=[scope for scope in Scope.values if scope in asked],
        expires_at=None if lifetime is None else timezone.now() + lifetime,
    )
    return token, secret


def revoke_token(token: Token) -> None:
    """Revoke ``token``."""
    Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def authenticate(secret: str) -> Token:
    """Return the token with this ``secret``, and its owner. Raises :class:`TokenRefused` if it is invalid."""
    token = Token.objects.select_related("owner").filter(digest=digest_of(secret), revoked_at=None).first()
    if token is None or not token.owner.is_active:
        raise TokenRefused("Expected a valid token, got one that is unknown or revoked.")
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        raise TokenRefused(f"Expected a valid token, got one that expired on {token.expires_at:%Y-%m-%d}.")
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    Token.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def tokens_of(user: User) -> QuerySet[Token]:
    """The user's tokens that still work, newest first."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Token.objects.filter(unexpired, owner=user, revoked_at=None)
