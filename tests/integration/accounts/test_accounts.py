"""Signing up, in and out, under attack, with names that look alike, and past a captcha."""

from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.core.cache import cache
from django.http import HttpResponse
from django.template import Context, Template
from django.test import Client
from django.utils.html import escape
from pytest_django import Settings

from arena.accounts import captcha
from arena.accounts.adapter import AccountAdapter
from arena.accounts.models import User
from arena.operate import health
from arena.web import names
from arena.web.cache import values
from arena.web.models import Limit
from bots import bots
from bots.errors import NameRefused
from tests.captcha_service import CLASS, SECRET, SITE_KEY, CaptchaService, captcha_service
from tests.factories.accounts import PASSWORD, author, sign_in_operator
from tests.factories.bots import new_bot
from tournaments.models import AccountLink, RatingState
from tournaments.pages.creation.event_form import NewTournamentForm

pytestmark = pytest.mark.django_db


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


def test_a_name_and_a_password_are_enough_and_a_name_is_taken_in_any_spelling(client: Client) -> None:
    sign_up(client, "ada")
    user = User.objects.get()
    assert (user.username, user.email, user.is_staff) == ("ada", "", False)
    assert client.session["_auth_user_id"] == str(user.pk)
    assert sign_up(Client(), "ADA") == ["A user with that username already exists."]
    assert User.objects.count() == 1


def test_one_signs_in_and_goes_where_one_wanted_to_go_and_out_by_a_click(client: Client) -> None:
    User.objects.create_user("ada", password=PASSWORD)
    form = {"login": "ada", "password": PASSWORD}
    assert Client().post("/accounts/login/?next=https://evil.example/", form).headers["Location"] == "/"
    assert client.post("/accounts/login/?next=/bots/new/", form).headers["Location"] == "/bots/new/"
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session, "a link is not enough"
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session


def limit(name: str, value: int) -> None:
    Limit.objects.update_or_create(name=name, defaults={"value": value})
    values.forget_all()


def signed_up(name: str) -> HttpResponse:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return Client().post("/accounts/signup/", form, follow=True)  # type: ignore[return-value]


def test_no_more_accounts_are_made_in_an_hour_than_operators_allow() -> None:
    limit("sign_ups_per_hour", 2)
    for name in ("ada", "bob", "eve"):
        signed_up(name)
    assert sorted(User.objects.values_list("username", flat=True)) == ["ada", "bob"]
    assert "closed at the moment" in signed_up("eve").content.decode()
    User.objects.update(date_joined="2026-01-01T00:00:00Z")
    signed_up("eve")
    assert User.objects.filter(username="eve").exists()


def test_a_held_account_signs_in_only_after_staff_let_it_in(client: Client) -> None:
    limit("hold_new_accounts", 1)
    assert "not active" in signed_up("ada").content.decode()
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


def test_what_an_operator_deletes_in_a_list_goes_with_all_that_hangs_on_it(client: Client) -> None:
    ada, bob = author("ada"), author("bob")
    new_bot(ada, "Sharp")
    link = AccountLink.objects.create(one=ada, other=bob, reason="one address")
    RatingState.objects.create(variant="crapaud")
    sign_in_operator(client)

    def delete(table: str, key: int) -> None:
        deed = {"action": "delete_selected", "_selected_action": [key], "post": "yes"}
        client.post(f"/admin/{table}/", deed)

    delete("tournaments/accountlink", link.pk)
    assert RatingState.objects.get().requested, "rated again without the link"
    delete("accounts/user", ada.pk)
    assert not User.objects.filter(username="ada").exists()
    assert not LogEntry.objects.filter(object_repr="ada").exists()


TOO_MUCH = "This name looks too much like an existing one."
INVISIBLE = "A name must not contain invisible characters, such as {} here."
MIXED = "A name must not mix alphabets within a word: {} mixes {} and Latin."
STRUCK = "A name must not have letters that are underlined, struck through or encircled."
DISGUISES = {
    **dict.fromkeys(("chıef", "ｃhief", "𝐜hief", "admın", "CHİEF"), TOO_MUCH),
    "сhief": MIXED.format("сhief", "Cyrillic"),
    "chief\u3164": INVISIBLE.format("U+3164"),
    "..": "A name needs at least one letter or digit.",
}
BOT_DISGUISES = {
    **{name: f"The name {name} looks too much like an existing one." for name in ("P1anner", "adrnin")},
    "Hοuse x": MIXED.format("Hοuse", "Greek"),
    **{f"Pla{one}nner": INVISIBLE.format(f"U+{ord(one):04X}") for one in "\u202e\u2800\u17b4\u180b"},
    "P" + "\u0301" * 9 + "lanner": "A name must not pile accents on one letter.",
    **dict.fromkeys(("Planner\u0332", "P\u0337lanner", "Planner\u20dd"), STRUCK),
}


@pytest.mark.each_database
def test_nobody_can_sign_up_with_a_look_alike_name_and_all_alphabets_are_welcome(client: Client) -> None:
    author("chief")
    for name, sentence in DISGUISES.items():
        assert sentence in sign_up(client, name), name
    assert User.objects.count() == 1
    for name in ("José", "Лев", "王小明", "ボットBot", "α-β", "x2", "Ωμέγα", "ch1ef2"):
        assert sign_up(Client(), name) == [], name


