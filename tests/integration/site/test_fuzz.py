"""Whatever is sent to whichever address by whomever, the site answers, and its log stays quiet."""

from __future__ import annotations

import logging
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core import signals
from django.db import close_old_connections, transaction
from django.test import Client

from arena.common.handler import Pages
from bots import services as bots
from friendlies.services.people import Person
from friendlies.services.starting import NewFriendly, start
from tests.factories.accounts import author, sign_in_operator
from tests.factories.bots import accepted_bot
from tests.factories.games import played
from tests.factories.results import lease, play_one
from tests.factories.series import league
from tests.factories.tournaments import running
from tests.fuzz import Fuzzer, addresses
from tests.thinking import analysis_beside_a_download
from tests.thorough import THOROUGH
from tournaments.models import Game
from tournaments.services.playing.results import accept_result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from arena.accounts.models import User
    from tests.fuzz import Request

ROUNDS = int(os.environ.get("CRAPETTE_TEST_FUZZ_ROUNDS", "1"))
"""How often every address is tried; more for a longer hunt."""
ADMIN_REQUESTS = 100 if THOROUGH else 30

pytestmark = pytest.mark.django_db


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the test's connection over requests, as Django's own test client does: each is undone in it."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (signals.request_started, signals.request_finished):
        signal.connect(close_old_connections)


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


def a_site() -> tuple[Mapping[str, list[str]], Mapping[str, tuple[tuple[str, str], ...]]]:
    """A site with something at every kind of address; what there is, and who may ask for it."""
    ada, bob = author("ada"), author("bob")
    versions = [accepted_bot(ada, "Ada's first"), accepted_bot(bob, "Bob's first")]
    tournament = running(ada, versions, pairs=2, name="Cup")
    league(ada, "Winter League")
    play_one()
    held = lease()
    accept_result(held, played(held.game))
    lease()
    token, secret = bots.create_token(ada, "fuzz")
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


def answered(site: Pages, request: Request) -> int:
    """The status of the answer; whatever the request did is undone."""
    undo = RuntimeError()
    try:
        with transaction.atomic():
            response = site.answer(request.scope(), request.stream())
            if response.streaming:
                with analysis_beside_a_download():
                    b"".join(response)
                response.close()
            raise undo
    except RuntimeError as error:
        if error is not undo:
            raise
    return response.status_code


def test_no_request_breaks_the_site_or_fills_its_log(caplog: pytest.LogCaptureFixture) -> None:
    known, roles = a_site()
    site = Pages(1)
    fuzzer = Fuzzer(known, roles)
    statuses: dict[int, int] = {}
    broken = []
    with caplog.at_level(logging.WARNING), one_connection():
        for _ in range(ROUNDS):
            for role, request in fuzzer.every(addresses(), ADMIN_REQUESTS):
                caplog.clear()
                status = answered(site, request)
                statuses[status] = statuses.get(status, 0) + 1
                said = [record.getMessage() for record in caplog.records if record.exc_info]
                # Without a worker the state of health is bad, and 503 says so.
                if said or (status >= 500 and (status, request.path) != (503, "/health")):
                    broken.append((status, role, request, said))
    assert not broken, "\n".join(str(one)[:1500] for one in broken[:20])
    # Had every request been refused at the edge, nothing behind it would have been tried.
    assert statuses[200] > sum(statuses.values()) // 8, statuses
    assert {200, 302, 400, 403, 404, 405, 415} <= set(statuses), statuses
