"""What takes thought, asked for by programs: queued, worked out elsewhere, then as the document says."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from jsonschema_rs import Draft202012Validator

from analysis import serving_guard
from arena.api.application import openapi
from tests.factories.accounts import author
from tests.factories.games import played
from tests.factories.results import accept_result, lease
from tests.factories.tournaments import entrants, running
from tests.thinking import get
from tournaments.models import Analysis, Game

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished() -> Game:
    owner = author()
    running(owner, entrants(owner, 2), pairs=1)
    held = lease()
    accept_result(held, played(held.game))
    return Game.objects.get(pk=held.game)


@pytest.fixture(autouse=True)
def serves_pages() -> Iterator[None]:
    """Requests are answered as by a process that serves pages: whatever thinks there raises."""
    yield
    serving_guard.forbid(serves=False)


def flaws(operation: str, status: int, body: Any) -> list[str]:
    document = openapi()
    every = (one for methods in document["paths"].values() for one in methods.values())
    one = next(one for one in every if one["operationId"] == operation)
    schema = one["responses"][str(status)]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": document["components"]})
    return [error.message for error in validator.iter_errors(body)]


@pytest.mark.parametrize(
    ("address", "operation", "query"),
    [
        ("values", "get_values", {}),
        ("mistakes", "get_mistakes", {}),
        ("what-if", "try_what_if", {"at": "6", "bot": "greedy", "span": "end"}),
    ],
)
def test_a_question_is_queued_then_answered_as_the_document_says(
    finished: Game, client: Client, address: str, operation: str, query: dict[str, str]
) -> None:
    path = f"/api/v1/games/{finished.pk}/{address}/"
    serving_guard.forbid()
    first = client.get(path, query)
    serving_guard.forbid(serves=False)
    assert (first.status_code, first["Retry-After"]) == (202, "1")
    assert flaws(operation, 202, first.json()) == []
    answer = get(client, path, query)
    assert answer.status_code == 200
    assert flaws(operation, 200, json.loads(answer.content)) == []
    serving_guard.forbid()
    again = client.get(path, query, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert Analysis.objects.filter(status="done").count() == 1


def test_what_nobody_can_work_out_is_refused(client: Client, finished: Game) -> None:
    going = lease().game
    for address, query in (("values", {}), ("mistakes", {}), ("what-if", {"at": "0"})):
        answer = client.get(f"/api/v1/games/{going}/{address}/", query)
        assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    for query in ({}, {"at": "-1"}, {"at": "1", "bot": "deep-blue"}, {"at": "1", "span": "year"}):
        assert client.get(f"/api/v1/games/{finished.pk}/what-if/", query).status_code == 422
    assert not Analysis.objects.filter(rank__lt=9).exists(), "a refused question was queued"
