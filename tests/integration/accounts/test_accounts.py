"""Signing up, in and out."""

import pytest
from django.test import Client
from django.utils.html import escape

from arena.accounts.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "four houses and a reserve"


def sign_up(client: Client, name: str, first: str = PASSWORD, second: str = PASSWORD) -> list[str]:
    """Sign up; the sentences that the page shows when that did not do."""
    form = {"username": name, "password1": first, "password2": second}
    answer = client.post("/accounts/signup/", form)
    if answer.status_code == 302:
        return []
    said = [str(sentence) for sentences in answer.context["form"].errors.values() for sentence in sentences]
    for sentence in said:
        assert escape(sentence) in answer.content.decode()
    return said


def test_a_name_and_a_password_are_enough_to_sign_up_and_a_name_is_taken_in_any_spelling(
    client: Client,
) -> None:
    sign_up(client, "ada")
    user = User.objects.get()
    assert (user.username, user.email, user.is_staff) == ("ada", "", False)
    assert client.session["_auth_user_id"] == str(user.pk)
    assert sign_up(Client(), "ADA") == ["A user with that username already exists."]
    assert User.objects.count() == 1


def test_one_signs_in_and_goes_where_one_wanted_to_go_but_nowhere_else_and_out_by_a_click(
    client: Client,
) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    form = {"login": "ada", "password": PASSWORD}
    assert Client().post("/accounts/login/?next=https://evil.example/", form).headers["Location"] == "/"
    assert client.post("/accounts/login/?next=/bots/new/", form).headers["Location"] == "/bots/new/"
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session, "a link is not enough"
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session
