"""Takes reports, within limits."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from arena.accounts.confirmation import assert_confirmed
from bots.locks import lock_owner
from people.moderation import selectors
from people.moderation.errors import ModerationRefused, TooManyReports
from people.moderation.models import AbuseReport

if TYPE_CHECKING:
    from arena.accounts.models import User

MOST_A_DAY: Final = 10
"""Reports of one account in 24 hours."""
DAY: Final = timedelta(days=1)
AGAIN_AFTER: Final = timedelta(days=7)
"""How soon somebody may report a thing again after moderators found nothing wrong with it."""


@transaction.atomic
def report(reporter: User, subject: str, key: int, reason: str, words: str) -> AbuseReport:
    """Store a report of a thing.

    Raises ModerationRefused, TooManyReports over the limit, and AddressNotConfirmed.
    """
    assert_confirmed(reporter)
    lock_owner(reporter)
    thing = selectors.thing(subject, key)
    if thing is None or not selectors.may_report(reporter, subject, key):
        raise ModerationRefused(gettext("This is no longer there."))
    if thing.owner is None and not thing.left_behind:
        raise ModerationRefused(gettext("This is the arena’s own. Write to the operators instead."))
    if reporter.pk in thing.others or reporter == thing.owner:
        raise ModerationRefused(gettext("This is your own: you can change it yourself."))
    now = timezone.now()
    own = AbuseReport.objects.filter(reporter=reporter)
    if own.filter(at__gt=now - DAY).count() >= MOST_A_DAY:
        raise TooManyReports(
            gettext("You made %(most)s reports in 24 hours, the most one account can. Try again tomorrow.")
            % {"most": MOST_A_DAY}
        )
    earlier = own.filter(subject=subject, key=key)
    if earlier.filter(status=AbuseReport.Status.OPEN).exists():
        raise ModerationRefused(gettext("You have already reported this. Moderators will look at it."))
    if earlier.filter(status=AbuseReport.Status.DISMISSED, closed_at__gt=now - AGAIN_AFTER).exists():
        raise ModerationRefused(gettext("Moderators looked at this a few days ago and left it as it is."))
    try:
        with transaction.atomic():
            return AbuseReport.objects.create(
                reporter=reporter, subject=subject, key=key, reason=reason, words=words.strip()
            )
    except IntegrityError:
        raise ModerationRefused(
            gettext("You have already reported this. Moderators will look at it.")
        ) from None
