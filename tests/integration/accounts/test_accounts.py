"""Signing up, in and out."""

import pytest
from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.template import Context, Template
from django.test import Client
from django.utils.html import escape

from arena.accounts.models import User
from arena.web import names
from arena.web.cache import values
from arena.web.models import Limit
from bots import bots
from bots.errors import NameRefused
from tests.factories.accounts import PASSWORD, author, sign_in_operator
from tests.factories.bots import new_bot
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
