"""What operators do, while the site runs, when somebody makes accounts by the hundred."""

import pytest
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.test import Client

from arena.accounts.models import User
from arena.web.cache import values
from arena.web.models import Limit
from tests.factories.accounts import PASSWORD, author, sign_in_operator

pytestmark = pytest.mark.django_db


def limit(name: str, value: int) -> None:
    Limit.objects.update_or_create(name=name, defaults={"value": value})
    values.forget_all()


def sign_up(name: str) -> HttpResponse:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client().post("/accounts/signup/", form, follow=True)  # type: ignore[return-value]


def test_no_more_accounts_are_made_in_an_hour_than_operators_allow() -> None:
    limit("sign_ups_per_hour", 2)
    for name in ("ada", "bob", "eve"):
        sign_up(name)
    assert sorted(User.objects.values_list("username", flat=True)) == ["ada", "bob"]
    assert "closed at the moment" in sign_up("eve").content.decode()
    User.objects.update(date_joined="2026-01-01T00:00:00Z")
    sign_up("eve")
    assert User.objects.filter(username="eve").exists()


def test_a_held_account_signs_in_only_after_staff_let_it_in(client: Client) -> None:
    limit("hold_new_accounts", 1)
    assert "not active" in sign_up("ada").content.decode()
    held, off = User.objects.get(), author("banned")
    User.objects.filter(pk=off.pk).update(is_active=False, last_login="2026-01-01T00:00:00Z")
    stranger = Client()
    wish = {"login": "ada", "password": PASSWORD}
    assert stranger.post("/accounts/login/", wish)["Location"] == "/accounts/inactive/"
    assert "_auth_user_id" not in stranger.session
    chief = sign_in_operator(client)
    deed = {"action": "let_in", "_selected_action": [held.pk, off.pk]}
    client.post("/admin/accounts/user/", deed)
    stranger.post("/accounts/login/", wish)
    assert stranger.session["_auth_user_id"] == str(held.pk)
    assert not User.objects.get(pk=off.pk).is_active, "who was switched off stays off"
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id, entry.get_change_message()) == (chief, str(held.pk), "Let in.")
