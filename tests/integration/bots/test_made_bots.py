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
WHOSE = {
    **{Bot: "owner", ActiveVersion: "bot__owner", Version: "bot__owner", BotAuditEntry: "bot__owner"},
    **{CheckReport: "version__bot__owner", Trial: "version__bot__owner", Notice: "user"},
}


def left_by(owner: User) -> dict[str, list[dict[str, Any]]]:
    """All rows about a person's bots, without what no two have alike."""
    found = {}
    for kind, whose in WHOSE.items():
        rows = kind.objects.filter(**{whose: owner}).order_by("pk")  # type: ignore[attr-defined]
        told = [
            {name: value for name, value in model_to_dict(row).items() if name not in OWN} for row in rows
        ]
        found[kind.__name__] = sorted(told, key=str)
    return found


def test_a_bot_made_for_tests_leaves_the_same_rows_as_one_that_was_uploaded_and_checked() -> None:
    ada, bob = author("ada"), author("bob")
    judge(new_bot(ada, "Sprinter"), True, PASSED)
    made = accepted_bot(bob, "Sprintes")
    uploaded, prepared = left_by(ada), left_by(bob)
    assert all(uploaded.values()), "nothing to compare"
    assert prepared == uploaded
    assert (made.bot.active_version, made.bot.slug) == (made, "sprintes")
