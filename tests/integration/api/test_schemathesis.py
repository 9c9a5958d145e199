"""Requests made from the OpenAPI document, proper ones and broken ones: every answer is as it says."""

from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation import GenerationMode

from arena.api.application import openapi
from tests.api import filled, one_connection, undone
from tests.thinking import analysis_beside_a_download
from tests.thorough import THOROUGH

pytestmark = pytest.mark.django_db
EXAMPLES = 4 if THOROUGH else 1
"""Requests of each kind to each route."""
LIVE = ("stream_live",)
"""Streams do not end; they have tests of their own."""
load_all_checks()
JUDGED = (
    *("create_bot", "upload_version", "create_tournament", "create_sequential_test", "create_challenge"),
    *("answer_challenge", "add_block", "enter_tournament", "estimate_tournament", "void_pair", "add_webhook"),
    *("join_class", "create_series"),
)
"""Routes that may refuse what fits the schema: no file of dice is a bot, no bot of dice is there, no key of
dice is a class's, and a name of dice may have characters that nobody sees."""


@pytest.mark.any_database
def test_the_document_is_valid_openapi() -> None:
    schemathesis.openapi.from_dict(openapi()).validate()


ONCE = (pytest.mark.at_length, pytest.mark.any_database)
"""`test_permissions` sends a proper request to every route, and compares the answer with the document."""


@pytest.mark.parametrize("mode", [pytest.param(GenerationMode.POSITIVE, marks=ONCE), GenerationMode.NEGATIVE])
def test_every_answer_is_as_the_document_says(mode: GenerationMode) -> None:
    arena = filled()
    # The client of the tests unpacks nothing.
    headers = {"Authorization": f"Bearer {arena.tokens['owner']}", "Accept-Encoding": "identity"}
    found: list[str] = []
    with one_connection():
        schema = schemathesis.openapi.from_wsgi("/api/openapi.json", get_wsgi_application())
        for result in schema.get_all_operations():
            operation: Any = result.ok()  # the document is valid
            if operation.definition.raw["operationId"] not in LIVE:
                found += _tried(operation, mode, headers)
    assert not found, "\n\n".join(found)


def _tried(operation: Any, mode: GenerationMode, headers: dict[str, str]) -> list[str]:
    judged = operation.definition.raw["operationId"] in JUDGED
    excluded = CHECKS.get_by_names(["positive_data_acceptance"]) if judged else []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        cache.clear()
        if mode is GenerationMode.POSITIVE:
            _made_sense(case.query)
        with undone(), analysis_beside_a_download():
            case.call_and_validate(headers=headers, excluded_checks=excluded)

    try:
        ask()
    except Unsatisfiable:
        return []  # a route without anything that could be wrong
    except (Failure, FailureGroup) as failure:
        return [f"{operation.label}: {failure}"]
    return []


def _made_sense(query: dict[str, Any]) -> None:
    """Take out of a proper query what dice cannot know: a cursor that was given, and what needs another."""
    query.pop("cursor", None)
    if {"version", "opponent"} & query.keys():
        query.setdefault("bot", "greedy")
        query["bot"] = query["bot"] or "greedy"
