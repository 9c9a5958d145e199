"""Who is asked to run a bot or an event with others, and why somebody is not, in words for whoever asks."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth import get_user_model
from django.utils import timezone
from django.utils.translation import gettext

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from arena.accounts.models import User

MOST_A_DAY: Final = 20
"""Invitations of one account in 24 hours, to any bots, and as many to any events."""
DAY: Final = timedelta(days=1)


def nobody_named(name: str) -> str:
    """That there is no such user."""
    return gettext("There is no user named %(name)s.") % {"name": name.strip()[:150]}


def why_not_again(status: str, person: User, accepted: str) -> str:
    """Why somebody who was asked before is not asked again; `accepted` is said if they take part already."""
    sentences = {
        "invited": gettext("%(name)s is already invited."),
        "accepted": accepted,
        "declined": gettext("%(name)s declined. They can still change their mind."),
        "closed": gettext("%(name)s declined, and the invitation was closed."),
    }
    return sentences[status] % {"name": person}


def why_not_today(invited: QuerySet[Any], by: User) -> str:
    """Why an account, locked by the caller, cannot invite anybody today; empty if it can.

    `invited` are the entries of the audit log that were invitations.
    """
    if invited.filter(actor=by, at__gt=timezone.now() - DAY).count() < MOST_A_DAY:
        return ""
    return gettext(
        "You invited %(most)s people in 24 hours, the most one account can. Try again tomorrow."
    ) % {"most": MOST_A_DAY}


def account_named(name: str) -> User | None:
    """The account of this name that is not suspended; None if there is none."""
    found: User | None = (
        get_user_model().objects.filter(username__iexact=name.strip()[:150], is_active=True).first()
    )
    return found
