"""What the house answers where a lower app asks upwards (`bots.port`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.web.worker_messages import send
from bots.models import News
from bots.port import Port, Saying
from people.classes.events import why_not_enter
from people.moderation.acts import decided_parts
from people.moderation.models import Subject
from tournaments.challenges import answers
from tournaments.events import news
from tournaments.events.withdrawals import leave_events
from tournaments.game_messages import FIELD_CHANGED
from tournaments.models import ProbeAnswers
from tournaments.ratings.linked_owners import why_not_together
from tournaments.ratings.ratings import rate_everything

if TYPE_CHECKING:
    from collections.abc import Collection

    from arena.accounts.models import User
    from bots.models import Bot, Version


class HousePort(Port):
    """Calls what each app does about it."""

    def field_changed(self) -> None:
        """Have every ladder bring its entrants up to date. Idle ladders wake only for this."""
        send(FIELD_CHANGED)

    def authors_changed(self) -> None:
        """Rate everything again: bots of one author are never rated against each other."""
        rate_everything()

    def stops_playing(self, versions: Collection[int]) -> None:
        """Take them out of the events they are in, and close challenges that can never be played."""
        leave_events(versions)
        answers.close_challenges(versions)

    def tried_again(self, version: Version) -> None:
        """Forget what it answered among near-twins: it may play other games now."""
        ProbeAnswers.objects.filter(version=version).delete()

    def handed_over(self, bot: Bot, owner: User) -> None:
        """Keep open challenges with whoever owns the bot."""
        answers.ask_new_owner(bot, owner)

    def why_not_together(self, owner: User, other: User) -> str:
        """Refuse accounts whose bots have met in rated games."""
        return why_not_together(owner, other)

    def decided_texts(self, bot: Bot) -> frozenset[str]:
        """The texts of a bot about which a decision is in force."""
        return decided_parts(Subject.BOT, bot.pk)

    def decided_event_texts(self, event: int) -> frozenset[str]:
        """The texts of a tournament about which a decision is in force."""
        return decided_parts(Subject.TOURNAMENT, event)

    def event_news(self, what: News.What, event: int) -> dict[int, Saying]:
        """What followers of its bots, or of its best bots, are told."""
        return news.tell_of_start(event) if what == News.What.STARTED else news.tell_of_places(event)

    def why_not_enter(self, event: int, user: Any) -> str:
        """Keep others out of the events of a class."""
        return why_not_enter(event, user)
