"""The address that a bot shows on its page: who sets it, who sees it, and what nobody can make of it."""

import pytest
from django.test import Client

from arena.accounts.models import User
from bots.bots import BotDetails, edit_bot
from bots.errors import BotsError
from bots.models import Bot
from people.deletion import delete_account
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.bots import accepted_bot
from tests.factories.results import play_all
from tests.factories.tournaments import rivals, running

pytestmark = pytest.mark.django_db
ADDRESS = "https://git.example/ada/first?tab=<readme>"
LINK = f'<a href="{ADDRESS}" rel="nofollow noopener ugc">{ADDRESS}</a>'.replace("<readme>", "&lt;readme&gt;")
PAGE = "/bots/adas-first/"


@pytest.fixture
def bot(ada: User) -> Bot:
    """A bot of Ada's that shows an address."""
    found = accepted_bot(ada).bot
    edit_bot(found, BotDetails(found.name, homepage=ADDRESS))
    return found


def test_an_owner_sets_it_on_the_page_and_everyone_sees_a_link_that_lends_no_rank(
    client: Client, as_ada: Client, ada: User
) -> None:
    accepted_bot(ada)
    said = {"name": "Ada's first", "open_to_all": "on"}
    assert as_ada.post(f"{PAGE}edit/", said | {"homepage": ADDRESS}).status_code == 302
    assert LINK in client.get(PAGE).content.decode()


def test_no_other_address_is_taken_by_form_or_program(as_ada: Client, bot: Bot) -> None:
    for address in (
        *("javascript:alert(1)", "data:text/html,x", "ftp://git.example/", "git.example"),
        *("https://ada:secret@git.example/", "https://arena.example@evil.example/"),
        *("https://git.example/\u202efdp.exe", "https://git.example/ x", f"https://git.example/{'x' * 200}"),
    ):
        with pytest.raises(BotsError) as refused:
            edit_bot(bot, BotDetails(bot.name, homepage=address))
        assert refused.value.field == "homepage"
        if address != "git.example":  # a person may leave out https://
            answer = as_ada.post(f"{PAGE}edit/", {"name": bot.name, "homepage": address})
            assert answer.status_code == 422, address
        assert Bot.objects.get().homepage == ADDRESS


def test_nobody_sees_it_while_moderators_hide_it_or_its_owner_nor_after_they_left(
    client: Client, bot: Bot
) -> None:
    staff = User.objects.create_user("mod", is_staff=True)
    assert bot.owner is not None
    hidden = decisions.hide(staff, Subject.BOT, bot.pk, ["homepage"], Why("spam", "No."))
    with pytest.raises(BotsError, match="Moderators made a decision about this text"):
        edit_bot(Bot.objects.get(), BotDetails(bot.name, homepage="https://other.example/"))
    assert "git.example" not in client.get(PAGE).content.decode()
    decisions.lift(staff, hidden, "")
    assert Bot.objects.get().homepage == ADDRESS
    act = decisions.ban(staff, bot.owner.pk, 3, Why("spam", "No."))
    assert "git.example" not in client.get(PAGE).content.decode()
    decisions.lift(staff, act, "")
    assert LINK in client.get(PAGE).content.decode()
    play_all(running(None, [bot.versions.get(), *rivals(1)], pairs=1))
    delete_account(bot.owner)
    assert Bot.objects.get(pk=bot.pk).homepage == ""
