"""Names that only look like others are refused; what reorders text is spelt out."""

import pytest
from django.template import Context, Template
from django.test import Client

from arena.accounts.models import User
from arena.web import names
from bots import bots
from bots.errors import NameRefused
from bots.models import Bot
from tests.factories.accounts import author
from tests.factories.bots import new_bot
from tests.integration.accounts.test_accounts import sign_up
from tournaments.pages.creation.event_form import NewTournamentForm

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
TOO_MUCH = "This name looks too much like an existing one."
DISGUISES = {
    "dotless i": ("chıef", TOO_MUCH),
    "Cyrillic letter": (
        "сhief",
        "A name must not mix alphabets within a word: сhief mixes Cyrillic and Latin.",
    ),
    "fullwidth": ("ｃhief", TOO_MUCH),
    "mathematical": ("𝐜hief", TOO_MUCH),
    "filler that is a letter": (
        "chief\u3164",
        "A name must not contain invisible characters, such as U+3164 here.",
    ),
    "dots": ("..", "A name needs at least one letter or digit."),
    "reserved": ("admın", TOO_MUCH),
    "a capital with a dot": ("CHİEF", TOO_MUCH),
}
BOT_DISGUISES = (
    ("PIanner", "The name PIanner looks too much like an existing one."),
    ("P1anner", "The name P1anner looks too much like an existing one."),
    ("Ρlanner", "A name must not mix alphabets within a word: Ρlanner mixes Greek and Latin."),
    ("Planner\u202e", "A name must not contain invisible characters, such as U+202E here."),
    ("Pla\u2800nner", "A name must not contain invisible characters, such as U+2800 here."),
    ("P" + "\u0301" * 9 + "lanner", "A name must not pile accents on one letter."),
    ("Hοuse x", "A name must not mix alphabets within a word: Hοuse mixes Greek and Latin."),
    ("adrnin", "The name adrnin looks too much like an existing one."),
    ("Plan\u17b4ner", "A name must not contain invisible characters, such as U+17B4 here."),
    ("Planner\u180b", "A name must not contain invisible characters, such as U+180B here."),
    ("Planner\u0332", "A name must not have letters that are underlined, struck through or encircled."),
    ("P\u0337lanner", "A name must not have letters that are underlined, struck through or encircled."),
    ("Planner\u20dd", "A name must not have letters that are underlined, struck through or encircled."),
)


def test_nobody_can_sign_up_with_a_look_alike_name(client: Client) -> None:
    author("chief")
    for name, sentence in DISGUISES.values():
        assert sentence in sign_up(client, name), name
    assert User.objects.count() == 1


def test_names_of_all_alphabets_are_welcome() -> None:
    author("chief")
    for name in ("José", "Лев", "王小明", "ボットBot", "α-β", "x2", "Ωμέγα", "ch1ef2"):
        assert sign_up(Client(), name) == [], name


@pytest.mark.any_database
def test_no_bot_can_be_named_or_renamed_to_look_like_another() -> None:
    new_bot(author("bob"), "Planner")
    mine = new_bot(ada := author(), "Mine").bot
    for name, sentence in BOT_DISGUISES:
        with pytest.raises(NameRefused) as refused:
            new_bot(ada, name)
        assert str(refused.value) == sentence
        with pytest.raises(NameRefused):
            bots.edit_bot(mine, bots.BotDetails(name, description="", open_to_all=True))
    mine.refresh_from_db()
    assert mine.name == "Mine"


def test_a_name_without_a_look_of_its_own_keeps_working() -> None:
    """As on a site that had two names of one look when the rule came."""
    owner = author()
    bot = new_bot(owner, "Other").bot
    Bot.objects.filter(pk=bot.pk).update(name="PIanner", look=None)
    User.objects.filter(pk=owner.pk).update(username="chıef", look=None)
    bot.refresh_from_db()
    bots.edit_bot(bot, bots.BotDetails("PIanner", description="As ever.", open_to_all=True))
    bot.refresh_from_db()
    assert bot.description == "As ever."
    owner.refresh_from_db()
    owner.save()
    assert owner.username == "chıef"


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


def test_a_tournament_hides_nothing_in_its_name() -> None:
    form = NewTournamentForm(author(), {"name": "Cup\u202egnp.exe"})
    assert "U+202E" in form.errors["name"][0]


def test_controls_that_reorder_text_are_spelt_out() -> None:
    template = Template("{% load site %}{{ text|visible }}")
    assert template.render(Context({"text": "a\u202eb\u2066<i>\n"})) == "a⟨U+202E⟩b⟨U+2066⟩&lt;i&gt;\n"
