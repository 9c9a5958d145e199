"""Tokens: shown once, stored as hashes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from bots.errors import TokenRefused
from bots.models import Token
from bots.tokens import authenticate, create_token, revoke_token, tokens_of
from tests.factories.accounts import author

pytestmark = pytest.mark.django_db
UNKNOWN = "Expected a valid token, got one that is unknown or revoked."


def test_a_token_opens_its_owners_account_and_its_secret_is_stored_nowhere() -> None:
    owner = author()
    with pytest.raises(TokenRefused, match=r"^A name has 1 to 60 characters\. This one has 0\.$"):
        create_token(owner, " ")
    token, secret = create_token(owner, "  my  laptop ")
    assert token.name == "my laptop"
    assert secret.startswith("crapette_")
    assert secret not in str(Token.objects.values_list().get())
    assert secret.startswith(token.hint)
    assert len(secret) - len(token.hint) > 32
    assert authenticate(secret).owner == owner


def test_an_unknown_token_a_revoked_one_and_one_of_a_closed_account_open_nothing() -> None:
    owner = author()
    token, secret = create_token(owner, "laptop")
    for unknown in ("", "crapette_", "crapette_" + "x" * 43):
        with pytest.raises(TokenRefused, match=UNKNOWN):
            authenticate(unknown)
    revoke_token(token)
    with pytest.raises(TokenRefused, match=UNKNOWN):
        authenticate(secret)
    _, secret = create_token(owner, "laptop")
    owner.is_active = False
    owner.save()
    with pytest.raises(TokenRefused, match=UNKNOWN):
        authenticate(secret)


def test_a_token_ends_when_it_expires_and_no_longer_counts() -> None:
    owner = author()
    token, secret = create_token(owner, "laptop", lifetime=timedelta(days=1))
    assert authenticate(secret) == token
    Token.objects.update(expires_at=timezone.now())
    with pytest.raises(TokenRefused, match="expired on"):
        authenticate(secret)
    assert not tokens_of(owner)


def test_a_token_may_do_what_was_asked_for_and_nothing_else() -> None:
    owner = author()
    assert create_token(owner, "as before")[0].scopes == ["read", "upload"]
    token, _ = create_token(owner, "narrow", ["compete"])
    assert (token.allows("compete"), token.allows("upload")) == (True, False)
    with pytest.raises(TokenRefused, match="no scope 'root'"):
        create_token(owner, "wide", ["root"])
