"""Moderators decide while one of those concerned deletes their account."""

from collections.abc import Callable

import pytest
from django.db import connection

from arena.accounts.models import User
from bots.models import Bot
from people.moderation import decisions
from people.moderation.models import AbuseReport, Act, Subject
from tests.factories.accounts import author, with_address
from tests.factories.bots import accepted_bot, shared
from tests.integration.moderation.test_moderation import BAD, WHY, hide, moderator, report
from tests.racing import waiting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.on_postgresql]

DECISIONS: dict[str, Callable[[User, Bot], object]] = {
    "hide": lambda staff, bot: decisions.hide(staff, Subject.BOT, bot.pk, ["name"], WHY),
    "rename": lambda staff, bot: decisions.rename(staff, Subject.BOT, bot.pk, "Nice bot", WHY),
    "dismiss": lambda staff, bot: decisions.dismiss_reports(staff, Subject.BOT, bot.pk),
    "ban": lambda staff, bot: decisions.ban(staff, bot.owner_id or 0, 3, WHY, (Subject.BOT, bot.pk)),
    "lift": lambda staff, bot: decisions.lift(staff, Act.objects.get()),
}


@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("whose", ["eve", "bob", "rita", "mod"])
def test_a_decision_waits_for_an_account_that_is_being_deleted(decision: str, whose: str) -> None:
    eve, bob, staff = with_address("eve"), author("bob"), moderator()
    bot = shared(accepted_bot(eve, BAD).bot, bob)
    if decision == "lift":
        hide(bot, "name")
        bot.refresh_from_db()
    report(with_address("rita"), bot)
    if not connection.features.has_select_for_update:  # one writes at a time
        DECISIONS[decision](staff, bot)
        return
    account = User.objects.filter(username=whose)
    with waiting(lambda: DECISIONS[decision](staff, bot), lambda: account.select_for_update().get()):
        for model in (Bot, AbuseReport, Act):
            list(model._default_manager.select_for_update(nowait=True, of=("self",)))
