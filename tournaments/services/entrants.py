"""What the competition does when something happens to bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext

from arena.web.alarms import clear_alarm, raise_alarm, sandbox_just_failed
from arena.web.worker_messages import send
from bots.services import BotListener, Saying
from tournaments.models import Alarm, ProbeAnswers
from tournaments.selectors.owners import have_met
from tournaments.services import news
from tournaments.services.departures import forget_evidence
from tournaments.services.messages import FIELD_CHANGED
from tournaments.services.organisers import hand_over
from tournaments.services.rating.ratings import rate_everything
from tournaments.services.withdrawals import leave_events

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from arena.accounts.models import User
    from bots.models import Version


class FieldListener(BotListener):
    """Wakes the ladders, and knows whether this host can play."""

    def field_changed(self) -> None:
        """Have every ladder bring its entrants up to date. Idle ladders wake only for this."""
        send(FIELD_CHANGED)

    def authors_changed(self) -> None:
        """Rate everything again: bots of one author are never rated against each other."""
        rate_everything()

    def why_not_together(self, owner: User, other: User) -> str:
        """Refuse accounts whose bots have met in rated games, which would not count any more."""
        if not have_met(owner, other):
            return ""
        return gettext(
            "Bots of %(one)s and %(other)s have played rated games against each other. If the two owned a "
            "bot together, these results would no longer count, so only staff can allow it, by linking the "
            "two accounts."
        ) % {"one": owner, "other": other}

    def stops_playing(self, versions: Collection[int]) -> None:
        """Take them out of the events they are in."""
        leave_events(versions)

    def forget(self, bot: int, since: datetime | None) -> None:
        """Empty what the bot left behind in its games."""
        forget_evidence(bot, since)

    def owner_leaves(self, owner: User) -> None:
        """Hand the owner's events over to those who organise them, too."""
        hand_over(owner)

    def started(self, event: int) -> dict[int, Saying]:
        """What followers of its bots are told."""
        return news.started(event)

    def placed(self, event: int) -> dict[int, Saying]:
        """What followers of its best bots are told."""
        return news.placed(event)

    def tried_again(self, version: Version) -> None:
        """Forget what it answered among near-twins: it may play other games now."""
        ProbeAnswers.objects.filter(version=version).delete()

    def may_check(self) -> bool:
        """Whether the sandbox has not been missing for some seconds."""
        return not sandbox_just_failed()

    def check_failed(self, reason: str, *, sandbox_down: bool) -> None:
        """Raise an alarm."""
        raise_alarm(Alarm.Kind.SANDBOX if sandbox_down else Alarm.Kind.CHECK, "", reason)

    def check_played(self) -> None:
        """Clear the alarms."""
        clear_alarm(Alarm.Kind.SANDBOX, "")
        clear_alarm(Alarm.Kind.CHECK, "")
