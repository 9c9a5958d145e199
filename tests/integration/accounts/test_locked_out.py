"""Nobody keeps others from signing in, from a new password, or from signing up."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from arena.accounts.adapter import KNOWN_BROWSER_RATE
from arena.accounts.browsers import COOKIE
from arena.accounts.forms import RESET_MAILS
from arena.accounts.models import User
from tests.factories.accounts import PASSWORD, author, with_address

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LOGIN = "/accounts/login/"
RESET = "/accounts/password/reset/"
HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"


@pytest.fixture(autouse=True)
def limited(settings: Any) -> Iterator[None]:
    from arena import settings as real

    settings.ACCOUNT_RATE_LIMITS = real.ACCOUNT_RATE_LIMITS
    cache.clear()
    yield
    cache.clear()


def sign_in(client: Client, password: str = PASSWORD, address: str = HOME, name: str = "ada") -> bool:
    client.post(LOGIN, {"login": name, "password": password}, REMOTE_ADDR=address)
    entered = "_auth_user_id" in client.session
    client.post("/accounts/logout/")
    return entered


def guess(address: str, times: int = 12) -> None:
    for _ in range(times):
        assert not sign_in(Client(), "wrong", address)


def test_wrong_passwords_from_elsewhere_keep_nobody_out() -> None:
    author("ada")
    guess(ELSEWHERE)
    assert not sign_in(Client(), address=ELSEWHERE)
    assert sign_in(Client())


def test_wrong_passwords_from_the_same_address_do_not_keep_a_known_browser_out() -> None:
    author("ada"), author("bob")
    known = Client()
    assert sign_in(known)
    guess(HOME)
    refused = Client().post(LOGIN, {"login": "ada", "password": PASSWORD}, REMOTE_ADDR=HOME)
    assert "Forgot your password?" in refused.content.decode()
    assert sign_in(known)
    assert not sign_in(known, name="bob"), "it is known to one account, and others count by address"
    forged = Client()
    forged.cookies[COOKIE] = known.cookies[COOKIE].value[:-1] + "x"
    assert not sign_in(forged)
    # A known browser guesses no more often than any other.
    for _ in range(int(KNOWN_BROWSER_RATE.partition("/")[0])):
        assert not sign_in(known, "wrong")
    assert not sign_in(known)


def test_a_new_password_lets_its_owner_in_whatever_was_guessed() -> None:
    with_address()
    guess(HOME)
    for number in range(12):
        answer = Client().post(RESET, {"email": "ada@example.org"}, REMOTE_ADDR=f"198.51.100.{number}")
        assert answer.status_code == 302
    assert len(mail.outbox) == RESET_MAILS, "asking often fills no letter box"
    assert Client().post(RESET, {"email": "ada@example.org"}, REMOTE_ADDR=HOME).status_code == 302
    link = re.search(r"http://testserver(\S+/reset/key/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    browser = Client(REMOTE_ADDR=HOME)
    target = browser.get(link[1], follow=True).redirect_chain[-1][0]
    new = "ten of clubs on jack"
    browser.post(target, {"password1": new, "password2": new})
    assert sign_in(browser, new)


def test_one_address_does_not_use_up_the_new_accounts_of_all(settings: Any) -> None:
    per_hour = settings.ACCOUNT_RATE_LIMITS["signup"].partition(",")[2]
    settings.ACCOUNT_RATE_LIMITS = {"signup": "2/h/ip"}
    assert per_hour == "100/h/ip"

    def sign_up(name: str, address: str) -> None:
        form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
        Client().post("/accounts/signup/", form, REMOTE_ADDR=address)

    for name in ("ada", "bob", "eve"):
        sign_up(name, ELSEWHERE)
    sign_up("carol", HOME)
    assert sorted(User.objects.values_list("username", flat=True)) == ["ada", "bob", "carol"]
