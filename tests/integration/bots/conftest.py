"""Clients of people who signed in, and a client of nobody."""

import pytest
from django.test import Client

from arena.accounts.models import User


@pytest.fixture
def as_ada(ada: User) -> Client:
    """A client that Ada signed in with."""
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def as_bob(bob: User) -> Client:
    """A client that Bob signed in with."""
    client = Client()
    client.force_login(bob)
    return client


@pytest.fixture
def anonymous(db: None) -> Client:
    """A client that nobody signed in with."""
    return Client()
