"""What holds at every address of the site, for whoever asks."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client

from tests.api import one_connection
from tests.conftest import ForAllTests
from tests.factories.site import Site, a_site
from tests.fuzz import addresses
from tests.thinking import analysis_beside_a_download

pytestmark = pytest.mark.django_db
ODD_HOST = "testserver:6666"
"""A host that is ours, with a port that somebody else may listen on."""
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
        if "6666" in text_of(answer) or (answer.status_code >= 500 and path != "/health"):
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


def test_a_program_is_told_in_json_that_nothing_is_there_and_a_person_on_a_page(client: Client) -> None:
    for path in NOTHING:
        answer = client.get(path)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["field"]) == (404, "not-found", None), path
        assert error["message"].endswith(".")
    answer = client.get("/nothing/")
    assert (answer.status_code, answer["Content-Type"][:9]) == (404, "text/html")
