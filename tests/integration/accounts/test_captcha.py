"""A captcha at sign-up, and at sign-in after wrong passwords, with a real server that judges the tokens."""

from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from arena.accounts import captcha
from arena.accounts.adapter import AccountAdapter
from arena.accounts.models import User
from arena.operate import health
from arena.web.cache import values
from arena.web.models import Limit
from tests.captcha_service import CLASS, SECRET, SITE_KEY, CaptchaService, captcha_service
from tests.factories.accounts import PASSWORD, author, sign_in_operator

pytestmark = pytest.mark.django_db
FIELD = f"{CLASS}-response"
CONFIRM = "Confirm that you are a person, then send the form again."
UNANSWERED = "We can’t check right now that you are a person. Try again in a few minutes."


@pytest.fixture
def service(settings: Settings) -> Iterator[CaptchaService]:
    cache.clear()
    with captcha_service() as found:
        settings.CAPTCHA = found.captcha
        yield found
    cache.clear()


def sign_up(name: str, token: str | None = None, **changed: str) -> HttpResponse:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, **changed}
    return Client().post("/accounts/signup/", form | ({} if token is None else {FIELD: token}))  # type: ignore[return-value]


def sign_in(name: str, password: str, token: str | None = None, address: str = "192.0.2.1") -> HttpResponse:
    """What a visitor from an address gets who gives a password."""
    form = {"login": name, "password": password} | ({} if token is None else {FIELD: token})
    return Client(REMOTE_ADDR=address).post("/accounts/login/", form)  # type: ignore[return-value]


def names() -> list[str]:
    return sorted(User.objects.values_list("username", flat=True))


def test_without_the_setting_nothing_is_asked_and_no_policy_is_opened() -> None:
    assert "frame-src" not in Client().get("/accounts/signup/")["Content-Security-Policy"]
    assert sign_up("ada").status_code == 302
    for _ in range(4):
        assert sign_in("ada", "wrong").status_code == 422
    assert sign_in("ada", PASSWORD).status_code == 302


def test_an_account_is_made_only_for_a_token_that_the_service_takes_once(service: CaptchaService) -> None:
    for token in (None, "", "program", "x" * 20_000):
        page = sign_up("ada", token)
        assert page.status_code == 422
        assert CONFIRM in page.content.decode()
    assert names() == []
    assert [one["response"] for one in service.asked] == ["program"], "it is asked about real tokens alone"
    assert sign_up("ada", "person-1", password2="another one").status_code == 422
    assert len(service.asked) == 1, "a token is not spent on a form with other faults"
    assert sign_up("ada", "person-1").status_code == 302
    assert service.asked[-1] == {"secret": SECRET, "response": "person-1", "sitekey": SITE_KEY}
    service.says = 200, b'{"success": true}'
    assert CONFIRM in sign_up("bob", "person-1").content.decode(), "even if the service takes it twice"
    assert names() == ["ada"]


def test_nobody_passes_while_the_service_cannot_judge_and_operators_are_told(
    service: CaptchaService, client: Client
) -> None:
    def state() -> object:
        return Client().get("/health").json()["parts"]["captcha"]

    sign_in_operator(client)
    keys = b'{"success": false, "error-codes": ["invalid-input-secret"]}'
    for status, body, reason in (
        (502, b'{"success": true}', "It answered 502."),
        (200, b"[]", "It answered 200 and no verdict."),
        (200, keys, "It refuses the keys: invalid-input-secret."),
    ):
        service.says = status, body
        page = sign_up("ada", "person-1")
        assert (page.status_code, UNANSWERED in page.content.decode(), names()) == (422, True, ["chief"])
        assert state() == {"ok": False}
        assert reason in health.captcha()["reason"]
        assert reason in client.get("/admin/overview/").content.decode()
        service.says = None
        assert sign_up("ada", f"person-{len(reason)}").status_code == 302
        assert state() == {"ok": True}
        User.objects.filter(username="ada").delete()
        cache.clear()
    # Operators can do without, while the site runs.
    service.says = 500, b""
    sign_up("ada", "person-1")
    assert service.origin in Client().get("/accounts/signup/")["Content-Security-Policy"]
    Limit.objects.create(name="captcha", value=0)
    values.forget_all()
    assert service.origin not in Client().get("/accounts/signup/")["Content-Security-Policy"]
    assert sign_up("ada").status_code == 302
    assert state() == {"ok": True}


def test_signing_in_asks_after_wrong_passwords_for_account_or_address(service: CaptchaService) -> None:
    author("ada"), author("bob")
    for _ in range(2):
        assert CLASS not in sign_in("ada", "wrong").content.decode()
    third = sign_in("ADA", "wrong")
    assert f'class="{CLASS}"' in third.content.decode(), "another spelling is the same account"
    assert service.origin in third["Content-Security-Policy"]
    for page in (
        sign_in("ada", PASSWORD),
        sign_in("ada", PASSWORD, "program"),
        sign_in("ada", PASSWORD, address="192.0.2.2"),
        sign_in("bob", PASSWORD),
    ):
        assert page.status_code == 422
        assert CONFIRM in page.content.decode()
    assert sign_in("bob", PASSWORD, address="192.0.2.2").status_code == 302, "another account and address"
    assert CONFIRM not in sign_in("ada", "wrong", "person-1").content.decode()
    assert sign_in("ada", PASSWORD, "person-2").status_code == 302


def test_no_password_is_looked_at_before_the_captcha_and_the_second_factor_comes_after_it(
    service: CaptchaService, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = author("ada")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    for _ in range(captcha.FAILURES):
        sign_in("ada", "wrong")
    with monkeypatch.context() as watched:
        looked: list[object] = []
        watched.setattr(AccountAdapter, "authenticate", lambda *_, **given: looked.append(given))
        for password in (PASSWORD, "wrong"):
            assert CONFIRM in sign_in("ada", password).content.decode()
        assert looked == []
        sign_in("ada", "wrong", "person-1")
        assert len(looked) == 1
    answer = sign_in("ada", PASSWORD, "person-2")
    assert answer["Location"].startswith("/accounts/two-factor/authenticate/")
    assert len(service.asked) == 2
