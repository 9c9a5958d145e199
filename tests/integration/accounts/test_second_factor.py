"""Two-factor authentication: offered to everybody, required of staff; and the limit of attempts."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections
from django.test import Client

from arena.accounts.models import User
from tests.factories.accounts import PASSWORD, SECRET, code_of, operator, sign_in_operator

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
TOO_MANY = "Too many wrong passwords. Wait five minutes, or choose “Forgot your password?”"
ACTIVATE = "/accounts/two-factor/totp/activate/"
ADMIN = "/admin/accounts/user/"


@pytest.fixture(autouse=True)
def no_earlier_attempts() -> Iterator[None]:
    """Limits of attempts and used codes are kept in the cache."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def limited(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post(f"{LOGIN}?next={ADMIN}", {"login": name, "password": password})


def test_the_first_operator_is_led_from_signing_in_to_the_administration(client: Client) -> None:
    operator()
    assert client.get(ADMIN).headers["Location"] == f"/admin/login/?next={ADMIN}"
    assert client.get(f"/admin/login/?next={ADMIN}").headers["Location"] == (
        f"/accounts/login/?next={ADMIN.replace('/', '%2F')}"
    )
    assert sign_in(client, "chief").headers["Location"] == ADMIN
    assert client.get(f"/admin/login/?next={ADMIN}").headers["Location"] == ACTIVATE
    # The password that signed in a moment ago is enough.
    page = client.get(ACTIVATE)
    html = page.content.decode()
    assert "Set up two-factor authentication first: the administration asks for it." in html
    secret = page.context["form"].secret
    assert secret in html
    assert 'src="data:image/svg+xml;base64,' in html
    done = client.post(ACTIVATE, {"code": code_of(secret)})
    assert done.headers["Location"] == "/accounts/two-factor/recovery-codes/"
    codes = client.get(done.headers["Location"])
    assert codes.context["unused_codes"][0] in codes.content.decode()
    # So is the code that set it up.
    assert client.get(ADMIN).status_code == 200


def test_no_page_of_the_administration_opens_to_a_password_alone_or_to_others(client: Client) -> None:
    staff, other, ada = operator(), Client(), Client()
    client.force_login(staff)
    addresses = ("/admin/", ADMIN, "/admin/jsi18n/", "/admin/accounts/user/add/")
    assert {client.get(address).status_code for address in addresses} == {302}
    TOTP.activate(staff, SECRET)
    assert sign_in(other, "chief").headers["Location"] == "/accounts/two-factor/authenticate/"
    assert "_auth_user_id" not in other.session
    assert {one.get(address).status_code for address in addresses for one in (client, other)} == {302}
    ada.force_login(User.objects.create_user("ada", password=PASSWORD))
    assert ada.get("/admin/login/").status_code == 403


def test_the_administration_opens_to_password_and_code_and_each_code_works_once(client: Client) -> None:
    code = code_of(seconds=15)  # so that signing in takes the same one
    staff = sign_in_operator(client)
    assert client.get(ADMIN).status_code == 200
    other = Client()
    sign_in(other, "chief")
    assert other.post("/accounts/two-factor/authenticate/", {"code": code}).status_code == 422
    assert "_auth_user_id" not in other.session
    assert client.get("/admin/login/?next=https://evil.example/").headers["Location"] == "/admin/overview/"
    assert client.get("/admin/login/?next=//evil.example/admin/").headers["Location"] == "/admin/overview/"
    assert client.get("/admin/password_change/").headers["Location"] == "/accounts/password/change/"
    page = client.get(f"/admin/mfa/authenticator/{Authenticator.objects.get(user=staff).pk}/change/")
    assert (page.status_code, SECRET in page.content.decode()) == (200, False), "it shows nobody's secret"
    # The command line lets an operator in who has lost the second factor.
    call_command("remove_second_factor", "chief")
    assert sign_in(Client(), "chief").headers["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_recovery_code_used_twice_at_once_lets_in_one(client: Client) -> None:
    user = User.objects.create_user("ada", password=PASSWORD)
    code = RecoveryCodes.activate(user).get_unused_codes()[0]
    # Both have read the codes before either uses one.
    both = [Authenticator.objects.get(user=user).wrap() for _ in range(2)]
    together = threading.Barrier(2)

    def use(codes: RecoveryCodes) -> bool:
        try:
            together.wait()
            return bool(codes.validate_code(code))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(use, both)) == [False, True]
    assert len(Authenticator.objects.get(user=user).wrap().get_unused_codes()) == 9


@pytest.mark.usefixtures("limited")
def test_passwords_and_codes_are_guessed_five_times_and_no_more(client: Client) -> None:
    operator()
    for attempt in range(9):
        # Another port in the Host header, which the sender chooses, begins nothing anew.
        sender: Any = {"HTTP_HOST": f"localhost:{attempt + 1}"}
        client.post(LOGIN, {"login": "chief", "password": "wrong"}, **sender)
        client.post("/admin/login/", {"username": "chief", "password": PASSWORD}, **sender)
    refused = client.post(LOGIN, {"login": "chief", "password": PASSWORD})
    assert "_auth_user_id" not in client.session
    assert TOO_MANY in refused.content.decode()
    cache.clear()
    TOTP.activate(User.objects.create_user("ada", password=PASSWORD), SECRET)
    sign_in(client, "ada")
    for _ in range(5):
        client.post("/accounts/two-factor/authenticate/", {"code": "wrong"})
    refused = client.post("/accounts/two-factor/authenticate/", {"code": code_of()})
    assert TOO_MANY in refused.content.decode()
    assert "_auth_user_id" not in client.session
    # A name in letters with the same capitals has no attempts of its own.
    cache.clear()
    other = Client()
    User.objects.create_user("sisi", password=PASSWORD)
    for spelling in ("sisi", "SISI", "s\u0131si", "\u017fisi", "\u017f\u0131\u017f\u0131"):
        sign_in(other, spelling, "wrong")
    assert TOO_MANY in sign_in(other, "sisi").content.decode()


def test_a_session_from_before_the_second_factor_cannot_change_it_by_the_password(client: Client) -> None:
    staff = operator()
    sign_in(client, "chief")
    TOTP.activate(staff, SECRET)
    RecoveryCodes.activate(staff)
    by_code = "/accounts/two-factor/reauthenticate/"
    for address in ("totp/deactivate/", "recovery-codes/", "recovery-codes/generate/"):
        page = f"/accounts/two-factor/{address}"
        assert client.get(page, follow=True).redirect_chain[-1][0].startswith(by_code)
        again = client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        assert again.headers["Location"] == by_code
        assert client.get(page, follow=True).redirect_chain[-1][0].startswith(by_code)
        client.post(page)
    assert Authenticator.objects.filter(user=staff).count() == 2
