"""A site with something at every kind of address, and those who may ask for it."""

from collections.abc import Mapping
from typing import TypeAlias

from django.test import Client

from arena.accounts.models import User
from bots import tokens
from friendlies.tables.new_games import NewFriendly, start
from friendlies.tables.people import Person
from tests.factories.accounts import author, sign_in_operator
from tests.factories.bots import accepted_bot
from tests.factories.games import played
from tests.factories.results import accept_result, lease, play_one
from tests.factories.series import league
from tests.factories.tournaments import running
from tournaments.models import Game


def signed_in(user: User | None) -> tuple[tuple[str, str], ...]:
    """The headers of somebody who is signed in (None: an operator) with a valid token against forgery."""
    client = Client()
    if user is None:
        sign_in_operator(client)
    else:
        client.force_login(user)
    token = "a" * 32
    cookies = {name: morsel.value for name, morsel in client.cookies.items()} | {"csrftoken": token}
    return (
        ("cookie", "; ".join(f"{name}={value}" for name, value in cookies.items())),
        ("x-csrftoken", token),
    )


Site: TypeAlias = tuple["Mapping[str, list[str]]", "Mapping[str, tuple[tuple[str, str], ...]]"]


def a_site() -> Site:
    """A site with something at every kind of address; what there is, and who may ask for it."""
    ada, bob = author("ada"), author("bob")
    versions = [accepted_bot(ada, "Ada's first"), accepted_bot(bob, "Bob's first")]
    tournament = running(ada, versions, pairs=2, name="Cup")
    league(ada, "Winter League")
    play_one()
    held = lease()
    accept_result(held, played(held.game))
    lease()
    token, secret = tokens.create_token(ada, "fuzz")
    friendly = start(Person(ada), NewFriendly("crapaud", versions[0].pk, seat=0))
    known = {
        "slug": ["cup", "adas-first", "bobs-first", "winter-league"],
        "one": ["adas-first", "1"],
        "other": ["bobs-first", "2"],
        "number": ["1", "2"],
        "table": ["1"],
        "variant": ["crapaud", "vitesse"],
        "players": ["2", "4"],
        "seat": ["0", "1"],
        "first": ["0", "1", "2"],
        "last": ["2", "3", "5"],
        "game_id": [str(key) for key in Game.objects.values_list("pk", flat=True)],
        "friendly_id": [str(friendly.pk)],
        "pair_id": [str(tournament.pairings.get().pairs.first().pk)],  # type: ignore[union-attr]
        "token_id": [str(token.pk)],
        "object_id": ["1"],
        "app_label": ["bots", "tournaments"],
        "content_type_id": ["1"],
    }
    forged = (("cookie", f"csrftoken={'a' * 32}"), ("x-csrftoken", "a" * 32))
    return known, {
        "nobody": (),
        "passer-by": forged,
        "user": signed_in(bob),
        "owner": signed_in(ada),
        "staff": signed_in(None),
        "token": (("authorization", f"Bearer {secret}"),),
    }
