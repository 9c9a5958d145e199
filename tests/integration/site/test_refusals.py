"""How the site says no: one shape for programs, one status for forms."""

import pytest
from django.test import Client

from arena.accounts.models import User

pytestmark = pytest.mark.django_db
FORMS = {
    "/accounts/login/": {"login": "nobody", "password": "wrong"},
    "/accounts/signup/": {"username": "a", "password1": "x", "password2": "y"},
    "/bots/new/": {"name": ""},
    "/bots/account/tokens/": {"name": ""},
    "/tournaments/new/": {"name": "x"},
    "/tournaments/test/": {},
    "/play/": {"variant": "whist"},
}
"""Where forms are sent, with what cannot be right."""

NOBODY = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize("path", FORMS)
def test_a_bad_form_is_shown_again_with_422(client: Client, path: str) -> None:
    if not path.startswith("/accounts/"):
        client.force_login(User.objects.create_user("ada"))
    assert client.post(path, FORMS[path]).status_code == 422


@pytest.mark.parametrize(
    "path",
    [
        f"/games/{NOBODY}/record.json",
        f"/games/{NOBODY}/mistakes.json",
        f"/play/{NOBODY}/state.json",
        "/rules/whist/example.json",
        "/api/v1/nothing/",
    ],
)
def test_a_program_is_told_in_json_that_nothing_is_there(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("not-found", None)
    assert error["message"].endswith(".")


def test_a_person_is_told_on_a_page(client: Client) -> None:
    answer = client.get("/nothing/")
    assert answer.status_code == 404
    assert answer["Content-Type"].startswith("text/html")