@pytest.mark.each_database
@pytest.mark.any_database
def test_no_bot_can_be_named_or_renamed_to_look_like_another() -> None:
    new_bot(author("bob"), "Planner")
    mine = new_bot(ada := author(), "Mine").bot
    for name, sentence in BOT_DISGUISES.items():
        with pytest.raises(NameRefused) as refused:
            new_bot(ada, name)
        assert str(refused.value) == sentence
        with pytest.raises(NameRefused):
            bots.edit_bot(mine, bots.BotDetails(name, description="", open_to_all=True))
    mine.refresh_from_db()
    assert mine.name == "Mine"


@pytest.mark.each_database
def test_of_two_look_alikes_at_once_one_is_refused(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    author("chief")
    monkeypatch.setattr(names, "free_look", lambda _others, name: names.look(name))
    monkeypatch.setattr("arena.accounts.names.validate_look", lambda _name: None)
    monkeypatch.setattr("arena.accounts.names.VALIDATORS", [])
    answer = client.post(
        "/accounts/signup/",
        {"username": "chıef", "password1": "queen of spades", "password2": "queen of spades"},
    )
    assert answer.headers["Location"] == "/accounts/signup/"
    assert "Somebody took that name a moment ago." in client.get("/accounts/signup/").content.decode()
    assert User.objects.count() == 1


@pytest.mark.each_database
def test_controls_that_reorder_text_are_refused_in_names_and_spelt_out_elsewhere() -> None:
    form = NewTournamentForm(author(), {"name": "Cup\u202egnp.exe"})
    assert "U+202E" in form.errors["name"][0]
    template = Template("{% load site %}{{ text|visible }}")
    assert template.render(Context({"text": "a\u202eb\u2066<i>\n"})) == "a⟨U+202E⟩b⟨U+2066⟩&lt;i&gt;\n"


def test_an_account_without_a_password_chooses_one_where_others_change_theirs(client: Client) -> None:
    ada = User.objects.create_user("ada", password=None)
    client.force_login(ada)
    page = client.get("/accounts/password/change/", follow=True)
    assert 'action="/accounts/password/set/"' in page.content.decode()
    form = {"password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/password/set/", form)
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


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


def try_to_sign_up(name: str, token: str | None = None, **changed: str) -> HttpResponse:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, **changed}
    return Client().post("/accounts/signup/", form | ({} if token is None else {FIELD: token}))  # type: ignore[return-value]


def sign_in(name: str, password: str, token: str | None = None, address: str = "192.0.2.1") -> HttpResponse:
    """What a visitor from an address gets who gives a password."""
    form = {"login": name, "password": password} | ({} if token is None else {FIELD: token})
    return Client(REMOTE_ADDR=address).post("/accounts/login/", form)  # type: ignore[return-value]


def usernames() -> list[str]:
    return sorted(User.objects.values_list("username", flat=True))


def test_without_the_setting_nothing_is_asked_and_no_policy_is_opened() -> None:
    assert "frame-src" not in Client().get("/accounts/signup/")["Content-Security-Policy"]
    assert try_to_sign_up("ada").status_code == 302
    for _ in range(4):
        assert sign_in("ada", "wrong").status_code == 422
    assert sign_in("ada", PASSWORD).status_code == 302


def test_an_account_is_made_only_for_a_token_that_the_service_takes_once(service: CaptchaService) -> None:
    for token in (None, "", "program", "x" * 20_000):
        page = try_to_sign_up("ada", token)
        assert page.status_code == 422
        assert CONFIRM in page.content.decode()
    assert usernames() == []
    assert [one["response"] for one in service.asked] == ["program"], "it is asked about real tokens alone"
    assert try_to_sign_up("ada", "person-1", password2="another one").status_code == 422
    assert len(service.asked) == 1, "a token is not spent on a form with other faults"
    assert try_to_sign_up("ada", "person-1").status_code == 302
    assert service.asked[-1] == {"secret": SECRET, "response": "person-1", "sitekey": SITE_KEY}
    service.says = 200, b'{"success": true}'
    assert CONFIRM in try_to_sign_up("bob", "person-1").content.decode(), "even if the service takes it twice"
    assert usernames() == ["ada"]


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
        page = try_to_sign_up("ada", "person-1")
        assert (page.status_code, UNANSWERED in page.content.decode(), usernames()) == (422, True, ["chief"])
        assert state() == {"ok": False}
        assert reason in health.captcha()["reason"]
        assert reason in client.get("/admin/overview/").content.decode()
        service.says = None
        assert try_to_sign_up("ada", f"person-{len(reason)}").status_code == 302
        assert state() == {"ok": True}
        User.objects.filter(username="ada").delete()
        cache.clear()
    # Operators can do without, while the site runs.
    service.says = 500, b""
    try_to_sign_up("ada", "person-1")
    assert service.origin in Client().get("/accounts/signup/")["Content-Security-Policy"]
    Limit.objects.create(name="captcha", value=0)
    values.forget_all()
    assert service.origin not in Client().get("/accounts/signup/")["Content-Security-Policy"]
    assert try_to_sign_up("ada").status_code == 302
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


def test_wrong_passwords_count_for_the_account_by_its_old_name_too(service: CaptchaService) -> None:
    author("ada")
    User.objects.filter(username="ada").update(username="hidden-user-1", former_name="ada")
    for number, name in enumerate(("ada", "hidden-user-1", "Ada")):
        sign_in(name, "wrong", address=f"192.0.2.{number}")
    for name in ("ada", "hidden-user-1"):
        assert CONFIRM in sign_in(name, PASSWORD, address="192.0.2.9").content.decode()


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
