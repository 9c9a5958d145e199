"""A program that sends a request again has it carried out once."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from arena.web.cache import versions
from arena.web.models import SentRequest
from bots.models import Token
from tests.api import filled, one_connection, send, the_document, undone
from tests.factories.accounts import author, token

pytestmark = pytest.mark.django_db
SERIES, WEBHOOKS = "/api/v1/series/", "/api/v1/webhooks/"
KEY = "Idempotency-Key"
LATE = "revoke_this_token"
"""The token that would ask again is gone."""


def writes() -> Iterator[tuple[str, str, str]]:
    """Path, method and name of every operation that may change something."""
    for path, operations in the_document()["paths"].items():
        for method, one in operations.items():
            if method != "get":
                yield path, method, one["operationId"]


def written_to() -> dict[str, int]:
    """How often each table was written to. A token is noted as used by every request."""
    return {table: number for table, number in versions.read().items() if table != Token._meta.db_table}


def test_every_route_carries_a_request_out_once() -> None:
    site = filled()
    wrong: list[tuple[object, ...]] = []
    done = 0
    for path, method, operation in writes():
        cache.clear()
        with undone(), one_connection():
            answers, written = [], []
            for _ in range(2):
                before = written_to()
                answers.append(send(site, path, method, operation, "owner", **{KEY: "one"}))
                written.append(written_to() != before)
        first, second = answers
        done += first.status_code < 400
        same = (first.status_code, first.content) == (second.status_code, second.content)
        if first.status_code < 400 and operation != LATE and (not same or written[1]):
            wrong.append((operation, first.status_code, second.status_code, written))
        if first.status_code >= 500 or second.status_code >= 500:
            wrong.append((operation, first.status_code, second.status_code))
    assert not wrong, "\n".join(map(str, wrong))
    assert done > 25, "had most been refused, nothing would have been tried"


def as_ada() -> Client:
    return Client(headers={"Authorization": f"Bearer {token(author('ada'))}"})


def league(client: Client, name: str, key: str | None) -> Any:
    headers = {KEY: key} if key is not None else {}
    return client.post(SERIES, {"name": name}, content_type="application/json", headers=headers)


@pytest.mark.each_database
def test_a_key_is_for_one_request_of_one_token() -> None:
    ada = as_ada()
    first, second = league(ada, "Winter League", "a"), league(ada, "Winter League", "a")
    assert (first.status_code, first.content, first["Content-Type"]) == (
        second.status_code,
        second.content,
        second["Content-Type"],
    )
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    other = league(ada, "Summer League", "a")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key")
    assert league(ada, "Summer League", "b").status_code == 201
    bob = Client(headers={"Authorization": f"Bearer {token(author('bob'))}"})
    assert league(bob, "Spring League", "a").status_code == 201
    for malformed in ("", "x" * 256, "two words"):
        assert league(ada, "Autumn League", malformed).status_code == 422, malformed


def test_a_secret_is_not_stored_as_it_was_told() -> None:
    ada = as_ada()
    asked = {"url": "https://bob.example/hook", "kinds": ["checked"]}
    first, second = (
        ada.post(WEBHOOKS, asked, content_type="application/json", headers={KEY: "a"}) for _ in range(2)
    )
    assert first.status_code == 201
    assert second.content == first.content
    stored = bytes(SentRequest.objects.get().answer)
    assert first.json()["secret"].encode() not in stored


@pytest.mark.each_database
def test_what_was_refused_may_be_corrected_and_a_lost_request_be_sent_again() -> None:
    ada = as_ada()
    assert league(ada, "", "a").status_code == 422
    assert league(ada, "Winter League", "a").status_code == 201
    SentRequest.objects.update(status=None)
    busy = league(ada, "Winter League", "a")
    assert (busy.status_code, busy["Retry-After"]) == (409, "1")
    # Whatever carried it out died on the way.
    SentRequest.objects.update(at=timezone.now() - timedelta(minutes=2))
    assert "Idempotent-Replayed" not in league(ada, "Winter League", "a")
    SentRequest.objects.update(at=timezone.now() - timedelta(days=2), status=201)
    assert "Idempotent-Replayed" not in league(ada, "Winter League", "a")
