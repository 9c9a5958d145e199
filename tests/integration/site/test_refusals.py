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
NOTHING = (
    *(f"/games/{NOBODY}/record.json", f"/games/{NOBODY}/mistakes.json", f"/play/{NOBODY}/state.json"),
    *("/rules/whist/example.json", "/api/v1/nothing/"),
)


def test_a_bad_form_is_shown_again_with_422(client: Client) -> None:
    for path, form in FORMS.items():
        if not path.startswith("/accounts/"):
            client.force_login(User.objects.get_or_create(username="ada")[0])
        assert client.post(path, form).status_code == 422, path


def test_a_program_is_told_in_json_that_nothing_is_there_and_a_person_on_a_page(client: Client) -> None:
    for path in NOTHING:
        answer = client.get(path)
        error = answer.json()["error"]
        assert (answer.status_code, error["code"], error["field"]) == (404, "not-found", None), path
        assert error["message"].endswith(".")
    answer = client.get("/nothing/")
    assert (answer.status_code, answer["Content-Type"][:9]) == (404, "text/html")
