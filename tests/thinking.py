"""Asking what takes thought: the question, an analysis worker's part, and the answer."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast
from unittest.mock import patch

from django.http import HttpResponse
from django.test import Client

from analysis import serving_guard
from arena.run.analysis.worker import ANSWERS
from tournaments.questions import event_ratings
from tournaments.questions.worker import work_off


def get(client: Client, address: str, query: dict[str, str] | None = None) -> HttpResponse:
    """What a page gets that asks, waits for a worker and asks again."""
    answer = client.get(address, query)
    if answer.status_code == 202:
        assert work_off(ANSWERS, arena=False) + work_off(ANSWERS, deep=True) >= 1
        answer = client.get(address, query)
    return cast("HttpResponse", answer)


def post(client: Client, address: str, body: dict[str, Any]) -> HttpResponse:
    """The same with a JSON body."""
    words = json.dumps(body)
    answer = client.post(address, words, content_type="application/json")
    if answer.status_code == 202:
        assert work_off(ANSWERS, arena=False) >= 1
        answer = client.post(address, words, content_type="application/json")
    return cast("HttpResponse", answer)


@contextmanager
def analysis_beside_a_download() -> Iterator[None]:
    """This process serves pages, and whenever a download waits, an analysis worker has its turn."""

    def work(_: float) -> None:
        serving_guard.forbid(serves=False)
        try:
            assert work_off(ANSWERS, arena=False) >= 1
        finally:
            serving_guard.forbid()

    serving_guard.forbid()
    try:
        with patch.object(event_ratings, "sleep", work):
            yield
    finally:
        serving_guard.forbid(serves=False)
