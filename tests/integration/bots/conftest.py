"""Clients of people who signed in, and a client of nobody."""

import pytest
from django.test import Client

from arena.accounts.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def as_ada(ada: User) -> Client:
    return signed_in(ada)


@pytest.fixture
def as_bob(bob: User) -> Client:
    return signed_in(bob)


@pytest.fixture
def anonymous(db: None) -> Client:
    return Client()
