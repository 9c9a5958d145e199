"""What holds at every address of the site, for whoever asks, and whatever is sent to it."""

import logging
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import transaction
from django.test import Client

from arena.web.http.handler import APART, Pages
from tests.api import one_connection
from tests.conftest import ForAllTests
from tests.factories.site import Site, a_site
from tests.fuzz import Fuzzer, Request, addresses
from tests.thinking import analysis_beside_a_download
from tests.thorough import THOROUGH
from tests.waits import waits

pytestmark = pytest.mark.django_db


ODD_HOST = "testserver:6666"
"""A host that is ours, with a port that somebody else may listen on."""
ODD_PORT = re.compile("(:|%3A)6666", re.IGNORECASE)  # a game's id, too, may have such digits
ROLES = ("nobody", "owner", "staff")
SHORTEST = 40
"""Characters of a sentence and what a page has around it."""


@pytest.fixture(scope="module")
def site(for_all_tests: ForAllTests[Site]) -> Site:
    return for_all_tests(a_site)


def everywhere(site: Site, roles: tuple[str, ...], method: str = "GET") -> Iterator[tuple[str, str, Any]]:
    """Whoever asks, the address and the answer: of every address but the admin's."""
    known, cookies = site
    values = {name: texts[0] for name, texts in known.items()} | {"rest": "account/"}
    for role in roles:
        client = Client(headers=dict(cookies[role]), raise_request_exception=False)
        for address in addresses():
            if address.own:
                path = address.filled(values)
                with one_connection(), analysis_beside_a_download():
                    answer = client.generic(method, path, headers={"host": ODD_HOST})
                    if answer.streaming:
                        answer.close()
                yield role, path, answer


def text_of(answer: Any) -> str:
    body = "" if answer.streaming else answer.content.decode("utf-8", "replace")
    return f"{dict(answer.items())} {answer.cookies} {body}"


@pytest.mark.any_database
def test_every_address_answers_and_says_nothing_of_the_host_that_was_asked_for(site: Site) -> None:
    wrong = []
    for role, path, answer in everywhere(site, ROLES):
        if ODD_PORT.search(text_of(answer)) or (answer.status_code >= 500 and path != "/health"):
            wrong.append((role, path, answer.status_code, "host"))
        if role != "nobody":
            said = answer.get("Cache-Control", "")
            if not {"private", "no-store"} <= set(said.split(", ")) and "immutable" not in said:
                wrong.append((role, path, answer.status_code, said))
        # Reloading must work wherever a form leads: the address bar keeps where it was posted to.
        if answer.status_code == 405:
            wrong.append((role, path, answer.status_code, "method"))
        if answer.status_code >= 400 and len(answer.content) < SHORTEST:
            wrong.append((role, path, answer.status_code, "no words"))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.any_database
def test_every_refusal_has_words(site: Site) -> None:
    wrong = []
    for _, path, answer in everywhere(site, ("owner",), "POST"):
        if answer.status_code >= 400 and len(answer.content) < SHORTEST:
            wrong.append((path, answer.status_code))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.any_database
def test_a_guest_who_has_a_session_has_pages_of_their_own(client: Client) -> None:
    session = client.session
    session["friendly"] = "somebody"
    session.save()
    assert SESSION_KEY not in session
    for path in ("/", "/play/", "/rules/", "/nothing/"):
        assert client.get(path)["Cache-Control"] == "private, no-store", path
    assert Client().get("/rules/")["Cache-Control"] == "no-cache"


NOBODY = "00000000-0000-4000-8000-000000000000"
NOTHING = (
    *(f"/games/{NOBODY}/record.json", f"/games/{NOBODY}/mistakes.json", f"/play/{NOBODY}/state.json"),
    *("/rules/whist/example.json", "/api/v1/nothing/"),
)


def test_a_program_is_refused_in_json_and_a_person_on_a_page_with_words(client: Client) -> None:
    for path in NOTHING:
        answer = client.get(path)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["field"]) == (404, "not-found", None), path
        assert error["message"].endswith(".")
    answer = client.get("/nothing/")
    assert (answer.status_code, answer["Content-Type"][:9]) == (404, "text/html")
    forged = Client(enforce_csrf_checks=True).post("/accounts/login/")
    assert (forged.status_code, "This form has expired" in forged.content.decode()) == (403, True)
    often = respond_429(client.get("/accounts/login/").wsgi_request)
    assert (often.status_code, "Wait a few minutes" in often.content.decode()) == (429, True)


ROUNDS = int(os.environ.get("CRAPETTE_TEST_FUZZ_ROUNDS", "1"))
"""How often every address is tried; more for a longer hunt."""
ADMIN_REQUESTS = 100 if THOROUGH else 30


def answered(pages: Pages, request: Request) -> int:
    """The status of the answer; whatever the request did is undone."""
    undo = RuntimeError()
    try:
        with transaction.atomic():
            response = pages.answer(request.scope(), request.stream())
            if response.streaming:
                with analysis_beside_a_download():
                    b"".join(response)
                response.close()
            raise undo
    except RuntimeError as error:
        if error is not undo:
            raise
    return response.status_code


def of_redis(wait: str) -> bool:
    """Whether something was asked of Redis, where limits are counted, and which has a second to answer."""
    return bool(settings.REDIS_URL) and wait.startswith("socket.")


def test_no_request_breaks_the_site_or_fills_its_log(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    known, roles = site
    pages = Pages(1)
    fuzzer = Fuzzer(known, roles)
    statuses: dict[int, int] = {}
    broken, slow = [], list[tuple[str, str, str]]()
    with caplog.at_level(logging.WARNING), one_connection():
        for _ in range(ROUNDS):
            for role, request in fuzzer.every(addresses(), ADMIN_REQUESTS):
                caplog.clear()
                with waits() as waited:
                    status = answered(pages, request)
                if not APART.fullmatch(f"{request.method} {request.path}"):
                    # It was answered in one of the few threads that wait for the database alone.
                    slow += [(request.method, request.path, one) for one in waited if not of_redis(one)]
                statuses[status] = statuses.get(status, 0) + 1
                said = [record.getMessage() for record in caplog.records if record.exc_info]
                # Without a worker the state of health is bad, and 503 says so.
                if said or (status >= 500 and (status, request.path) != (503, "/health")):
                    broken.append((status, role, request, said))
    assert not slow, slow[:20]
    assert not broken, "\n".join(str(one)[:1500] for one in broken[:20])
    # Had every request been refused at the edge, nothing behind it would have been tried.
    assert statuses[200] > sum(statuses.values()) // 8, statuses
    assert {200, 302, 400, 403, 404, 405, 415} <= set(statuses), statuses
