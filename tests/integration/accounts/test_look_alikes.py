"""Names that only look like others are refused; what reorders text is spelt out."""

import pytest
from django.template import Context, Template
from django.test import Client

from arena.accounts.models import User
from arena.web import names
from bots import bots
from bots.errors import NameRefused
from tests.factories.accounts import author
from tests.factories.bots import new_bot
from tests.integration.accounts.test_accounts import sign_up
from tournaments.pages.creation.event_form import NewTournamentForm

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
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


def test_nobody_can_sign_up_with_a_look_alike_name_and_all_alphabets_are_welcome(client: Client) -> None:
    author("chief")
    for name, sentence in DISGUISES.items():
        assert sentence in sign_up(client, name), name
    assert User.objects.count() == 1
    for name in ("José", "Лев", "王小明", "ボットBot", "α-β", "x2", "Ωμέγα", "ch1ef2"):
        assert sign_up(Client(), name) == [], name


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


def test_of_two_simultaneous_look_alike_names_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
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


def test_controls_that_reorder_text_are_refused_in_names_and_spelt_out_elsewhere() -> None:
    form = NewTournamentForm(author(), {"name": "Cup\u202egnp.exe"})
    assert "U+202E" in form.errors["name"][0]
    template = Template("{% load site %}{{ text|visible }}")
    assert template.render(Context({"text": "a\u202eb\u2066<i>\n"})) == "a⟨U+202E⟩b⟨U+2066⟩&lt;i&gt;\n"
