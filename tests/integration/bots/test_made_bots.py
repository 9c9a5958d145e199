"""The bots that tests begin with are like those that people make."""

from typing import Any

import pytest
from django.forms.models import model_to_dict

from arena.accounts.models import User
from arena.notices.models import Notice
from bots.models import ActiveVersion, Bot, BotAuditEntry, CheckReport, Trial, Version
from tests.factories.accounts import author
from tests.factories.bots import PASSED, accepted_bot, judge, new_bot

pytestmark = pytest.mark.django_db

OWN = {
    *{"id", "bot", "owner", "version", "uploaded_by", "actor", "user", "key", "url", "at", "active_version"},
    *{"activated_at", "name", "slug", "look", "sha256", "archive", "text"},
}
"""Fields that say which row this is, whose, when, and of which bot."""
KINDS = (Bot, ActiveVersion, Version, BotAuditEntry, CheckReport, Trial, Notice)


def left_by(owner: User) -> dict[str, list[dict[str, Any]]]:
    """All rows about a person's bots, without what no two have alike."""
    wanted = {
        Bot: Bot.objects.filter(owner=owner),
        ActiveVersion: ActiveVersion.objects.filter(bot__owner=owner).order_by("board"),
        Version: Version.objects.filter(bot__owner=owner),
        BotAuditEntry: BotAuditEntry.objects.filter(bot__owner=owner),
        CheckReport: CheckReport.objects.filter(version__bot__owner=owner),
        Trial: Trial.objects.filter(version__bot__owner=owner).order_by("board"),
        Notice: Notice.objects.filter(user=owner),
    }
    found = {}
    for kind in KINDS:
        rows = [model_to_dict(row) for row in wanted[kind]]
        found[kind.__name__] = [
            {name: value for name, value in row.items() if name not in OWN} for row in rows
        ]
    return found


def test_a_bot_made_for_tests_leaves_the_same_rows_as_one_that_was_uploaded_and_checked() -> None:
    ada, bob = author("ada"), author("bob")
    checked = new_bot(ada, "Sprinter")
    judge(checked, True, PASSED)
    made = accepted_bot(bob, "Sprintes")

    uploaded, prepared = left_by(ada), left_by(bob)

    for rows in (uploaded, prepared):
        assert all(rows.values()), "nothing to compare"
    assert prepared == uploaded
    assert made.bot.active_version == made
    assert made.bot.slug == "sprintes"
